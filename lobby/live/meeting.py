"""Pairing those who are there. Whoever waits is asked first: nobody is paired with an empty chair.

A connection may be open and nobody at its end: a laptop that sleeps, a network that is gone. So
each tab of the player is spoken to, here, or by the server that holds it, and one has to answer.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Protocol

from games.runtime.db import in_db, in_db_for_reading
from games.words.refusal import Refused
from lobby.live.tabs import Tab
from lobby.models import Seek
from lobby.seeks import matchmaking
from lobby.seeks.matchmaking import Candidate, Pairing

_HERE = 2.0  # seconds for a tab of this server to answer
_ELSEWHERE = 3.0  # the same through another server, which may have missed the hint
_FIRST = 0.3  # seconds for which only the one who waits longest is considered
_LISTEN = 0.02  # seconds between two looks whether a tab has answered
_READ = 0.15  # seconds between two looks whether a server has


class Lobby(Protocol):
    """What is needed of the lobby (`lobby.live.room`) in order to pair those who are there."""

    def sockets_of(self, player_id: int) -> list[Tab]:
        """The player's tabs at this server."""
        ...

    def tell_asked(self, player_id: int) -> None:
        """Let the other servers know that somebody asks whether the player is there."""
        ...

    async def paired(self, pairing: Pairing) -> None:
        """Tell the tabs that wait, here and at the other servers."""
        ...


class Meetings:
    """The pairings that this server is trying."""

    def __init__(self, room: Lobby) -> None:
        self._room = room
        self._trying: set[str] = set()  # seeks

    async def try_to_pair(self, seek: Seek) -> None:
        """Pair an open seek with the first who waits for the same and is there."""
        if seek.pk in self._trying:
            return
        self._trying.add(seek.pk)
        try:
            await self._try(seek)
        finally:
            self._trying.discard(seek.pk)

    async def _try(self, seek: Seek) -> None:
        candidates = await in_db(matchmaking.candidates, seek)
        if not candidates:
            return
        # Both are asked, at the same time: a seek may be tried again long after it was made.
        own = asyncio.ensure_future(self._is_here(seek.player_id))
        async with aclosing(self._there(candidates)) as there:
            async for candidate in there:
                if not await own:
                    return
                pairing = await in_db(matchmaking.pair, seek.pk, candidate.seek_id)
                if pairing is not None:
                    await self._room.paired(pairing)
                    return

    async def join(self, player_id: int, seek_id: str) -> Pairing:
        """Take up somebody's seek. Raises `Refused`: it is gone, or nobody is there any more."""
        found = await in_db(matchmaking.joinable, player_id, seek_id)
        asked = Candidate(found.pk, found.player_id)
        if not found.by_address and not await self._is_there(asked):
            raise Refused("taken")
        return await in_db(matchmaking.join, player_id, seek_id)

    async def answer(self, seeks: Sequence[Seek]) -> None:
        """Say of these seeks' players whether they are there: another server asks."""
        await asyncio.gather(*(self._answer(seek) for seek in seeks))

    async def _answer(self, seek: Seek) -> None:
        if await self._is_here(seek.player_id):
            await in_db(matchmaking.answer, seek.pk, seek.asks)

    async def _there(self, candidates: Sequence[Candidate]) -> AsyncGenerator[Candidate]:
        """Those who answer. At first only the longest waiting one; then whoever was quicker."""
        tasks = {asyncio.ensure_future(self._is_there(each)): each for each in candidates}
        began = time.monotonic()
        try:
            while tasks:
                first = next(iter(tasks))
                left = began + _FIRST - time.monotonic()
                if left > 0:
                    done, _ = await asyncio.wait([first], timeout=left)
                else:
                    done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in [task for task in tasks if task in done]:
                    candidate = tasks.pop(task)
                    if task.result():
                        yield candidate
        finally:
            for task in tasks:
                task.cancel()

    async def _is_there(self, candidate: Candidate) -> bool:
        return await self._is_here(candidate.player_id) or await self._is_elsewhere(candidate)

    async def _is_here(self, player_id: int) -> bool:
        """Whether a tab of the player at this server answers."""
        sockets = self._room.sockets_of(player_id)
        if not sockets:
            return False
        asked_at = time.monotonic()
        for socket in sockets:
            await socket.ask_whether_there()
        for _ in range(int(_HERE / _LISTEN)):  # counted in turns of the loop, should it be held up
            if any(socket.last_heard() > asked_at for socket in sockets if socket.is_open):
                return True
            if not any(socket.is_open for socket in sockets):
                return False
            await asyncio.sleep(_LISTEN)
        return False

    async def _is_elsewhere(self, candidate: Candidate) -> bool:
        """Whether one at another server does."""
        number = await in_db(matchmaking.ask, candidate.seek_id)
        if number is None:
            return False
        self._room.tell_asked(candidate.player_id)
        for _ in range(int(_ELSEWHERE / _READ)):
            if await in_db_for_reading(matchmaking.is_answered, candidate.seek_id, number):
                return True
            await asyncio.sleep(_READ)
        return False
