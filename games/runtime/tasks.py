"""Work that a process does again and again beside its sockets: one supervised loop for all."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import structlog

from games.runtime.db import Unavailable

log = structlog.get_logger(__name__)


def _always() -> bool:
    return True


class Repeated:
    """Does a piece of work every so many seconds. A round that fails is logged; the next one comes.

    `goes_on` ends the loop when it is no longer true; `start` begins it anew. `part` is its name in
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
        """Have it run on this event loop, if it does not."""
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self.run())

    def call(self) -> None:
        """Have the next round come at once."""
        self._called.set()

    async def run(self) -> None:
        """Go on until cancelled, or until it need not go on. A database that is away is awaited."""
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
