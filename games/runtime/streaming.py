"""Responses that are sent in parts: NDJSON streams, and responses in chunks.

The headers of a stream are built like a page, on a page thread and with all middleware. After that,
the stream occupies no thread: its follower writes lines on the event loop, until either side ends
the stream.
"""

import asyncio
import time
from collections.abc import Generator, Iterable, Iterator
from typing import Protocol

from django.http import HttpResponse, StreamingHttpResponse
from django.utils import translation

from games.runtime.per_loop import PerLoop
from games.runtime.tasks import Repeated

_QUIET = 4.0  # seconds without a line before a blank line is sent
_EVERY = 1.0  # seconds between two checks for silent streams
NDJSON_TYPE = "application/x-ndjson"


class Sink(Protocol):
    """A connection that lines are written to. Its methods raise no exceptions."""

    def write(self, data: bytes) -> bool:
        """Write the data, or buffer it if the reader is slow.

        Return False if the reader has left, or was too slow and has been disconnected.
        """
        ...

    def finish(self) -> None:
        """Complete the response."""
        ...


class Follower(Protocol):
    """The source of a stream's lines."""

    async def begin(self, line: "NdjsonStream") -> None:
        """Start sending lines. The stream calls this once, when the headers have been sent."""
        ...

    def leave(self) -> None:
        """Stop sending lines. The stream calls this once, when it ends or its client leaves."""
        ...


class NdjsonStream:
    """A response that stays open for more lines. It occupies no task."""

    __slots__ = ("_follower", "_has_begun", "_sink", "is_open", "sent_at")

    def __init__(self, sink: Sink, follower: Follower) -> None:
        self._sink, self._follower = sink, follower
        self.is_open = True
        self._has_begun = False
        self.sent_at = time.monotonic()

    async def begin(self) -> None:
        """Start the follower. An exception ends the response and is raised again."""
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
        """Send one line without raising. A client that reads too slowly is disconnected."""
        if self.is_open:
            self.sent_at = time.monotonic()
            if not self._sink.write(data + b"\n"):
                self.end()

    def end(self) -> None:
        """Complete the response. The follower leaves a moment later."""
        if self.is_open:
            self.is_open = False
            streams().discard(self)
            if self._has_begun:
                asyncio.get_running_loop().call_soon(self._close)

    def _close(self) -> None:
        self._sink.finish()
        self._follower.leave()


class NdjsonResponse(HttpResponse):
    """A response in lines. Its length is unknown, and proxies must not buffer it."""

    def __init__(self, follower: Follower, content_type: str = NDJSON_TYPE) -> None:
        super().__init__(content_type=content_type)
        self.follower = follower
        self.headers["Cache-Control"] = "no-store"
        self.headers["X-Accel-Buffering"] = "no"


class NdjsonStreams:
    """The open streams of one event loop. Silent streams regularly get a blank line."""

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
        """End at most `most` streams on a stopping server, so that clients reconnect elsewhere."""
        for line in list(self._open)[:most]:
            line.end()

    async def _keep_alive(self) -> None:
        before = time.monotonic() - _QUIET
        for done, line in enumerate(list(self._open), 1):
            if line.sent_at < before:
                line.send(b"")
            if done % 50 == 0:
                await asyncio.sleep(0)  # moves must not wait until all streams have been handled


streams = PerLoop(NdjsonStreams)
"""The open streams of the running event loop."""


class ChunkedResponse(StreamingHttpResponse):
    """A response that is too long to be built in one piece.

    Each chunk is built on a page thread, after the client has read most of the previous ones, and
    the thread renders other pages in between. No response therefore fills the memory. The iterable
    must not hold a transaction between two chunks. It runs in the language in which the response
    was created.
    """

    def __init__(self, pieces: Iterable[bytes], content_type: str | None = None) -> None:
        inside = _run_in_language(pieces, translation.get_language())
        super().__init__(inside, content_type=content_type)


def _run_in_language(pieces: Iterable[bytes], language: str | None) -> Iterator[bytes]:
    left = iter(pieces)
    try:
        while True:
            with translation.override(language, deactivate=True):
                piece = next(left, None)
            if piece is None:
                return
            yield piece
    finally:
        if isinstance(left, Generator):
            left.close()
