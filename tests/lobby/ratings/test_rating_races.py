"""Ratings stay correct when processes rate, void and replay concurrently and are killed."""

import signal
from pathlib import Path
from typing import Any

import psycopg
import pytest

from lobby.ratings.ledger import LEDGER_KEY
from tests.builders.commands import RunningModule, create_environment
from tests.builders.databases import database_of_its_own
from tests.builders.sites import until

WAITING = """
SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = database
WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()
"""


@pytest.fixture(params=["sqlite", "postgres"])
def env(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    found = create_environment(tmp_path, RATE_LIMITS="off")
    if request.param == "postgres":
        found["DATABASE_URL"] = request.getfixturevalue("postgres_url")
        database_of_its_own(found)
    return found


def start(env: dict[str, str], *what: str) -> RunningModule:
    return RunningModule(env, "tests.lobby.ratings.rating_race", *what)


def checked(env: dict[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = start(env, "check").end()
    return found


def test_processes_that_race_and_die_leave_what_a_replay_gives(env: dict[str, str]) -> None:
    start(env, "make").end()
    playing = [start(env, "play", str(seed)) for seed in (1, 2)]
    dying = [start(env, "die")]
    playing.append(start(env, "play", "3"))
    dying.append(start(env, "die"))
    for process in playing:
        process.end()
    for process in dying:
        process.end(-signal.SIGKILL)
    found = checked(env)
    assert found["faults"] == [] and found["same"], found
    assert found["matches"] >= 62 and found["voided"] and found["again"], found
    assert checked(env) == found


@pytest.mark.parametrize("writer", ["rate", "replay", "refund"])
def test_each_writer_waits_for_the_ledger(writer: str, tmp_path: Path, postgres_url: str) -> None:
    env = create_environment(tmp_path, DATABASE_URL=postgres_url)
    database_of_its_own(env)
    start(env, "make").end()
    with psycopg.connect(env["DATABASE_URL"]) as another:
        another.execute("SELECT pg_advisory_xact_lock(%s)", [LEDGER_KEY])
        process = start(env, writer)
        until(lambda: another.execute(WAITING).fetchone() is not None, "a wait for the ledger")
    process.end()
