"""Log-in of a class on two servers: a revoked card leaves no session, and guesses are counted."""

import json
from pathlib import Path

import pytest

from tests.builders import nursery
from tests.builders.databases import database_of_its_own
from tests.builders.sites import copy_prepared


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_overlapping_transactions(
    request: pytest.FixtureRequest, tmp_path: Path, database: str
) -> None:
    env = {"SECRET_KEY": "k" * 50, "DATABASE_URL": f"sqlite:///{tmp_path / 'site.sqlite3'}"}
    if database == "postgres":
        env["DATABASE_URL"] = request.getfixturevalue("postgres_url")
        database_of_its_own(env)
    else:
        copy_prepared(tmp_path, with_database=True)
    ran = nursery.run(
        ["-m", "tests.lobby.groups.class_login_race"],
        {"PATH": "/usr/bin:/bin", "DJANGO_SETTINGS_MODULE": "tests.settings", **env},
    )
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout.splitlines()[-1])
    assert told["login first"] == [[302], True, ["revoked"], False]
    assert told["revocation first"] == [True, [400], False]
    assert told["guesses"] == [["pictures-locked"] * 7 + ["wrong-pictures"] * 5, 5]
    assert told["errors"] == []
