"""Databases of earlier releases are updated: no match changes, play and the log go on."""

import json
import sqlite3
import urllib.error
from collections.abc import Iterator
from contextlib import closing
from http.cookiejar import Cookie
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest
from django.conf import settings

from games.formats import verify
from games.transparency_log.merkle_tree import Frontier
from tests.builders.databases import database_of_its_own
from tests.builders.sites import Person, Site
from tests.builders.transparency_log import fetch, wait_for_record
from tests.games.migrations.make import FOLDER, KEY, OPENING

FILES = {file.name.removesuffix(".sql"): file for file in sorted(FOLDER.glob("*.sql"))}
WITH_LOG = ("07-record-log.sqlite", "07-record-log.postgres")
_ENTRIES = 'SELECT match_id, sha256 FROM games_logentry ORDER BY "index"'


class Updated(NamedTuple):
    """A site on a database of an earlier release, which it has migrated."""

    site: Site
    matches: list[dict[str, Any]]  # what was noted of each match then
    entries: list[tuple[str, bytes]]  # the log of that release


@pytest.fixture(scope="module")
def updated(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Updated]:
    folder, name = tmp_path_factory.mktemp("updated"), str(request.param)
    noted, _, text = FILES[name].read_text().partition("\n")
    env = {"SECRET_KEY": KEY, "ABANDONED_DAYS": "3650"}  # the players have been away since
    entries: list[Any] = []
    if name.endswith(".postgres"):
        env["DATABASE_URL"] = request.getfixturevalue("postgres_url")
        database_of_its_own(env, empty=True)
        with psycopg.connect(env["DATABASE_URL"]) as connection:
            connection.execute(text)  # type: ignore[call-overload]
        with psycopg.connect(env["DATABASE_URL"]) as connection:  # with a search path again
            entries = connection.execute(_ENTRIES).fetchall() if name in WITH_LOG else []
    else:
        with closing(sqlite3.connect(folder / "site.sqlite3")) as database:
            database.executescript(text)
            entries = database.execute(_ENTRIES).fetchall() if name in WITH_LOG else []
    site = Site(folder, env)
    try:
        # `serve` migrates first.
        yield Updated(site.wait(), json.loads(noted.removeprefix("-- ")), entries)
        site.must_be_calm()
    finally:
        site.stop()


@pytest.mark.parametrize("updated", FILES, indirect=True)
def test_an_old_database_is_updated_and_its_matches_go_on(updated: Updated) -> None:
    site, matches, _ = updated
    for match in matches:
        same_as_ever(site, match)
    for match in matches:
        if match["status"] == "live":
            goes_on(site, match)
    done = site.manage("verify_matches", "--processes", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(matches)} of {len(matches)} matches are sound" in done.stdout


def same_as_ever(site: Site, match: dict[str, Any]) -> None:
    """The match's page and record show what was played then."""
    address = f"/match/{match['match']}/"
    status, page = Person(site).get(address)
    assert status == 200
    assert f'data-status="{match["status"]}"' in page
    record = Person(site).json(f"{address}record.json")
    assert [move["action"] for move in record["moves"]] == match["moves"]
    assert (record["status"], record["goals"]) == (match["status"], match["goals"])


def goes_on(site: Site, match: dict[str, Any]) -> None:
    """The players are still logged in and play on. Neither is charged for the time since then."""
    action = NEXT[match["game"]][len(match["moves"])]
    sockets = {
        role: visitor(site, key).match(match["match"]) for role, key in match["sessions"].items()
    }
    for role, socket in sockets.items():
        assert socket.next("state")["you"] == role
    state = next(iter(sockets.values())).state
    if match["clock"]:
        left = state["clock"]["remaining_ms"]
        for role, then in match["clock"].items():
            assert then - 60_000 < left[role] <= then, "charged for the time since"
    sockets[state["turn"]].play(action)
    for socket in sockets.values():
        assert socket.ply(len(match["moves"]) + 1)["last"] == action
        socket.close()


