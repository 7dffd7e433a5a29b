"""An account is either restored or deleted when two servers do both at the same time."""

from pathlib import Path

import pytest

from tests.builders.commands import create_environment, run_module
from tests.builders.databases import database_of_its_own


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_an_account_is_restored_or_deleted(
    request: pytest.FixtureRequest, tmp_path: Path, database: str
) -> None:
    env = create_environment(tmp_path)
    if database == "postgres":
        env["DATABASE_URL"] = request.getfixturevalue("postgres_url")
        database_of_its_own(env)
    told = run_module(env, "tests.lobby.accounts.erasure_race")
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
