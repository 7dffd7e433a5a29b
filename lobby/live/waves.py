"""The waves of the pools. In a wave, a server pairs the available players of a pool by rating.

Each server with waiting players leases and runs waves that are due according to the database, from
any pool. A wave is therefore run even if the server that has run the pool's earlier waves stops.
"""

import asyncio
from typing import Protocol

from games.runtime.db import in_db_for_people, in_db_for_reading
from games.runtime.pubsub import pubsub
from games.runtime.tasks import Repeated
from lobby.live.availability import AvailabilityCheck
from lobby.seeks import matchmaking, pool
from lobby.seeks.matchmaking import Candidate, SeekPairing
from lobby.seeks.pool import Pair, Wave, pair_seekers

_LONGEST_PAUSE = 0.5  # seconds between two checks for due waves
_PAIRS_PER_LEASE = 25


class WaveRoom(Protocol):
    """The methods of `lobby.live.room.LobbyRoom` that a wave needs."""

    async def paired(self, pairing: SeekPairing) -> None:
        """Notify the waiting tabs of both players, on this server and on the others."""
        ...


class Waves:
    """The waves that this server runs while players wait in a pool."""

    def __init__(self, room: WaveRoom, meetings: AvailabilityCheck) -> None:
        self._room, self._meetings = room, meetings
        self._is_asked = self._is_awaited = False
        self._rounds = Repeated("waves", self._round, _LONGEST_PAUSE, goes_on=self._goes_on)

    def start(self) -> None:
        """Start running waves, because a player here is waiting."""
        self._is_asked = True
        self._rounds.start()

    def _goes_on(self) -> bool:
        return self._is_asked or self._is_awaited

    async def _round(self) -> float:
        self._is_asked = False
        due, soon = await in_db_for_people(pool.lease_waves)
        self._is_awaited = soon is not None
        for wave in due:
            pubsub().soon(self._run(wave))  # other pools do not wait for this wave
        return _LONGEST_PAUSE if soon is None else min(soon, _LONGEST_PAUSE)

    async def _run(self, wave: Wave) -> None:
        try:
            for place, (one, other) in enumerate(await self._pairs(wave)):
                if place % _PAIRS_PER_LEASE == 0:
                    held = await in_db_for_people(pool.renew_lease, wave)
                    if held is None:
                        return  # the lease has expired, and another server has the wave
                    wave = held
                pairing = await in_db_for_people(matchmaking.pair_seeks, one.seek_id, other.seek_id)
                if pairing is not None:
                    await self._room.paired(pairing)
        finally:
            await in_db_for_people(pool.end_wave, wave)

    async def _pairs(self, wave: Wave) -> list[Pair]:
        """Return the pairs of this wave, formed from the waiting players who are available."""
        waiting, apart = await in_db_for_reading(pool.list_seekers, wave.setup)
        if len(waiting) < 2:
            return []
        there = await self._meetings.who_is_there(
            [Candidate(each.seek_id, each.player_id) for each in waiting]
        )
        present = [each for each in waiting if each.seek_id in there]
        return await asyncio.to_thread(pair_seekers, present, apart)