NEXT = {
    **OPENING,
    "parallel-tic-tac-toe": (*OPENING["parallel-tic-tac-toe"], "mark 3 3 3 3"),
    "six-in-a-row": (*OPENING["six-in-a-row"], "place 3 3"),
}
"""The actions of each match, and those that may come next."""


def visitor(site: Site, session: str) -> Person:
    """A person with a session of that release."""
    person = Person(site)
    person.cookies.set_cookie(
        Cookie(
            version=0,
            name=settings.SESSION_COOKIE_NAME,
            value=session,
            port=None,
            port_specified=False,
            domain="127.0.0.1",
            domain_specified=False,
            domain_initial_dot=False,
            path="/",
            path_specified=True,
            secure=False,
            expires=None,
            discard=True,
            comment=None,
            comment_url=None,
            rest={},
        )
    )
    return person


@pytest.mark.parametrize("updated", WITH_LOG, indirect=True)
def test_the_log_of_an_old_database_is_frozen_and_taken_up(
    updated: Updated, tmp_path: Path
) -> None:
    """It is of the release before entries were blinded."""
    site, matches, entries = updated
    over = {match["match"]: match["signed"].encode() for match in matches if "signed" in match}
    assert {match for match, _ in entries} == set(over) and len(over) > 1
    grown = Frontier()
    leaves = [verify.leaf_hash(verify.former_entry(*each)) for each in entries]
    grown.append(leaves)
    told = json.loads(fetch(site, "/.well-known/parlour-keys.json"))
    name, public = verify.parse_key(told["keys"][0]["key"])
    keys = [each["key"] for each in told["keys"]]
    for match_id, former in over.items():
        record = wait_for_record(site, match_id, keys)
        # What was signed before has the key and the checkpoint of its time, and stays sound.
        before = verify.verified(former, [json.loads(former)["key"]])
        same = {**record, "format": before["format"]}
        assert same.pop("nonce") and same == before
        assert json.loads(former)["key"] in keys
    # The former log is frozen: its hashes are there, its entries are not.
    former_key = verify.key_text(name.removesuffix("/2"), public)
    last = fetch(site, "/log/checkpoint").decode()
    assert verify.parse_checkpoint(last, *verify.parse_key(former_key)) == (
        len(leaves),
        grown.root(),
    )
    assert fetch(site, f"/log/tile/0/000.p/{len(leaves)}") == b"".join(leaves)
    with pytest.raises(urllib.error.HTTPError, match="410"):
        fetch(site, f"/log/tile/entries/000.p/{len(leaves)}")
    # The new one begins with the former one, and names no match.
    size, _ = verify.parse_checkpoint(fetch(site, "/log/2/checkpoint").decode(), name, public)
    assert size == len(over) + 1
    bundle = fetch(site, f"/log/2/tile/entries/000.p/{size}")
    assert verify.former_log_entry(len(leaves), grown.root().hex()) in bundle
    assert not any(match_id.encode() in bundle for match_id in over)
    kept = tmp_path / "kept.txt"
    kept.write_text(json.loads(next(iter(over.values())))["log"]["checkpoint"])
    done = site.manage("verify_log", "--checkpoint", str(kept), "--save", str(tmp_path / "new"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "/log continues the checkpoint" in done.stdout
    assert f"All {size} entries are sound." in done.stdout
    kept.write_text(kept.read_text().replace("\n\n", "\nmore\n\n"))
    done = site.manage("verify_log", "--checkpoint", str(kept))
    assert done.returncode == 5, done.stdout + done.stderr


def test_no_release_lacks_a_migration_of_the_one_before() -> None:
    had: set[str] = set()
    for file in [file for name, file in FILES.items() if name.endswith(".sqlite")]:
        with closing(sqlite3.connect(":memory:")) as database:
            database.executescript(file.read_text())
            here = {
                f"{app} {name}"
                for app, name in database.execute("SELECT app, name FROM django_migrations")
            }
        assert had <= here, file.name
        had = here
    assert had
