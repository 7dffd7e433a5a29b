"""A player becomes protected while a match with a stranger opens: one transaction waits."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders.databases import database_of_its_own
from tests.builders.sites import ROOT, copy_prepared


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_no_match_with_a_stranger_goes_on(
    request: pytest.FixtureRequest, tmp_path: Path, database: str
) -> None:
    env = {"SECRET_KEY": "k" * 50, "DATABASE_URL": f"sqlite:///{tmp_path / 'site.sqlite3'}"}
    if database == "postgres":
        env["DATABASE_URL"] = request.getfixturevalue("postgres_url")
        database_of_its_own(env)
    else:
        copy_prepared(tmp_path, with_database=True)
    ran = subprocess.run(
        [sys.executable, "-m", "tests.lobby.privacy.protection_race"],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "DJANGO_SETTINGS_MODULE": "tests.settings", **env},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    for case, found in json.loads(ran.stdout.splitlines()[-1]).items():
        match_came_first = case.endswith("match first")
        assert found["waited"], case
        assert found["matches"] == (["aborted"] if match_came_first else []), case
        assert found["refused"] == ([] if match_came_first else ["not-allowed"]), case
