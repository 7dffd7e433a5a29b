"""Work that a process repeats beside its sockets: one supervised loop serves all of it.

Everything that runs in the background is a `Repeated`: it is started once for each event loop, goes
on after a fault, is counted in the metrics, and ends with `end_loops`. One that takes up work which
may last gives each piece to its `Jobs`.
"""

import asyncio
import faulthandler
import os
import sys
import threading
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Generic, TypeVar

import structlog

from games.runtime.db import Unavailable
from games.runtime.metrics import ROUNDS
from games.runtime.per_loop import PerLoop

log = structlog.get_logger(__name__)

EXIT_SECONDS = 25.0
"""How long a process may take to stop before it is ended by force. systemd kills it after 30."""

K = TypeVar("K")


def _always() -> bool:
    return True


def _nothing() -> None:
    pass


class Repeated:
    """Does a piece of work again and again, with a pause of `every` seconds after each round.

    `part` is its name in the log and in the metrics. `work` may return another pause, in seconds.
    A round that fails is logged and counted, and the next one follows after `every`. While the
    database is away the rounds simply go on: that is counted and logged where it was raised.

    The first round comes `first` seconds after the start. The loop ends when `goes_on` is no longer
    true, or by `stop`; `at_end` is called then, and `start` begins it anew.
    """

    def __init__(
        self,
        part: str,
        work: Callable[[], Awaitable[float | None]],
        every: float,
        *,
        first: float = 0.0,
        goes_on: Callable[[], bool] = _always,
        at_end: Callable[[], None] = _nothing,
    ) -> None:
        self._part = part
        self._work = work
        self._every = every
        self._first = first
        self._goes_on = goes_on
        self._at_end = at_end
        self._called = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def is_running(self) -> bool:
        return self._task is not None and not self._task.done()

    def start(self) -> bool:
        """Begin, on the running event loop. False where it is running already."""
        if self.is_running:
            return False
        self._task = asyncio.get_running_loop().create_task(self._run())
        _started().add(self)
        return True

    def call(self) -> None:
        """Have the next round follow at once."""
        self._called.set()

    async def stop(self) -> None:
        """End it. A round that is under way is cancelled; a transaction of it is completed."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        try:
            if self._first:
                await self._pause(self._first)
            while self._goes_on():
                self._called.clear()
                await self._pause(await self._round())
        finally:
            _started().discard(self)
            self._at_end()

    async def _round(self) -> float:
        """Do the work once; the seconds until the next round."""
        pause, outcome = None, "done"
        try:
            pause = await self._work()
        except Unavailable:
            outcome = "unavailable"
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            # Not this loop was cancelled, but something that its work waited for.
            outcome = "failed"
            log.exception("round failed", part=self._part)
        except Exception:
            outcome = "failed"
            log.exception("round failed", part=self._part)
        ROUNDS.labels(self._part, outcome).inc()
        return self._every if pause is None else pause

    async def _pause(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._called.wait()
        except TimeoutError:
            pass


_started: PerLoop[set[Repeated]] = PerLoop(set)
"""What is running on the running event loop."""


async def end_loops() -> None:
    """Stop everything that was started on this event loop, and return once it has ended."""
    await asyncio.gather(*(each.stop() for each in list(_started())))


def exit_within(seconds: float) -> None:
    """End this process in `seconds` even if some of its threads never finish. Python waits for
    threads without a time limit. The log then shows what they were doing."""

    def end() -> None:
        faulthandler.dump_traceback(all_threads=True)
        sys.stdout.flush()
        os._exit(1)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()


class KeyedJobs(Generic[K]):
    """Pieces of work side by side, one at a time for each key: none waits for a slow one.

    `part` is their name in the log. One that fails is logged; whoever leased its row lets the lease
    run out, and so it is done again.
    """

    def __init__(self, part: str) -> None:
        self._part = part
        self._tasks: dict[K, asyncio.Task[None]] = {}

    @property
    def keys(self) -> list[K]:
        """Those whose work goes on."""
        return list(self._tasks)

    def start(self, key: K, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Begin a piece of work, unless one of that key goes on."""
        if key not in self._tasks:
            self._tasks[key] = asyncio.get_running_loop().create_task(self._do(key, work))

    async def _do(self, key: K, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await work()
        except Unavailable:
            pass  # it was counted and logged where it was raised
        except Exception:
            log.exception("job failed", part=self._part, key=key)
        finally:
            del self._tasks[key]
