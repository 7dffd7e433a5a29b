"""The journal of one event loop, which commits requests in batches."""

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial

import structlog
from django.conf import settings

from games.journal.publisher import publisher
from games.journal.requests import UNAVAILABLE, Answer, Request
from games.journal.transaction import commit_requests
from games.match.state import MatchState
from games.runtime.db import Unavailable, in_db_with_callback
from games.runtime.fair_queue import FairQueue
from games.runtime.metrics import BATCH, COMMANDS, COMMIT
from games.runtime.per_loop import PerLoop

log = structlog.get_logger(__name__)

_BATCH_SIZE = 500
_BATCH_SIZE_PER_NETWORK = 25  # so that other client networks wait less

_Commit = Future[tuple[list[Answer], list[MatchState]]]


class Journal:
    """A queue that commits requests in batches and publishes the changed states.

    While one batch is being committed, further requests wait for a later one. The journal uses
    plain calls instead of a task and futures, which would take as long as the commit of a move.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._publisher = publisher()
        self._waiting: FairQueue[tuple[Request, Callable[[Answer], None]]] = FairQueue()
        self._is_busy = False
        self._idle = asyncio.Event()  # set while no request is waiting or being committed
        self._idle.set()

    def ask(self, request: Request) -> asyncio.Future[Answer]:
        """Queue a request, and return a future with the answer to it."""
        future: asyncio.Future[Answer] = self._loop.create_future()
        self.submit(request, partial(_give, future))
        return future

    def submit(self, request: Request, answered: Callable[[Answer], None]) -> None:
        """Queue a request, and call `answered` with the answer to it.

        The answer is never an exception: a request that cannot be stored is answered with
        `UNAVAILABLE`.
        """
        self._waiting.put(request.requester, (request, answered))
        if not self._is_busy:
            self._is_busy = True
            self._idle.clear()
            # Not immediately, because other requests may have arrived in this round of the loop.
            self._loop.call_soon(self._commit)

    async def finished(self) -> None:
        """Wait until every request is answered."""
        while self._is_busy:
            await self._idle.wait()

    def _commit(self) -> None:
        """Begin to commit the waiting requests."""
        each = _BATCH_SIZE_PER_NETWORK if settings.RATE_LIMITS else _BATCH_SIZE
        batch = self._waiting.take(_BATCH_SIZE, each)
        if not batch:
            self._is_busy = False
            self._idle.set()
            return
        requests, callbacks = zip(*batch, strict=True)
        committed = partial(self._committed, callbacks, time.perf_counter())
        try:
            in_db_with_callback(committed, commit_requests, requests)
        except Exception:  # for example, a `RuntimeError`, because the thread has been stopped
            log.exception("batch failed", part="journal")
            self._answer(callbacks, [UNAVAILABLE] * len(callbacks))
            self._loop.call_soon(self._commit)

    def _committed(
        self, callbacks: Sequence[Callable[[Answer], None]], began: float, done: _Commit
    ) -> None:
        """Publish the changed states, answer the requests, and go on with the next batch."""
        took = time.perf_counter() - began
        answers: Sequence[Answer] = [UNAVAILABLE] * len(callbacks)
        changed: Sequence[MatchState] = []
        error = done.exception()  # `result` would raise it, even if it is no `Exception`
        if error is None:
            answers, changed = done.result()
        elif not isinstance(error, Unavailable):  # `Unavailable` is logged where it is raised
            log.error("batch failed", part="journal", exc_info=error)
        try:
            self._publisher.publish(changed)
            COMMIT.observe(took)
            _count(answers)
        except Exception:  # the requesters must still get their answers
            log.exception("publishing failed", part="journal")
        try:
            self._answer(callbacks, answers)
        finally:  # otherwise, no later request would ever be answered
            self._commit()

    def _answer(
        self, callbacks: Sequence[Callable[[Answer], None]], answers: Sequence[Answer]
    ) -> None:
        for answered, answer in zip(callbacks, answers, strict=True):
            try:
                answered(answer)
            except Exception:  # the others must still get their answers
                log.exception("answer failed", part="journal")


def _give(future: asyncio.Future[Answer], answer: Answer) -> None:
    if not future.done():  # otherwise, the requester no longer waits
        future.set_result(answer)


def _count(answers: Sequence[Answer]) -> None:
    refused = sum(answer.refusal is not None for answer in answers)
    BATCH.observe(len(answers))
    COMMANDS.labels("refused").inc(refused)
    COMMANDS.labels("accepted").inc(len(answers) - refused)


journal = PerLoop(Journal)
"""The journal of the running event loop."""
