"""Presence checks before pairing: a tab of a waiting player must respond before a match begins.

An open connection does not prove that a player is there: a laptop may be asleep, or a network may
have failed. The server that holds a player's tabs therefore asks each of them, and one must
respond. Questions to other servers are stored with the seek. Players who created an invitation are
not checked.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import aclosing
from datetime import timedelta
from typing import Protocol

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from games.messages.refusal import Refused
from games.runtime.db import in_db_for_people, in_db_for_reading
from games.runtime.pubsub import get_server_id, pubsub
from lobby.live.tabs import Tab
from lobby.models import Seek
from lobby.seeks import matchmaking
from lobby.seeks.matchmaking import Candidate, SeekPairing
from lobby.seeks.offers import get_listed_seeks

_TIMEOUT_HERE = 2.0  # seconds
_TIMEOUT_ELSEWHERE = 3.0  # seconds; longer, because the hint to the other server may be lost
# Seconds in which only the player who has waited longest can be chosen. In a wave, they pass before
# other servers are asked about players who also have a tab here.
_FIRST_STAGE = 0.3
_TIMEOUT_IN_WAVE = 1.0  # seconds; players who respond later join the next wave
_READ_EVERY = 0.15  # seconds between two reads of the answers from other servers


class PairingRoom(Protocol):
    """The methods of `lobby.live.room.LobbyRoom` that pairing needs."""

    def sockets_of(self, player_id: int) -> list[Tab]:
        """Return the player's tabs on this server."""
        ...

    def tell_asked(self, player_ids: Collection[int]) -> None:
        """Ask the other servers to check whether these players are there."""
        ...

    async def paired(self, pairing: SeekPairing) -> None:
        """Notify the waiting tabs of both players, on this server and on the others."""
        ...


log = structlog.get_logger(__name__)

LISTEN = 0.02  # seconds between two polls


class _Wait:
    """A caller that is waiting for one of several tabs to respond."""

    def __init__(self, tabs: Sequence[Tab], seconds: float) -> None:
        self.tabs = tabs
        self.since = time.monotonic()
        # This is a number of polls and not a time, because the loop may be slow.
        self.looks = int(seconds / LISTEN)
        self.answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def look(self) -> None:
        """Set the result if a tab has responded, or if no tab can respond in time."""
        self.looks -= 1
        open_ = [tab for tab in self.tabs if tab.is_open]
        if any(tab.last_heard() > self.since for tab in open_):
            self.answer.set_result(True)
        elif not open_ or self.looks <= 0:
            self.answer.set_result(False)


class Listening:
    """The callers in this process that are waiting for responses, with a shared poll every 20 ms.

    If each caller had a task of its own that polls as often, a hundred callers would use a tenth of
    a processor.
    """

    def __init__(self) -> None:
        self._waiting: list[_Wait] = []
        self._is_looking = False

    async def hears(self, tabs: Sequence[Tab], seconds: float) -> bool:
        """Ask these tabs to respond, and return whether one of them does so in time."""
        wait = _Wait(tabs, seconds)
        for tab in tabs:
            tab.ask_whether_there()
        self._waiting.append(wait)
        if not self._is_looking:
            self._is_looking = True
            pubsub().soon(self._look())
        return await wait.answer

    async def _look(self) -> None:
        try:
            while self._waiting:
                await asyncio.sleep(LISTEN)
                self._waiting = [wait for wait in self._waiting if self._is_open(wait)]
        finally:
            self._is_looking = False
            left, self._waiting = self._waiting, []
            for wait in left:  # the server is shutting down
                wait.answer.cancel()

    def _is_open(self, wait: _Wait) -> bool:
        if not wait.answer.done():  # otherwise, the caller was cancelled
            try:
                wait.look()
            except Exception:  # an error in one tab must not affect the others
                log.exception("listening failed")
                wait.answer.set_result(False)
        return not wait.answer.done()


