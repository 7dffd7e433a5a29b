"""Flow control for long responses and for NDJSON streams."""

import asyncio
import contextlib
import socket
from collections.abc import Callable
from typing import Any

import structlog
from django.conf import settings
from twisted.web.http import toChunk
from twisted.web.http_headers import Headers

from config.server.connections import count_unread, write

log = structlog.get_logger(__name__)


_KERNEL_BUFFER = 64 * 1024  # bytes that the kernel buffers for one client
_UNANSWERED = getattr(socket, "TCP_USER_TIMEOUT", None)  # available on Linux


class PacedWriter:
    """A producer that Twisted pauses while the client has too much to read."""

    def __init__(self, request: Any) -> None:
        self._request = request
        self._may = asyncio.Event()
        self._may.set()
        self._is_over = request.channel is None  # True if the client has already disconnected
        if not self._is_over:
            request.registerProducer(self, True)

    async def wait(self) -> bool:
        """Wait until the client can accept more. Return False if it has left or no longer reads."""
        while not self._may.is_set():
            transport = self._request.transport
            before = count_unread(transport)
            try:
                async with asyncio.timeout(settings.IDLE_CONNECTION_SECONDS):
                    await self._may.wait()
            except TimeoutError:
                if not self._may.is_set() and count_unread(transport) >= before:
                    transport.abortConnection()
                    return False
        return not self._is_over

    def end(self) -> None:
        """Unregister the producer after the last piece."""
        if not self._is_over:
            self._request.unregisterProducer()

    def pauseProducing(self) -> None:  # noqa: N802  # the library's name
        self._may.clear()

    def resumeProducing(self) -> None:  # noqa: N802  # the library's name
        self._may.set()

    def stopProducing(self) -> None:  # noqa: N802  # the library's name
        self._is_over = True
        self._may.set()


class LineWriter:
    """The connection of an NDJSON stream (`games.runtime.streaming`), once the headers are sent.

    The writer keeps only the parts of the request that are needed to write, so that a stream takes
    no more memory than a socket.
    """

    def __init__(self, request: Any) -> None:
        self._request = request
        self._gone: Callable[[], None] | None = None
        if request.channel is not None:
            _be_lively(request.transport.socket)
            request.registerProducer(self, True)
        request.application_queue = None  # the queue is no longer read
        request.requestHeaders = request.responseHeaders = Headers()
        del request.clean_headers

    def when_gone(self, gone: Callable[[], None]) -> None:
        """Call the function when the client disconnects."""
        self._gone = gone
        if self._request.channel is None:
            gone()

    def write(self, data: bytes) -> bool:
        """Write immediately, or abort the connection if the client is slow or writing fails.

        Return whether the data was accepted. This raises nothing.
        """
        request = self._request
        if request.finished or request.channel is None:
            return False
        try:
            if write(request.transport, b"".join(toChunk(data)) if request.chunked else data):
                return True
        except Exception:  # an error must end only this connection
            log.exception("writing a line failed")
        request.transport.abortConnection()
        return False

    def finish(self) -> None:
        """Complete the response, if the client is still connected."""
        request, self._gone = self._request, None
        if not request.finished and request.channel is not None:
            request.unregisterProducer()
            request.finish()
        request.producer = None  # break a reference cycle

    def pauseProducing(self) -> None:  # noqa: N802  # the library's name
        """Do nothing, because `config.server.connections.write` has its own limit."""

    def resumeProducing(self) -> None:  # noqa: N802  # the library's name
        pass

    def stopProducing(self) -> None:  # noqa: N802  # the library's name
        if self._gone is not None:
            self._gone()


def _be_lively(connection: socket.socket) -> None:
    """Make the kernel buffer little for this client, and notice quickly that it has left."""
    with contextlib.suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _KERNEL_BUFFER)
        if _UNANSWERED is not None:
            milliseconds = int(1000 * settings.PRESENCE_TIMEOUT_SECONDS)
            connection.setsockopt(socket.IPPROTO_TCP, _UNANSWERED, milliseconds)
