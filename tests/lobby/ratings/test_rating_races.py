"""Ratings stay correct when processes rate, void and replay concurrently and are killed."""

import signal
from pathlib import Path
from typing import Any

import pytest

from tests.builders.commands import RunningModule, create_environment
from tests.builders.databases import database_of_its_own


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
    assert found["matches"] >= 122 and found["voided"] and found["again"], found
    assert checked(env) == found
