"""The journal of one event loop, which commits requests in batches."""

import asyncio
from collections.abc import Callable, Sequence

import structlog

from games.journal.publisher import publisher
from games.journal.requests import UNAVAILABLE, Answer, Request
from games.journal.transaction import commit_requests
from games.match.state import MatchState
from games.runtime.batcher import Batcher
from games.runtime.db import Unavailable, in_db
from games.runtime.metrics import BATCH, COMMANDS, COMMIT
from games.runtime.per_loop import PerLoop

log = structlog.get_logger(__name__)

_BATCH_SIZE = 500
_BATCH_SIZE_PER_NETWORK = 25  # so that other client networks wait less


class Journal:
    """A queue that commits requests in batches and publishes the changed states."""

    def __init__(self) -> None:
        self._publisher = publisher()
        self._batcher: Batcher[Request, Answer] = Batcher(
            "journal",
            self._commit,
            lost=lambda: UNAVAILABLE,
            most=_BATCH_SIZE,
            each=_BATCH_SIZE_PER_NETWORK,
        )

    def ask(self, request: Request) -> asyncio.Future[Answer]:
        """Queue a request, and return a future with the answer to it."""
        return self._batcher.ask(request, request.requester)

    def submit(self, request: Request, answered: Callable[[Answer], None]) -> None:
        """Queue a request, and call `answered` with the answer to it.

        The answer is never an exception: a request that cannot be stored is answered with
        `UNAVAILABLE`.
        """
        self._batcher.submit(request, request.requester, answered)

    async def finished(self) -> None:
        """Wait until every request is answered."""
        await self._batcher.finished()

    async def _commit(self, requests: list[Request]) -> Sequence[Answer]:
        BATCH.observe(len(requests))
        answers: Sequence[Answer]
        changed: Sequence[MatchState]
        try:
            with COMMIT.time():
                answers, changed = await in_db(commit_requests, requests)
        except Exception as error:
            if not isinstance(error, Unavailable):  # `Unavailable` is logged where it is raised
                log.exception("batch failed", part="journal")
            answers, changed = [UNAVAILABLE] * len(requests), []
        refused = sum(answer.refusal is not None for answer in answers)
        COMMANDS.labels("refused").inc(refused)
        COMMANDS.labels("accepted").inc(len(requests) - refused)
        self._publisher.publish(changed)
        return answers


journal = PerLoop(Journal)
"""The journal of the running event loop."""
