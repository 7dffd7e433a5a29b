"""Batches on PostgreSQL: conflicts, round trips, locks, and a lost connection."""

import json
from typing import Any

import pytest

from tests.builders import nursery
from tests.builders.databases import database_of_its_own


@pytest.fixture
def commit_batch(postgres_url: str) -> Any:
    def run(case: str) -> dict[str, Any]:
        env = {
            "PATH": "/usr/bin:/bin",
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "SECRET_KEY": "k" * 50,
            "DATABASE_URL": postgres_url,
            "RATE_LIMITS": "off",
        }
        database_of_its_own(env)
        done = nursery.run(["-m", "tests.games.journal.postgres_batches", case], env)
        assert done.returncode == 0, done.stderr
        return dict(json.loads(done.stdout))

    return run


def test_one_conflict_rolls_back_the_whole_batch(commit_batch: Any) -> None:
    assert commit_batch("stale") == {"error": "conflict", "plies": [0, 0, 0], "moves": 0}


def test_a_repeated_ply_rolls_back_the_whole_batch(commit_batch: Any) -> None:
    found = commit_batch("repeated_ply")
    assert found == {"error": "integrity", "plies": [0, 0, 0], "moves": 1}


def test_a_batch_takes_four_round_trips(commit_batch: Any) -> None:
    """BEGIN, the suspensions, all changes and moves, and COMMIT. An event takes another one."""
    assert commit_batch("trips") == {"plays": 4, "with an end": 5}


def test_matches_are_locked_in_the_order_of_their_ids(commit_batch: Any) -> None:
    """They are even if the match with the higher id comes first and changes other columns."""
    assert commit_batch("lock_order") == {"high_is_free": True, "refused": [None, None]}


def test_a_change_that_is_committed_while_the_batch_waits_is_a_conflict(commit_batch: Any) -> None:
    found = commit_batch("overtaken")
    assert found == {"errors": ["conflict"], "plies": [0, 0, 0], "moves": 0}


def test_a_lost_connection_is_replaced_once(commit_batch: Any) -> None:
    found = commit_batch("lost_connection")
    assert (found["once"], found["plies"]) == ([None] * 3, [1, 1, 1])
    assert (found["always"], found["then"]) == ("unavailable", [1, 1, 1])


def test_every_column_is_stored_as_it_is(commit_batch: Any) -> None:
    found = commit_batch("columns")
    assert found["differ"] == [] and found["written"] > 20
