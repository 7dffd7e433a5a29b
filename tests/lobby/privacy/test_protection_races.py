"""A player becomes protected while a match with a stranger opens: one transaction waits."""

from pathlib import Path

import pytest

from tests.builders.commands import create_environment, run_module
from tests.builders.databases import database_of_its_own


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_no_match_with_a_stranger_goes_on(
    request: pytest.FixtureRequest, tmp_path: Path, database: str
) -> None:
    env = create_environment(tmp_path)
    if database == "postgres":
        env["DATABASE_URL"] = request.getfixturevalue("postgres_url")
        database_of_its_own(env)
    told = run_module(env, "tests.lobby.privacy.protection_race")
    for case, found in told.items():
        match_came_first = case.endswith("match first")
        assert found["waited"], case
        assert found["matches"] == (["aborted"] if match_came_first else []), case
        assert found["refused"] == ([] if match_came_first else ["not-allowed"]), case
