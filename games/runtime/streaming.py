"""Answers that go on: lines of text, each sent when something happens, until either side ends it.

The answer's head is made like a page, on a thread for pages, with all that its middleware sees to.
From then on it holds no thread: whoever follows something writes lines on the event loop.
"""

import asyncio
import time
from collections.abc import Iterable
from typing import Protocol

from django.http import HttpResponse, StreamingHttpResponse

from games.runtime.per_loop import PerLoop
from games.runtime.tasks import Repeated

_QUIET = 4.0  # seconds of silence after which a line is blank
_EVERY = 1.0  # seconds between two looks for silent ones
NDJSON_TYPE = "application/x-ndjson"


class Sink(Protocol):
    """The connection that the lines go to. Its methods raise nothing."""

    def write(self, data: bytes) -> bool:
        """Write at once, or keep it for a slow reader. False: one too slow, who is cut off."""
        ...

    def finish(self) -> None:
        """The answer is complete."""
        ...


class Follower(Protocol):
    """Whoever writes the lines of one answer."""

    async def begin(self, line: "NdjsonStream") -> None:
        """Called once, when the head has been sent."""
        ...

    def leave(self) -> None:
        """Called once, when the answer has ended, or its client is gone."""
        ...


class NdjsonStream:
    """The open end of an answer. It holds no task: whoever writes, ends it, or notices that its
    client is gone, calls it."""

    __slots__ = ("_follower", "_has_begun", "_sink", "is_open", "sent_at")

    def __init__(self, sink: Sink, follower: Follower) -> None:
        self._sink, self._follower = sink, follower
        self.is_open = True
        self._has_begun = False
        self.sent_at = time.monotonic()

    async def begin(self) -> None:
        """Have the follower begin. What it raises ends the answer."""
        streams().add(self)
        try:
            await self._follower.begin(self)
        except BaseException:
            self.end()
            raise
        finally:
            self._has_begun = True
            if not self.is_open:
                self._close()

    def send(self, data: bytes) -> None:
        """Send one line, with its end. Raises nothing; who reads too slowly is cut off."""
        if self.is_open:
            self.sent_at = time.monotonic()
            if not self._sink.write(data + b"\n"):
                self.end()

    def end(self) -> None:
        """Send nothing more: the answer is complete. The follower leaves a moment later."""
        if self.is_open:
            self.is_open = False
            streams().discard(self)
            if self._has_begun:
                asyncio.get_running_loop().call_soon(self._close)

    def _close(self) -> None:
        self._sink.finish()
        self._follower.leave()


class NdjsonResponse(HttpResponse):
    """An answer in lines. Its length is not known, and no proxy should keep it back."""

    def __init__(self, follower: Follower, content_type: str = NDJSON_TYPE) -> None:
        super().__init__(content_type=content_type)
        self.follower = follower
        self.headers["Cache-Control"] = "no-store"
        self.headers["X-Accel-Buffering"] = "no"


class NdjsonStreams:
    """The open answers of one event loop: those that are silent get a blank line now and then."""

    def __init__(self) -> None:
        self._open: set[NdjsonStream] = set()
        self._blank = Repeated(
            "lines", self._keep_alive, _EVERY, first=_EVERY, goes_on=lambda: bool(self._open)
        )

    def __len__(self) -> int:
        return len(self._open)

    def add(self, line: NdjsonStream) -> None:
        self._open.add(line)
        self._blank.start()

    def discard(self, line: NdjsonStream) -> None:
        self._open.discard(line)

    def end(self, most: int) -> None:
        """End some of them: this server ends, and their clients go to another one."""
        for line in list(self._open)[:most]:
            line.end()

    async def _keep_alive(self) -> None:
        before = time.monotonic() - _QUIET
        for done, line in enumerate(list(self._open), 1):
            if line.sent_at < before:
                line.send(b"")
            if done % 50 == 0:
                await asyncio.sleep(0)  # no move waits for all of them


streams = PerLoop(NdjsonStreams)
"""The open answers of the running event loop."""


class ChunkedResponse(StreamingHttpResponse):
    """Each piece is made on a thread for pages, which makes other pages between two of them. The
    next one is made once the client has taken the last. So nobody's answer fills the memory, and
    whoever makes the pieces must not hold a transaction from one to the next."""

    def __init__(self, pieces: Iterable[bytes], content_type: str | None = None) -> None:
        super().__init__(pieces, content_type=content_type)
