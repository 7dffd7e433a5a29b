"""Databases of earlier releases are updated: no match changes, and play goes on."""

import json
import sqlite3
from contextlib import closing
from http.cookiejar import Cookie
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings

from tests.builders.databases import database_of_its_own
from tests.builders.sites import Person, Site
from tests.games.migrations.make import FOLDER, KEY, OPENING

FILES = sorted(FOLDER.glob("*.sql"))


@pytest.mark.parametrize("file", FILES, ids=[file.name.removesuffix(".sql") for file in FILES])
def test_an_old_database_is_updated_and_its_matches_go_on(
    file: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    noted, _, text = file.read_text().partition("\n")
    matches: list[dict[str, Any]] = json.loads(noted.removeprefix("-- "))
    env = {"SECRET_KEY": KEY, "ABANDONED_DAYS": "3650"}  # the players have been away since
    if ".postgres" in file.name:
        env["DATABASE_URL"] = request.getfixturevalue("postgres_url")
        database_of_its_own(env, empty=True)
        with psycopg.connect(env["DATABASE_URL"]) as connection:
            connection.execute(text)  # type: ignore[call-overload]
    else:
        with closing(sqlite3.connect(tmp_path / "site.sqlite3")) as database:
            database.executescript(text)
    site = Site(tmp_path, env)
    try:
        site.wait()  # `serve` migrates first
        for match in matches:
            same_as_ever(site, match)
        for match in matches:
            if match["status"] == "live":
                goes_on(site, match)
        done = site.manage("verify_matches", "--processes", "1")
        assert done.returncode == 0, done.stdout + done.stderr
        assert f"{len(matches)} of {len(matches)} matches are sound" in done.stdout
        site.must_be_calm()
    finally:
        site.stop()


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


def test_no_release_lacks_a_migration_of_the_one_before() -> None:
    had: set[str] = set()
    for file in [file for file in FILES if ".sqlite" in file.name]:
        with closing(sqlite3.connect(":memory:")) as database:
            database.executescript(file.read_text())
            here = {
                f"{app} {name}"
                for app, name in database.execute("SELECT app, name FROM django_migrations")
            }
        assert had <= here, file.name
        had = here
    assert had
