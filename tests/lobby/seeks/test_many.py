"""Many seekers and many processes: nobody is paired twice.

The full size is a drill: `python -m tests.bench.drills rated-waves`.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.builders.commands import create_environment, run_module
from tests.builders.databases import database_of_its_own


def run(folder: Path, *words: str, **env: str) -> dict[str, Any]:
    """Run the command. Return its output."""
    env = create_environment(folder, **env)
    found: dict[str, Any] = run_module(env, "tests.bench.large.seeks", *words)
    return found


def of_postgres(url: str) -> dict[str, str]:
    env = {"DATABASE_URL": url}
    database_of_its_own(env)
    return env


@pytest.mark.parametrize("words", [("120", "6"), ("80", "4", "--all-run")], ids=["leased", "all"])
def test_nobody_is_paired_twice_on_postgres(
    postgres_url: str, tmp_path: Path, words: tuple[str, ...]
) -> None:
    found = run(tmp_path, *words, **of_postgres(postgres_url))
    assert found["failed"] == found["twice"] == found["blocked"] == 0, found
    assert found["paired"] == 2 * found["rated"] == int(words[0]), found
    assert "--all-run" in words or found["most_waves"] <= 2, found


def test_a_kill_during_a_wave_leaves_nobody_unpaired(postgres_url: str, tmp_path: Path) -> None:
    """Players of the killed process who had not arrived yet never arrive."""
    found = run(tmp_path, "60", "3", "--one-dies", **of_postgres(postgres_url))
    assert found["failed"] == 1
    assert found["twice"] == found["blocked"] == 0, found
    assert found["left"] <= 1 and found["paired"] == 2 * found["rated"] >= 38, found


@pytest.mark.parametrize("words", [("60", "3"), ("40", "3", "--all-run")], ids=["leased", "all"])
def test_nobody_is_paired_twice_on_sqlite(tmp_path: Path, words: tuple[str, ...]) -> None:
    found = run(tmp_path, *words)
    assert found["failed"] == found["twice"] == found["blocked"] == 0, found
    assert found["paired"] == 2 * found["rated"] == int(words[0]), found


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_a_wave_is_read_by_indexes(
    database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """The data has 10,000 seeks, 5,000 pools, and the histories of a thousand players.

    The wave needs a fifth of the ratings, so a database may prefer to read all of them.
    """
    url = request.getfixturevalue("postgres_url") if database == "postgres" else ""
    found = run(tmp_path, "10000", "--look", **(of_postgres(url) if url else {}))
    assert found["waiting"] == 2000
    assert len(found["plans"]) <= 6
    for sql, plan in found["plans"]:
        for table in ("lobby_seek", "lobby_played", "lobby_pool"):
            assert f"Seq Scan on {table}" not in plan, (sql, plan)
            assert f"SCAN {table}" not in plan, (sql, plan)


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_offers_to_many_are_read_by_an_index(
    database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """300 players wait among 30,000 other seeks. All other rows in the database are theirs."""
    url = request.getfixturevalue("postgres_url") if database == "postgres" else ""
    found = run(tmp_path, "300", "--offers", **(of_postgres(url) if url else {}))
    assert found["offered"] == 300
    assert len(found["plans"]) <= 6
    (sql, plan), *_ = found["plans"]
    assert "seek_by_age" in plan, (sql, plan)
    assert "Seq Scan on lobby_seek" not in plan and "SCAN lobby_seek" not in plan, (sql, plan)
