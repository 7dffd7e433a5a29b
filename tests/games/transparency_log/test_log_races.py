"""The log with several processes that append entries simultaneously; one is killed."""

import signal
from pathlib import Path

import pytest

from tests.builders.commands import RunningModule, create_environment
from tests.builders.databases import database_of_its_own
from tests.games.transparency_log.log_race import MATCHES


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    """The environment of a database with matches that wait for their entries."""
    env = create_environment(tmp_path)
    if request.param == "postgres":
        env["DATABASE_URL"] = request.getfixturevalue("postgres_url")
        database_of_its_own(env)
    assert start(env, "make").end()["wishes"] == MATCHES
    return env


def start(env: dict[str, str], how: str) -> RunningModule:
    return RunningModule(env, "tests.games.transparency_log.log_race", how)


def test_each_match_has_one_entry_whoever_dies(database: dict[str, str]) -> None:
    start(database, "die").end(-signal.SIGKILL)
    left = start(database, "look").end()
    assert left["size"] == 100 and left["wishes"] == MATCHES - 100
    assert left["indexes"] == list(range(100))  # of the round that was cut off, nothing
    both = [start(database, "append") for _ in range(2)]
    assert sum(process.end()["rounds"] for process in both) > 0  # one may have come too late
    found = start(database, "look").end()
    assert found["indexes"] == list(range(MATCHES))
    assert (found["size"], found["matches"], found["wishes"]) == (MATCHES, MATCHES, 0)
    assert found["nodes"] == MATCHES // 256
    assert found["before"] == left["root"]  # what was given away stays true
