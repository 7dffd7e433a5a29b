"""A round is paired exactly once, even if several processes pair it or are killed meanwhile."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.builders import nursery
from tests.builders.databases import database_of_its_own
from tests.builders.sites import copy_prepared


def run(folder: Path, *words: str, **env: str) -> dict[str, Any]:
    """Return the output of the command."""
    if "DATABASE_URL" not in env:
        copy_prepared(folder, with_database=True)
    env = {
        **os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", "SECRET_KEY": "k" * 50,
        "DATA_DIR": str(folder), "LOG_LEVEL": "ERROR", **env,
    }  # fmt: skip
    done = nursery.run(["-m", "tests.bench.tournaments.racing", *words], env, timeout=500)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout[done.stdout.rindex('{"state"') :])
    return found


def env_of(database: str, request: pytest.FixtureRequest) -> dict[str, str]:
    if database == "sqlite":
        return {}
    env = {"DATABASE_URL": str(request.getfixturevalue("postgres_url"))}
    database_of_its_own(env)
    return env


def must_be_whole(found: dict[str, Any]) -> None:
    assert found["state"] == "over", found
    assert found["faults"] == [] and found["failed"] == 0, found
    assert found["twice_in_a_round"] == 0, found
    assert found["matches"] == found["paired"], found


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
@pytest.mark.parametrize(
    ("kind", "players", "pairings"),
    [("swiss", 5, 9), ("round-robin", 4, 6), ("knockout", 4, None), ("arena", 6, None)],
)
def test_all_make_each_step_at_once(
    database: str,
    kind: str,
    players: int,
    pairings: int | None,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    found = run(tmp_path, kind, str(players), "2", **env_of(database, request))
    must_be_whole(found)
    assert pairings is None or found["pairings"] == pairings, found
    assert found["deaths"] == 0


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
@pytest.mark.parametrize(("kind", "players", "pairings"), [("swiss", 5, 9), ("arena", 6, None)])
def test_who_is_killed_in_it_leaves_the_same_tournament(
    database: str,
    kind: str,
    players: int,
    pairings: int | None,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    found = run(tmp_path, kind, str(players), "3", "--killed", **env_of(database, request))
    must_be_whole(found)
    assert pairings is None or found["pairings"] == pairings, found
    assert found["deaths"] > 0, found
