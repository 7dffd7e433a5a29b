"""Simulated players play each kind to its end through the sockets of real servers."""

import asyncio
import json
import threading
from typing import Any

import pytest

from tests.bench.tournaments.arena import arrange
from tests.bench.tournaments.crowd import Seen, play, summary
from tests.builders.sites import Site, until


def play_to_the_end(
    sites: list[Site], kind: str, many: int, enough: int = 0, **more: Any
) -> dict[str, Any]:
    """Play a tournament. Its organiser ends it after `enough` games."""
    made = arrange(sites[0], "make", kind, str(many), json.dumps(more))
    ports = [site.port for site in sites]
    seen = Seen()

    def end() -> None:
        until(lambda: seen.games >= 2 * enough, f"{enough} games")  # each player counts them
        arrange(sites[-1], "end", made["tournament"])

    if enough:
        threading.Thread(target=end).start()
    asyncio.run(play(ports, made["tournament"], made["cookies"], seen=seen))
    found = arrange(sites[0], "look", made["tournament"])
    assert seen.is_over and found["state"] == "over", (found, summary(seen))
    assert found["faults"] == [] and seen.errors == [], (found, seen.errors)
    assert found["ranked"] == many
    return found


ARENA = 9  # games after which its organiser ends it

KINDS: list[tuple[str, int, dict[str, Any], int]] = [
    ("round-robin", 4, {}, 6),
    ("swiss", 6, {"rounds": 3}, 9),
    ("knockout", 4, {"best_of": 1, "third_place": True}, 4),
]


@pytest.mark.parametrize(("kind", "many", "more", "games"), KINDS)
def test_rounds_on_sqlite(
    site: Site, kind: str, many: int, more: dict[str, Any], games: int
) -> None:
    found = play_to_the_end([site], kind, many, **more)
    assert found["kinds"]["played"] == games, found


def test_an_arena_on_sqlite(site: Site) -> None:
    found = play_to_the_end([site], "arena", 6, ARENA, minutes=5, clock="1+0")
    assert found["kinds"]["played"] >= 6, found


@pytest.mark.parametrize(("kind", "many", "more", "games"), KINDS)
def test_rounds_at_two_servers_on_postgres(
    sites: list[Site], kind: str, many: int, more: dict[str, Any], games: int
) -> None:
    found = play_to_the_end(sites, kind, many, **more)
    assert found["kinds"]["played"] == games, found


def test_an_arena_at_two_servers_on_postgres(sites: list[Site]) -> None:
    found = play_to_the_end(sites, "arena", 6, ARENA, minutes=5, clock="1+0")
    assert found["kinds"]["played"] >= 6, found
