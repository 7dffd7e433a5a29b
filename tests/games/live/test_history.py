"""A short run of the history checker on both databases; the long one is a command of the README."""

import os
import threading
from pathlib import Path

import pytest

from tests.games.live.test_ends import pytest_database_of_its_own
from tests.history import run


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_nothing_accepted_is_lost_while_connections_are_cut_and_servers_killed(
    database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    env: dict[str, str] = {}
    if database == "postgres":
        env["DATABASE_URL"] = request.getfixturevalue("postgres_url")
        env["REDIS_URL"] = request.getfixturevalue("redis_url")
        pytest_database_of_its_own(env)
    figures = run(tmp_path, env, players=12, kills=4, seed=os.getpid() + threading.get_ident())
    assert figures.wrong == []
    assert figures.actions > 200
    assert figures.kills == 4
    assert figures.cuts
    assert figures.repeats
