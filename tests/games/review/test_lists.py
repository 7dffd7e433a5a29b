"""The list of matches stays fast with many matches: few queries, each indexed or limited."""

import re
from pathlib import Path
from typing import Any

import pytest

from games.review.lists import MOST
from tests.bench.large.reviews import DECISIONS, FILTERS, OTHERS, QUEUE
from tests.builders.commands import create_environment, run_module
from tests.builders.databases import database_of_its_own

MATCHES = 30_000


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def looked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("many")
    env = create_environment(folder)
    if request.param == "postgres":
        env["DATABASE_URL"] = request.getfixturevalue("postgres_url")
        database_of_its_own(env)
    return run_module(env, "tests.bench.large.reviews", str(MATCHES))


@pytest.mark.parametrize("name", FILTERS | OTHERS)
def test_a_list_asks_little_and_never_reads_all_matches(looked: Any, name: str) -> None:
    seen = looked[name]
    assert seen["queries"] <= 9, seen["sql"]  # one of them asks for the second factor
    for sql in seen["sql"]:
        if sql.startswith("SELECT COUNT("):
            assert re.search(rf"LIMIT {MOST}\b", sql), sql  # no query scans everything
        else:
            assert seen["rows"] < 50 or re.search(rf"LIMIT (50|1|{MOST})\b[^)]*$", sql), sql
    for plan in seen["plans"]:
        # Staff make decisions by hand, so a name may read all of them (35 ms for 21,000).
        _must_be_bounded(plan, "match" if name == "decisions by name" else "match|decision")


def _must_be_bounded(plan: str, tables: str) -> None:
    lines = plan.splitlines()
    for index, line in enumerate(lines):
        # SQLite: only in the order of an index, so that the limit stops the scan.
        if re.search(rf"SCAN games_({tables})\b", line):
            assert "USING" in line, plan
            assert "USE TEMP B-TREE FOR ORDER BY" not in plan, plan
        # PostgreSQL: directly under a limit, with no node between that would read on.
        if re.search(f"Seq Scan on games_({tables})", line):
            assert "Limit" in lines[index - 1], plan


def test_what_is_looked_for_is_found(looked: Any) -> None:
    rows = {name: seen["rows"] for name, seen in looked.items() if "rows" in seen}
    assert rows["all"] == rows["the last page"] == rows["by game"] == 50
    assert rows["by status"] == MATCHES // 5000
    assert rows["by no such player"] == 0
    assert rows["by part of a name"] == 50
    assert rows["between days"] == MATCHES // 730
    assert rows["long"] == 2
    assert rows["flagged"] == 30
    assert rows["reported"] == rows["open"] == 31
    assert rows["decided"] == rows["decisions"] == 50
    assert DECISIONS < MATCHES
    assert rows["disputed"] == 2  # after the newest decision, and after the oldest
    assert rows["reports by name"] == rows["signs by name"] == 10
    assert rows["reports by match"] == rows["decisions by name"] == 0
    assert rows["decisions by match"] == 1
    assert rows["search by id"] == 1
    assert rows["search by name"] == 50


def test_the_queue_is_bounded_however_much_is_open(looked: Any) -> None:
    for name in (*QUEUE, "take", "dismiss and go on"):
        seen = looked["the queue"][name]
        # Not one for each of the 5,000 reports.
        assert seen["queries"] <= 75, (name, seen["queries"])
        assert seen["bytes"] < 150_000, (name, seen["bytes"])
        for plan in seen["plans"]:
            _must_be_bounded(plan, "match|move")  # there are no connections here
