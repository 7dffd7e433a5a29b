"""An account is either restored or deleted when two servers do both at the same time."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders.databases import database_of_its_own
from tests.builders.sites import ROOT, copy_prepared


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_an_account_is_restored_or_deleted(
    request: pytest.FixtureRequest, tmp_path: Path, database: str
) -> None:
    env = {"SECRET_KEY": "k" * 50, "DATABASE_URL": f"sqlite:///{tmp_path / 'site.sqlite3'}"}
    if database == "postgres":
        env["DATABASE_URL"] = request.getfixturevalue("postgres_url")
        database_of_its_own(env)
    else:
        copy_prepared(tmp_path, with_database=True)
    ran = subprocess.run(
        [sys.executable, "-m", "tests.lobby.accounts.erasure_race"],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "DJANGO_SETTINGS_MODULE": "tests.settings", **env},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout.splitlines()[-1])
    assert told == {
        "undone first": {"waited": True, "refused": [], "name": "Anna", "has_left_over": False},
        "deleted first": {
            "waited": True,
            "refused": ["erase-done"],
            "name": "Deleted",
            "has_left_over": False,
        },
        "deleted twice": {
            "waited": True, "refused": [], "name": "Deleted", "has_left_over": False,
        },
    }  # fmt: skip
