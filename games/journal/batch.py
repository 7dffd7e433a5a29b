"""Collects what the sockets of one event loop ask, and has it committed together."""

import asyncio
from collections.abc import Callable, Sequence

import structlog
from django.conf import settings

from games.journal.requests import UNAVAILABLE, Answer, Request
from games.journal.transaction import commit
from games.match.state import Row
from games.runtime.db import Unavailable, at_desk
from games.runtime.metrics import BATCH, COMMANDS, COMMIT
from games.runtime.per_loop import PerLoop
from games.runtime.turntaking import Line

log = structlog.get_logger(__name__)

_BATCH = 500  # the most commands in one transaction
_EACH = 50  # of one household, so that what a stranger asks meanwhile does not wait for all of them


class Journal:
    """Collects what the sockets of one event loop ask, and commits it together."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.listeners: list[Callable[[Sequence[Row]], None]] = []
        self._waiting: Line[tuple[Request, asyncio.Future[Answer]]] = Line()
        self._turning: asyncio.Task[None] | None = None

    async def ask(self, request: Request) -> Answer:
        """The answer to a request, once it is committed."""
        future: asyncio.Future[Answer] = self._loop.create_future()
        self._waiting.put(request.asker, (request, future))
        if self._turning is None:
            self._turning = self._loop.create_task(self._turn())
            self._turning.add_done_callback(self._turned)
        return await future

    async def finished(self) -> None:
        """Return once nothing waits to be committed."""
        while self._turning is not None:
            await asyncio.shield(self._turning)

    def announce(self, changed: Sequence[Row]) -> None:
        """Tell whoever listens of rows that were committed."""
        for tell in self.listeners:
            try:
                tell(changed)
            except Exception:  # a fault in one listener is no reason not to tell the others
                log.exception("listener failed", part="journal")

    async def _turn(self) -> None:
        batch: list[tuple[Request, asyncio.Future[Answer]]] = []
        try:
            while self._waiting:
                each = _EACH if settings.RATE_LIMITS else _BATCH
                batch = self._waiting.take(_BATCH, each)
                await self._commit(batch)
        except Exception:
            log.exception("turn failed", part="journal")
        finally:
            self._end_turn(batch)

    def _turned(self, turning: asyncio.Task[None]) -> None:
        if self._turning is turning:  # cancelled before it began
            self._end_turn([])

    def _end_turn(self, batch: list[tuple[Request, asyncio.Future[Answer]]]) -> None:
        """However a turn ends, even by being cancelled: nobody is left waiting."""
        waiting, self._turning = len(self._waiting), None
        for _, future in [*batch, *self._waiting.take(waiting, waiting)]:
            _give(future, UNAVAILABLE)

    async def _commit(self, batch: list[tuple[Request, asyncio.Future[Answer]]]) -> None:
        BATCH.observe(len(batch))
        try:
            with COMMIT.time():
                answers, changed = await at_desk(commit, [request for request, _ in batch])
        except Exception as error:  # whatever it is, nobody may be left waiting
            if not isinstance(error, Unavailable):
                log.exception("batch failed", part="journal")
            answers, changed = [UNAVAILABLE] * len(batch), []
        refused = sum(answer.refused is not None for answer in answers)
        COMMANDS.labels("refused").inc(refused)
        COMMANDS.labels("accepted").inc(len(batch) - refused)
        self.announce(changed)
        for (_, future), answer in zip(batch, answers, strict=True):
            _give(future, answer)


def _give(future: asyncio.Future[Answer], answer: Answer) -> None:
    if not future.done():
        future.set_result(answer)


journal = PerLoop(Journal)
"""The journal of the running event loop."""
