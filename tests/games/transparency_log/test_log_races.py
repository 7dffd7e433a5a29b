"""The log with several processes that append entries simultaneously; one is killed."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.builders.databases import database_of_its_own
from tests.builders.sites import ROOT, copy_prepared
from tests.games.transparency_log.log_race import MATCHES


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    """The environment of a database with matches that wait for their entries."""
    env = {"SECRET_KEY": "k" * 50, "DATABASE_URL": f"sqlite:///{tmp_path / 'site.sqlite3'}"}
    if request.param == "postgres":
        env["DATABASE_URL"] = request.getfixturevalue("postgres_url")
        database_of_its_own(env)
    else:
        copy_prepared(tmp_path, with_database=True)
    assert ended(racing(env, "make"))["wishes"] == MATCHES
    return env


def racing(env: dict[str, str], how: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.games.transparency_log.log_race", how],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "DJANGO_SETTINGS_MODULE": "tests.settings", **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process: subprocess.Popen[str]) -> dict[str, Any]:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return dict(json.loads(out))


def test_each_match_has_one_entry_whoever_dies(database: dict[str, str]) -> None:
    dying = racing(database, "die")
    dying.communicate(timeout=120)
    assert dying.returncode == -9
    left = ended(racing(database, "look"))
    assert left["size"] == 100 and left["wishes"] == MATCHES - 100
    assert left["indexes"] == list(range(100))  # of the round that was cut off, nothing
    both = [racing(database, "append") for _ in range(2)]
    assert sum(ended(process)["rounds"] for process in both) > 0  # one may have come too late
    found = ended(racing(database, "look"))
    assert found["indexes"] == list(range(MATCHES))
    assert (found["size"], found["matches"], found["wishes"]) == (MATCHES, MATCHES, 0)
    assert found["nodes"] == MATCHES // 256
    assert found["before"] == left["root"]  # what was given away stays true
