"""A site of the release before entries were blinded: its log is frozen, a new one takes it up."""

import json
import sqlite3
import urllib.error
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from games.formats import verify
from games.transparency_log.merkle_tree import Frontier
from tests.builders.databases import database_of_its_own
from tests.games.migrations.make import FOLDER, KEY
from tests.builders.transparency_log import fetch, wait_for_record
from tests.builders.sites import Site

_ENTRIES = 'SELECT match_id, sha256 FROM games_logentry ORDER BY "index"'


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_the_log_of_an_old_database_is_frozen_and_taken_up(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    noted, _, text = (FOLDER / f"07-record-log.{kind}.sql").read_text().partition("\n")
    matches: list[dict[str, Any]] = json.loads(noted.removeprefix("-- "))
    over = {match["match"]: match["signed"].encode() for match in matches if "signed" in match}
    env = {"SECRET_KEY": KEY, "ABANDONED_DAYS": "3650"}
    if kind == "postgres":
        env["DATABASE_URL"] = request.getfixturevalue("postgres_url")
        database_of_its_own(env, empty=True)
        with psycopg.connect(env["DATABASE_URL"]) as connection:
            connection.execute(text)  # type: ignore[call-overload]
        with psycopg.connect(env["DATABASE_URL"]) as connection:  # with a search path again
            entries = connection.execute(_ENTRIES).fetchall()
    else:
        with closing(sqlite3.connect(tmp_path / "site.sqlite3")) as database:
            database.executescript(text)
            entries = database.execute(_ENTRIES).fetchall()
    assert {match for match, _ in entries} == set(over) and len(over) > 1
    grown = Frontier()
    leaves = [verify.leaf_hash(verify.former_entry(*each)) for each in entries]
    grown.append(leaves)
    site = Site(tmp_path, env)
    try:
        site.wait()
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
        site.must_be_calm()
    finally:
        site.stop()
