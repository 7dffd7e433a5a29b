"""However many seeks change, the players' states are read one batch after another."""

import asyncio
import time
from collections.abc import Collection
from typing import Any

import pytest

from lobby.live import player_tabs
from lobby.live.player_state import PlayerState
from lobby.live.player_tabs import PlayerTabs
from lobby.live.protocol import OwnFrame, OwnSeek
from tests.builders.sites import PATIENCE

CHANGES = 500


def test_a_flood_of_seeks_is_read_in_few_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[set[int]] = []
    at_once = 0

    async def read(work: Any, due: Collection[int]) -> dict[int, PlayerState]:
        nonlocal at_once
        at_once += 1
        assert at_once == 1, "two reads at the same time"
        reads.append(set(due))
        await asyncio.sleep(0.05)
        at_once -= 1
        seek = OwnSeek("s", "six-in-a-row", None, 0, False)
        return {pk: PlayerState(OwnFrame(seeks=(seek,))) for pk in due}

    async def flood() -> None:
        # Each player has a tab that gets no frames, so that only the reads are counted.
        tabs = PlayerTabs(lambda pk: [_Tab()], lambda: None)  # type: ignore[list-item]
        tabs.soon(range(300))
        for _ in range(CHANGES):
            tabs.seek_changed("six-in-a-row", ["gone"])
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.5)  # until the last read

    monkeypatch.setattr(player_tabs, "in_db_for_reading", read)
    began = time.monotonic()
    asyncio.run(flood())
    took = time.monotonic() - began
    assert all(players == set(range(300)) for players in reads)
    # A read takes 50 ms and is followed by as long a pause, so these changes share some ten reads,
    # and more only if they take longer on a busy machine.
    assert 2 <= len(reads) <= took / 0.1 + 3


def test_a_change_during_a_read_is_not_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    reads = []

    async def read(work: Any, due: Collection[int]) -> dict[int, PlayerState]:
        reads.append(set(due))
        if len(reads) == 1:
            tabs.seek_changed("six-in-a-row")  # committed after the query has run
        return dict.fromkeys(due, PlayerState())

    async def run() -> None:
        tabs.soon([1])
        async with asyncio.timeout(PATIENCE):
            while len(reads) < 2:  # noqa: ASYNC110  # the test has no event for it
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)  # in which a third one would follow

    tabs = PlayerTabs(lambda pk: [_Tab()], lambda: None)  # type: ignore[list-item]
    monkeypatch.setattr(player_tabs, "in_db_for_reading", read)
    asyncio.run(run())
    assert reads == [{1}, {1}]


class _Tab:
    shows = "lobby"
