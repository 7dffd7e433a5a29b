"""Background work that a process repeats: one supervised loop for all of it."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import structlog

from games.runtime.db import Unavailable

log = structlog.get_logger(__name__)


def _always() -> bool:
    return True


class Repeated:
    """Repeats a piece of work every `every` seconds. A round that fails is logged, and the next one
    comes all the same.

    The loop ends when `goes_on` is no longer true; `start` begins it again. `part` is its name in
    the log.
    """

    def __init__(
        self,
        part: str,
        work: Callable[[], Awaitable[object]],
        every: float,
        goes_on: Callable[[], bool] = _always,
    ) -> None:
        self._part = part
        self._work = work
        self._every = every
        self._goes_on = goes_on
        self._called = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Run the loop on this event loop, unless it is running."""
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self.run())

    def call(self) -> None:
        """Begin the next round at once."""
        self._called.set()

    async def run(self) -> None:
        """Run until cancelled, or until `goes_on` is false. While the database is away, go on
        trying."""
        while self._goes_on():
            self._called.clear()
            try:
                await self._work()
            except Unavailable:
                pass  # counted and logged where it was raised
            except Exception:
                log.exception("round failed", part=self._part)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._called.wait(), self._every)