class AvailabilityCheck:
    """The presence checks of this server, and the pairings that it is trying to make."""

    def __init__(self, room: PairingRoom) -> None:
        self._room = room
        self._trying: set[str] = set()  # ids of the seeks that are being paired
        self._listening = Listening()

    async def try_to_pair(self, seek: Seek) -> None:
        """Pair an open seek with the first available player who seeks the same setup.

        Do nothing if this is already in progress for the seek.
        """
        if seek.pk in self._trying:
            return
        self._trying.add(seek.pk)
        try:
            await self._try(seek)
        finally:
            self._trying.discard(seek.pk)

    async def _try(self, seek: Seek) -> None:
        candidates = await in_db_for_people(matchmaking.list_candidates, seek)
        if not candidates:
            return
        # Check both players at the same time, because this seek may also be old.
        own = asyncio.ensure_future(self._is_here(seek.player_id))
        async with aclosing(self._there(candidates)) as there:
            async for candidate in there:
                if not await own:
                    return
                pairing = await in_db_for_people(matchmaking.pair_seeks, seek.pk, candidate.seek_id)
                if pairing is not None:
                    await self._room.paired(pairing)
                    return

    async def join(self, player_id: int, seek_id: str) -> SeekPairing:
        """Join another player's seek.

        Raise `Refused` if the seek is gone, if its player is away (unless it is an invitation), or
        if the player may not join it.
        """
        found = await in_db_for_people(matchmaking.get_joinable_seek, player_id, seek_id)
        asked = Candidate(found.pk, found.player_id)
        if not found.by_address and not await self._is_there(asked):
            raise Refused("taken")
        return await in_db_for_people(matchmaking.join_seek, player_id, seek_id)

    async def answer(self, seeks: Sequence[Seek]) -> None:
        """Answer other servers' questions about those seeks whose players are present here."""
        tasks = {asyncio.ensure_future(self._is_here(seek.player_id)): seek.pk for seek in seeks}
        while tasks:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            answered = [(tasks.pop(task), task.result()) for task in done]
            here = [seek_id for seek_id, is_here in answered if is_here]
            if here:
                await in_db_for_people(answer_questions, here)

    async def who_is_there(self, candidates: Sequence[Candidate]) -> set[str]:
        """Return the ids of the seeks whose players have a tab that responds within a second."""
        asking = _Asking(candidates, self._room)
        await asking.ask_here()
        # Count polls and not time, because the loop may be slow.
        for turn in range(int(_TIMEOUT_IN_WAVE / LISTEN)):
            asking.listen()
            if turn in (0, int(_FIRST_STAGE / LISTEN)):
                await asking.ask_elsewhere(only_strangers=turn == 0)
            if turn % int(_READ_EVERY / LISTEN) == 0:
                await asking.read()
            if asking.is_done:
                break
            await asyncio.sleep(LISTEN)
        return asking.there

    async def _there(self, candidates: Sequence[Candidate]) -> AsyncGenerator[Candidate]:
        """Yield the candidates whose players respond, in the order of their responses.

        For the first `_FIRST_STAGE` seconds, wait only for the one who has waited longest.
        """
        tasks = {asyncio.ensure_future(self._is_there(each)): each for each in candidates}
        began = time.monotonic()
        try:
            while tasks:
                first = next(iter(tasks))
                left = began + _FIRST_STAGE - time.monotonic()
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
        """Return whether a tab of the player on this server responds in time."""
        tabs = self._room.sockets_of(player_id)
        return bool(tabs) and await self._listening.hears(tabs, _TIMEOUT_HERE)

    async def _is_elsewhere(self, candidate: Candidate) -> bool:
        """Return whether a tab of the player on another server responds in time."""
        asked = await in_db_for_people(create_questions, [candidate.seek_id])
        if not asked:
            return False
        self._room.tell_asked([candidate.player_id])
        for _ in range(int(_TIMEOUT_ELSEWHERE / _READ_EVERY)):
            if await in_db_for_reading(get_answered_seeks, asked):
                return True
            await asyncio.sleep(_READ_EVERY)
        return False


