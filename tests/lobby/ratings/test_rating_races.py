"""Ratings stay correct when processes rate, void and replay concurrently and are killed."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.builders.databases import database_of_its_own
from tests.builders.sites import ROOT, copy_prepared


def environment(request: pytest.FixtureRequest, folder: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    found = {**kept, "DATA_DIR": str(folder), "SECRET_KEY": "k" * 50, "RATE_LIMITS": "off"}
    if request.param == "postgres":
        found["DATABASE_URL"] = request.getfixturevalue("postgres_url")
        database_of_its_own(found)
    else:
        copy_prepared(folder, with_database=True)
    return {**found, "DJANGO_SETTINGS_MODULE": "tests.settings"}


@pytest.fixture(params=["sqlite", "postgres"])
def env(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    return environment(request, tmp_path)


def start(env: dict[str, str], *what: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.lobby.ratings.rating_race", *what],
        cwd=ROOT,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def end(process: subprocess.Popen[str], code: int = 0) -> str:
    out, err = process.communicate(timeout=240)
    assert process.returncode == code, err
    return out


def checked(env: dict[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(end(start(env, "check")))
    return found


def test_processes_that_race_and_die_leave_what_a_replay_gives(env: dict[str, str]) -> None:
    end(start(env, "make"))
    playing = [start(env, "play", str(seed)) for seed in (1, 2)]
    dying = [start(env, "die")]
    playing.append(start(env, "play", "3"))
    dying.append(start(env, "die"))
    for process in playing:
        end(process)
    for process in dying:
        end(process, -9)
    found = checked(env)
    assert found["faults"] == [] and found["same"], found
    assert found["matches"] >= 38 and found["voided"] and found["again"], found
    assert checked(env) == found
