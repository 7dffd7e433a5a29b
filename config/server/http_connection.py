"""One HTTP connection, with bounds on how slow and how large its requests may be.

Its clock (`config.server.connections`) runs while we wait for the client: to send the first part of
a request, then its body, then to take the answer and to send the next request. The clock stops
while we work on the answer. A websocket has no such clock: it has pings instead.

A client may send its next requests before it has read our answers. While more than the transport's
`bufferSize` waits to be read, those requests wait too; otherwise one client could make us hold
answers without end.
"""

import contextlib
import socket
from collections.abc import Sequence
from io import BytesIO
from typing import Any

from daphne.http_protocol import WebRequest
from django.conf import settings
from twisted.web import http

from games.runtime.addresses import client_network
from games.runtime.metrics import refused
from lobby.api.answers import API, failure

_HTTPChannel: Any = http.HTTPChannel  # only some of it has types
_PARTING = 3.0  # seconds for a client to stop sending, and to read why we refuse
_DISCARDED = 1 << 20  # bytes that we still read and throw away meanwhile
# Bytes that the kernel keeps for one client beyond those on their way. Without it the kernel would
# buffer megabytes for a client that reads nothing, and we would see no progress of a slow one.
_KERNEL_UNSENT = 128 * 1024
_NOTSENT_LOWAT = getattr(socket, "TCP_NOTSENT_LOWAT", None)  # Linux and macOS have it
_FORM = "application/x-www-form-urlencoded"


class LimitedRequest(WebRequest):  # type: ignore[misc]  # untyped
    """A request; its body must be small, and stays in memory."""

    def gotLength(self, length: int | None) -> None:  # noqa: N802  # the library's name
        # For a long body, or one without a length, the library would open a file.
        self.content = BytesIO()

    def most_bytes(self) -> int:
        """How long the body may be. A form may take three bytes to write one ("%7B")."""
        kind = (self.requestHeaders.getRawHeaders("content-type") or [""])[-1]
        is_form = kind.partition(";")[0].strip().lower() == _FORM
        return int(settings.MAX_BODY_BYTES) * (3 if is_form else 1)

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802  # the library's name
        if self.content.tell() + len(data) > self.most_bytes():
            self.channel.refuse_body()
        else:
            super().handleContentChunk(data)

    def process(self) -> None:
        # Else Daphne would believe any client about the path under which the site lies.
        self.requestHeaders.removeHeader(b"daphne-root-path")
        super().process()

    def handle_reply(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start" and self.server.is_ending:
            channel = self.channel
            if channel is not None and not self._response_started:
                # The client sends its next request to another server.
                self.responseHeaders.setRawHeaders(b"Connection", [b"close"])
                channel.persistent = False
        super().handle_reply(message)


class HttpConnection(_HTTPChannel):  # type: ignore[misc]  # untyped
    """One connection: its requests, one after another."""

    _is_refused = False
    _discarded = 0
    _is_between = False  # the answer is sent, and the next request has not begun
    _dataBuffer: list[bytes]  # noqa: N815  # the library's: received while a request is answered
    _held: Sequence[bytes] = ()  # further requests, until the client has read our answers

    def connectionMade(self) -> None:  # noqa: N802  # the library's name
        self.requestFactory = LimitedRequest  # Daphne's factory names its own
        self.timeOut = None  # not the library's clock: it starts again with every byte
        super().connectionMade()
        self._tcp = self.factory.server.tcp
        if not self._tcp.admit(self.transport, client_network(_host(self.transport))):
            self._refuse(
                b"503 Service Unavailable",
                "too-many-connections",
                "There are too many connections. Please try again in a moment.",
            )
            self.loseConnection()
            return
        if _NOTSENT_LOWAT is not None:
            with contextlib.suppress(OSError):
                self.transport.socket.setsockopt(socket.IPPROTO_TCP, _NOTSENT_LOWAT, _KERNEL_UNSENT)
        self._tcp.expect(self.transport, settings.REQUEST_HEADER_SECONDS)

    def dataReceived(self, data: bytes) -> None:  # noqa: N802  # the library's name
        if self._is_refused:
            self._discarded += len(data)
            if self._discarded > _DISCARDED:
                self.transport.abortConnection()
            return
        if self._is_between:
            self._is_between = False
            self._tcp.expect(self.transport, settings.REQUEST_HEADER_SECONDS)
        super().dataReceived(data)

    def rawDataReceived(self, data: bytes) -> None:  # noqa: N802  # the library's name
        if not self._is_refused:
            super().rawDataReceived(data)

    def allHeadersReceived(self) -> None:  # noqa: N802  # the library's name
        if self.length is not None and self.length > self.requests[-1].most_bytes():
            self.refuse_body()
            return
        if self.length != 0:
            self._tcp.expect(self.transport, settings.REQUEST_BODY_SECONDS)
        super().allHeadersReceived()

    def allContentReceived(self) -> None:  # noqa: N802  # the library's name
        if self._is_refused:
            return
        self._tcp.heard(self.transport)
        super().allContentReceived()

    def requestDone(self, request: Any) -> None:  # noqa: N802  # the library's name
        self._is_between = True
        self._tcp.expect_reading(self.transport, settings.IDLE_CONNECTION_SECONDS)
        if self._waitingForTransport and self.persistent:
            # The library would go on to the requests that it has received already.
            self._held, self._dataBuffer = self._dataBuffer, []
            self._networkProducer.pauseProducing()
        super().requestDone(request)

    def pauseProducing(self) -> None:  # noqa: N802  # the library's name
        """The transport holds more than its `bufferSize`; for a websocket too."""
        super().pauseProducing()
        self._tcp.count_unread(self.transport)

    def resumeProducing(self) -> None:  # noqa: N802  # the library's name
        """The client has taken all of it."""
        super().resumeProducing()
        if self._held:
            held, self._held = b"".join(self._held), ()
            self.dataReceived(held)

    def connectionLost(self, reason: Any) -> None:  # noqa: N802  # the library's name
        self._tcp.lost(self.transport)
        super().connectionLost(reason)

    def refuse_body(self) -> None:
        """Refuse a request whose body is too large.

        The connection stays open for a moment: a client that still sends might miss the answer.
        """
        if self._is_refused:
            return
        self._refuse(
            b"413 Content Too Large",
            "too-large",
            f"A request may bring {settings.MAX_BODY_BYTES} bytes at the most.",
        )
        self._tcp.expect(self.transport, _PARTING)
        self.transport.loseWriteConnection()

    def _refuse(self, status: bytes, code: str, words: str) -> None:
        refused(code)
        self._is_refused = True
        kind, body = b"text/plain; charset=utf-8", words.encode() + b"\n"
        if getattr(self, "_path", b"").startswith(API.encode()):
            kind, body = b"application/json", failure(code, words)
        self.transport.write(
            b"HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n"
            b"Connection: close\r\n\r\n%s" % (status, kind, len(body), body)
        )


def _host(transport: Any) -> str:
    """The address of a connection's client; "" if it has none."""
    return str(getattr(transport.getPeer(), "host", ""))
