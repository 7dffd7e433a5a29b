"""A profile with many matches needs few queries, each of which uses an index."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.bench.large.histories import PATHS
from tests.builders.commands import create_environment, run_module
from tests.builders.databases import database_of_its_own

MATCHES, HEAVY = 30_000, 3_000


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def looked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("many")
    env = create_environment(folder, RATE_LIMITS="off")
    if request.param == "postgres":
        env["DATABASE_URL"] = request.getfixturevalue("postgres_url")
        database_of_its_own(env)
    return run_module(env, "tests.bench.large.histories", str(MATCHES), str(HEAVY))


@pytest.mark.parametrize("name", [*PATHS, "json", "a page far back"])
def test_a_history_is_found_by_indexes(looked: Any, name: str) -> None:
    seen = looked[name]
    assert seen["queries"] <= 34, seen["sql"]
    for sql, plan in zip(seen["sql"], seen["plans"], strict=True):
        assert not re.search(r"SCAN (lobby_played|games_match|lobby_tally)\b", plan), (sql, plan)
        assert not re.search(r"Seq Scan on (lobby_played|games_match)", plan), (sql, plan)
        if "lobby_played" in sql and "COUNT(" not in sql and "ORDER BY" in sql:
            assert "LIMIT" in sql, sql


def test_one_filter_reads_no_further_than_its_page(looked: Any) -> None:
    for name in ("all", "by game", "by result", "by an opponent", "by length", "rated", "not rated",
                 "a page far back"):  # fmt: skip
        (plan,) = [
            plan
            for sql, plan in zip(looked[name]["sql"], looked[name]["plans"], strict=True)
            if "lobby_played" in sql and "LIMIT 26" in sql
        ]
        assert "TEMP B-TREE" not in plan, (name, plan)  # the index already has this order
        assert looked[name]["rows"] > 0, name


def test_what_is_looked_for_is_found(looked: Any) -> None:
    rows = {name: seen["rows"] for name, seen in looked.items()}
    assert rows["all"] == rows["by game"] == rows["by result"] == rows["not rated"] == 25
    assert rows["by nobody"] == rows["by what never was"] == 0
