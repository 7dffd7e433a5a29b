"""Work that a process repeats in the background.

A background loop is a `Repeated`: it is a single task on its event loop, continues after an
exception, is counted in the metrics, and is stopped by `end_loops`. A loop that finds long pieces
of work can run them as `KeyedJobs`.
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
"""Seconds that a process may take to stop before it ends itself. systemd kills a server after 30
seconds."""

K = TypeVar("K")


def _always() -> bool:
    return True


def _nothing() -> None:
    pass


class Repeated:
    """A piece of work that is repeated, with a pause of `every` seconds after each round.

    `part` names the work in the log and in the metrics. `work` may return another pause, in
    seconds. A failed round is logged and counted, and the next round follows after `every` seconds.
    `Unavailable` is only counted, because it was logged where it was raised.

    The first round begins `first` seconds after the start. The loop ends when `goes_on` returns
    False or `stop` is called. It then calls `at_end`, and `start` can start it again.
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
        """Start on the running event loop. Return False if the loop is already running."""
        if self.is_running:
            return False
        self._task = asyncio.get_running_loop().create_task(self._run())
        _started().add(self)
        return True

    def call(self) -> None:
        """Begin the next round immediately, or as soon as the current round has ended."""
        self._called.set()

    async def stop(self) -> None:
        """Stop the loop.

        A round in progress is cancelled, but its current transaction is completed.
        """
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
        """Do one round and return the seconds until the next one."""
        pause, outcome = None, "done"
        try:
            pause = await self._work()
        except Unavailable:
            outcome = "unavailable"
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            # The work awaited something that was cancelled, but this loop was not.
            outcome = "failed"
            log.exception("round failed", part=self._part)
        except Exception:
            outcome = "failed"
            log.exception("round failed", part=self._part)
        ROUNDS.labels(self._part, outcome).inc()
        return self._every if pause is None else pause

    async def _pause(self, seconds: float) -> None:
        timer = asyncio.get_running_loop().call_later(seconds, self._called.set)
        try:
            await self._called.wait()
        finally:
            timer.cancel()


_started: PerLoop[set[Repeated]] = PerLoop(set)
"""The active loops on the running event loop."""


async def end_loops() -> None:
    """Stop all loops on this event loop, and wait until they have ended."""
    await asyncio.gather(*(each.stop() for each in list(_started())))


def exit_within(seconds: float) -> None:
    """End this process after `seconds` if it has not ended by then, whatever its threads do.

    Python waits for threads without a time limit. If this function has to end them, their stacks
    are written to standard error.
    """

    def end() -> None:
        faulthandler.dump_traceback(all_threads=True)
        sys.stdout.flush()
        os._exit(1)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()


class KeyedJobs(Generic[K]):
    """Concurrent jobs with keys, so that a slow job does not delay others.

    Only one job for each key runs at a time. `part` is the name of the jobs in the log. A failed
    job is logged; the lease of its row then expires, and the job is done again.
    """

    def __init__(self, part: str) -> None:
        self._part = part
        self._tasks: dict[K, asyncio.Task[None]] = {}

    @property
    def keys(self) -> list[K]:
        """The keys of the jobs that are running."""
        return list(self._tasks)

    def start(self, key: K, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Start a job, unless a job with that key is running."""
        if key not in self._tasks:
            self._tasks[key] = asyncio.get_running_loop().create_task(self._do(key, work))

    async def _do(self, key: K, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await work()
        except Unavailable:
            pass  # the failure was counted and logged where it was raised
        except Exception:
            log.exception("job failed", part=self._part, key=key)
        finally:
            del self._tasks[key]
