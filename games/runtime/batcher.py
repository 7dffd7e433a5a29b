"""Batching of requests that is fair to the requesters."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

import structlog
from django.conf import settings

from games.runtime.fair_queue import SITE, FairQueue, Requester

log = structlog.get_logger(__name__)

Q = TypeVar("Q")
A = TypeVar("A")


class Batcher(Generic[Q, A]):
    """A collector of questions on one event loop, which answers them in batches.

    While one batch is being answered, further questions wait for a later one.

    `work` gets at most `most` questions, and at most `each` from one network (unless rate limits
    are off). It returns the answers in the same order. An answer that is an exception is raised for
    its requester. If `work` fails, the requesters of the batch get the result of `lost()`, which
    may also be an exception. If `work` is cancelled, all waiting requesters get that result.

    If `skips_gone` is true, the question of a future that is done is dropped. `part` is the name of
    the batcher in the log.
    """

    def __init__(
        self,
        part: str,
        work: Callable[[list[Q]], Awaitable[Sequence[A | Exception]]],
        lost: Callable[[], A | Exception],
        most: int,
        each: int,
        skips_gone: bool = False,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._part = part
        self._work = work
        self._lost = lost
        self._most, self._each = most, each
        self._skips_gone = skips_gone
        self._waiting: FairQueue[tuple[Q, asyncio.Future[A]]] = FairQueue()
        self._turning: asyncio.Task[None] | None = None

    def ask(self, question: Q, requester: Requester = SITE) -> asyncio.Future[A]:
        """Submit a question, and return a future for the answer."""
        future: asyncio.Future[A] = self._loop.create_future()
        self._waiting.put(requester, (question, future))
        if self._turning is None:
            self._turning = self._loop.create_task(self._turn())
            self._turning.add_done_callback(self._turned)
        return future

    async def finished(self) -> None:
        """Wait until no question is waiting or being answered."""
        while self._turning is not None:
            await asyncio.wait({self._turning})

    async def _turn(self) -> None:
        batch: list[tuple[Q, asyncio.Future[A]]] = []
        try:
            while self._waiting:
                each = self._each if settings.RATE_LIMITS else self._most
                batch = self._waiting.take(self._most, each)
                if self._skips_gone:
                    batch = [asked for asked in batch if not asked[1].done()]
                if batch:
                    await self._answer(batch)
        finally:
            self._end_turn(batch)

    def _turned(self, turning: asyncio.Task[None]) -> None:
        if self._turning is turning:  # the task was cancelled before it began
            self._end_turn([])

    def _end_turn(self, batch: Sequence[tuple[Q, asyncio.Future[A]]]) -> None:
        """Answer all remaining requesters when the turn ends, even if the turn was cancelled."""
        waiting, self._turning = len(self._waiting), None
        for _, future in [*batch, *self._waiting.take(waiting, waiting)]:
            _give(future, self._lost())

    async def _answer(self, batch: Sequence[tuple[Q, asyncio.Future[A]]]) -> None:
        try:
            answers = await self._work([question for question, _ in batch])
            for (_, future), answer in zip(batch, answers, strict=True):
                _give(future, answer)
        except Exception:
            log.exception("batch failed", part=self._part, questions=len(batch))
            for _, future in batch:
                _give(future, self._lost())


def _give(future: asyncio.Future[A], answer: A | Exception) -> None:
    if future.done():
        return  # it has its answer already, or the requester no longer waits
    if isinstance(answer, Exception):
        future.set_exception(answer)
    else:
        future.set_result(answer)
