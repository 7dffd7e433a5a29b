"""Worker processes that run the bots, so that the event loop stays free.

Each worker is a `python -m games.bots` process, connected by a socket pair. If a worker dies or
hangs, another one replaces it, and the caller can retry the job. (The process pool of
`concurrent.futures` breaks when one process dies, and cannot end a process that hangs.)
"""

import asyncio
import socket
import subprocess  # nosec B404  # it only runs our own module
import sys
from contextlib import suppress
from typing import Any

import structlog
from django.conf import settings
from msgspec import json

import games.bots

log = structlog.get_logger(__name__)

# Timeouts of a job in seconds, generous for a busy CPU. A worker's first job for a game may have to
# compile the game's search.
_PATIENCE, _FIRST_PATIENCE = 30.0, 300.0


class WorkerFailed(Exception):  # noqa: N818  # an expected outcome, not an error
    """The worker could not be started, died, took too long, or answered with an error."""


class Workers:
    """A pool of at most `count` workers, each started when it is first needed."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._places = asyncio.Semaphore(count)

    @property
    def free(self) -> int:
        """Return the number of jobs that could start now."""
        return self.count - len(self._busy)

    async def do(self, **job: Any) -> dict[str, Any]:
        """Run a job (see `games.bots.__main__`) and return its answer.

        Raise `WorkerFailed` if the worker cannot be started, fails or answers with an error.
        """
        async with self._places:
            try:
                answer = await self._ask_worker(job)
            except (OSError, EOFError, ValueError) as error:
                log.warning("worker failed", part="bots", why=type(error).__name__)
                raise WorkerFailed(str(error)) from error
        if "error" in answer:
            log.warning("worker failed", part="bots", why=answer["error"])
            raise WorkerFailed(answer["error"])
        return answer

    async def _ask_worker(self, job: dict[str, Any]) -> dict[str, Any]:
        worker = self._idle.pop() if self._idle else await _Worker.start()
        self._busy.add(worker)
        try:
            answer = await worker.ask(job)
        except BaseException:
            worker.end()
            raise
        finally:
            self._busy.discard(worker)
        self._idle.append(worker)
        return answer

    def end(self) -> None:
        """End all worker processes, even those that are busy."""
        for worker in (*self._idle, *self._busy):
            worker.end()
        self._idle.clear()

    def pids(self) -> list[int]:
        return [worker.pid for worker in (*self._idle, *self._busy)]


class _Worker:
    """One process and the socket to it."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        self._process, self._reader, self._writer = process, reader, writer
        self.pid = process.pid
        self._games: set[str] = set()  # the games for which this process has already done a job

    @classmethod
    async def start(cls) -> "_Worker":
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                process = subprocess.Popen(  # noqa: ASYNC220, S603  # nosec B603  # it does not block, and runs our own module
                    [sys.executable, "-m", games.bots.__name__],
                    stdin=theirs.fileno(),
                    stdout=theirs.fileno(),
                    cwd=settings.BASE_DIR,
                )
        except OSError:
            ours.close()
            raise
        return cls(process, *await asyncio.open_connection(sock=ours))

    async def ask(self, job: dict[str, Any]) -> dict[str, Any]:
        game, patience = job["game"], _PATIENCE
        if game not in self._games:
            patience = _FIRST_PATIENCE
            if sheet := games.bots.pack_sheet(game):
                await self._exchange({"game": game, "sheet": sheet}, patience)
        answer = await self._exchange(job, patience)
        self._games.add(game)
        return answer

    async def _exchange(self, job: dict[str, Any], patience: float) -> dict[str, Any]:
        self._writer.write(json.encode(job) + b"\n")
        line = await asyncio.wait_for(self._reader.readline(), patience)
        if not line:
            raise EOFError("the process is gone")
        answer: dict[str, Any] = json.decode(line)
        return answer

    def end(self) -> None:
        self._writer.close()
        with suppress(OSError):
            self._process.kill()
        self._process.wait()
