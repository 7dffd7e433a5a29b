"""How fast a client takes a long answer: the transport says when it holds enough of it."""

import asyncio
import contextlib
import socket
from collections.abc import Callable
from typing import Any

import structlog
from django.conf import settings
from twisted.web.http import toChunk
from twisted.web.http_headers import Headers

from config.server.transport import count_unread, write

log = structlog.get_logger(__name__)


_KERNEL_BUFFER = 64 * 1024  # bytes on their way to one client
_UNANSWERED = getattr(socket, "TCP_USER_TIMEOUT", None)  # Linux has it


class PacedWriter:
    """What is sent to one request, as a producer that Twisted pauses and resumes."""

    def __init__(self, request: Any) -> None:
        self._request = request
        self._may = asyncio.Event()
        self._may.set()
        self._is_over = request.channel is None  # its client has gone already
        if not self._is_over:
            request.registerProducer(self, True)

    async def wait(self) -> bool:
        """Wait until the client takes more. False: it is gone, or takes nothing any more."""
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
        """All of it is sent."""
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
    """An answer in lines (`games.runtime.lines`), once its head is sent. Of its request only what
    is needed to write is kept: a thousand of them cost what sockets do."""

    def __init__(self, request: Any) -> None:
        self._request = request
        self._gone: Callable[[], None] | None = None
        if request.channel is not None:
            _be_lively(request.transport.socket)
            request.registerProducer(self, True)
        request.application_queue = None  # nobody reads it any more
        request.requestHeaders = request.responseHeaders = Headers()
        del request.clean_headers

    def when_gone(self, gone: Callable[[], None]) -> None:
        """Have it called when the client is gone."""
        self._gone = gone
        if self._request.channel is None:
            gone()

    def write(self, data: bytes) -> bool:
        """Write at once, however fast the client reads, or cut it off. Raises nothing."""
        request = self._request
        if request.finished or request.channel is None:
            return False
        try:
            if write(request.transport, b"".join(toChunk(data)) if request.chunked else data):
                return True
        except Exception:  # whatever it is, it ends only this connection
            log.exception("line failed")
        request.transport.abortConnection()
        return False

    def finish(self) -> None:
        """The answer is complete."""
        request, self._gone = self._request, None
        if not request.finished and request.channel is not None:
            request.unregisterProducer()
            request.finish()
        request.producer = None  # else the two would refer to each other

    def pauseProducing(self) -> None:  # noqa: N802  # the library's name
        """It has a bound of its own."""

    def resumeProducing(self) -> None:  # noqa: N802  # the library's name
        pass

    def stopProducing(self) -> None:  # noqa: N802  # the library's name
        if self._gone is not None:
            self._gone()


def _be_lively(connection: socket.socket) -> None:
    """Have the kernel keep little for this client, and give it up soon if it is gone."""
    with contextlib.suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _KERNEL_BUFFER)
        if _UNANSWERED is not None:
            milliseconds = int(1000 * settings.PRESENCE_TIMEOUT_SECONDS)
            connection.setsockopt(socket.IPPROTO_TCP, _UNANSWERED, milliseconds)