class _Asking:
    """A presence check of many players at the same time."""

    def __init__(self, candidates: Sequence[Candidate], room: PairingRoom) -> None:
        self.there: set[str] = set()
        self._room = room
        self._open = {each.seek_id: each.player_id for each in candidates}
        self._tabs = {each.player_id: room.sockets_of(each.player_id) for each in candidates}
        self._numbers: dict[str, int] = {}  # the numbers of the questions to other servers, by seek

    async def ask_here(self) -> None:
        self._asked_at = time.monotonic()
        for tabs in self._tabs.values():
            for tab in tabs:
                tab.ask_whether_there()

    def listen(self) -> None:
        """Record the players whose tabs on this server have responded."""
        for seek_id, player_id in list(self._open.items()):
            tabs = self._tabs[player_id]
            if any(tab.last_heard() > self._asked_at for tab in tabs if tab.is_open):
                self._found(seek_id)

    async def ask_elsewhere(self, only_strangers: bool) -> None:
        """Ask other servers about the players who have not responded.

        Skip those who were asked about before and, if `only_strangers` is true, those who have a
        tab on this server.
        """
        asked = {
            seek_id: player_id
            for seek_id, player_id in self._open.items()
            if seek_id not in self._numbers and not (only_strangers and self._tabs[player_id])
        }
        if asked:
            self._numbers |= await in_db_for_people(create_questions, list(asked))
            self._room.tell_asked(list(asked.values()))

    async def read(self) -> None:
        """Record the players whose tabs on other servers have responded."""
        numbers = {pk: number for pk, number in self._numbers.items() if pk in self._open}
        if numbers:
            for seek_id in await in_db_for_reading(get_answered_seeks, numbers):
                self._found(seek_id)

    @property
    def is_done(self) -> bool:
        """Return whether no more responses can arrive."""
        return not any(
            seek_id in self._numbers or any(tab.is_open for tab in self._tabs[player_id])
            for seek_id, player_id in self._open.items()
        )

    def _found(self, seek_id: str) -> None:
        self.there.add(seek_id)
        del self._open[seek_id]


def create_questions(seek_ids: Collection[str]) -> dict[str, int]:
    """Ask the other servers whether the players of these seeks are present.

    Return a dictionary that maps the id of each seek that is still open to the number of its
    question. It is empty if there is no other server.
    """
    if not _has_other_servers():
        return {}
    with transaction.atomic():
        open_ = Seek.objects.filter(pk__in=seek_ids, match=None)
        wanted = list(open_.select_for_update().order_by("pk").values_list("pk", flat=True))
        Seek.objects.filter(pk__in=wanted).update(asks=F("asks") + 1)
        return dict(Seek.objects.filter(pk__in=wanted).values_list("pk", "asks"))


def get_answered_seeks(numbers: Mapping[str, int]) -> set[str]:
    """Return the ids of the seeks for which a server has answered the question or a later one."""
    rows = Seek.objects.filter(pk__in=numbers, answers__gt=0).values_list("pk", "answers")
    return {pk for pk, number in rows if number >= numbers[pk]}


def list_questioned_seeks(player_ids: set[int]) -> list[Seek]:
    """Return the open seeks of these players that have an unanswered question."""
    return list(get_listed_seeks().filter(player_id__in=player_ids, asks__gt=F("answers")))


def answer_questions(seek_ids: Collection[str]) -> None:
    """Answer all open questions about these seeks: their players are present."""
    with transaction.atomic():
        asked_ = Seek.objects.filter(pk__in=seek_ids, answers__lt=F("asks"))
        wanted = list(asked_.select_for_update().order_by("pk").values_list("pk", flat=True))
        Seek.objects.filter(pk__in=wanted).update(answers=F("asks"))


def _has_other_servers() -> bool:
    alive = timezone.now() - timedelta(seconds=settings.PRESENCE_TIMEOUT_SECONDS)
    # Plain SQL, because this runs for each player who may be paired.
    with connection.cursor() as cursor:
        since = connection.ops.adapt_datetimefield_value(alive)
        cursor.execute(_OTHERS, [since, get_server_id()])
        return cursor.fetchone() is not None


_OTHERS = "SELECT 1 FROM lobby_server WHERE seen_at >= %s AND id <> %s LIMIT 1"
