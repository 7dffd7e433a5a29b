"""An HTTP connection with limits on the duration and the size of requests.

The timeout (`config.server.connections`) runs while the server is waiting for the client: for the
headers, then for the body, then until the client has read the response and sends the next request.
It does not run while the server builds the response. Websockets have pings instead.

A client may send further requests before it reads the responses (pipelining). These requests wait
while more than the transport's `bufferSize` is unread, because otherwise one client could fill the
memory.
"""

import contextlib
import socket
from collections.abc import Sequence
from io import BytesIO
from typing import Any

from daphne.http_protocol import WebRequest
from django.conf import settings
from twisted.web import http

from games.runtime.addresses import get_client_network
from games.runtime.metrics import count_refusal
from lobby.api.responses import API, failure

_HTTPChannel: Any = http.HTTPChannel  # `Any`, because the library has only some types
_REFUSAL_SECONDS = 3.0  # seconds for a client to stop sending and read the reason
_DISCARDED_BYTES = 1 << 20  # bytes that are read and dropped before the connection is aborted
# Unsent bytes that the kernel buffers for one client. By default, the kernel buffers megabytes,
# which hides whether a client reads at all.
_KERNEL_UNSENT = 128 * 1024
_NOTSENT_LOWAT = getattr(socket, "TCP_NOTSENT_LOWAT", None)  # available on Linux and macOS
_FORM = "application/x-www-form-urlencoded"


class LimitedRequest(WebRequest):  # type: ignore[misc]  # Daphne is untyped
    """A request with a small body, which stays in memory."""

    def gotLength(self, length: int | None) -> None:  # noqa: N802  # the library's name
        # The library would open a file for a long body, or a body of unknown length.
        self.content = BytesIO()

    def max_bytes(self) -> int:
        """Return the maximum size of the body, in bytes.

        A URL-encoded form may be three times as long, because it can use three bytes for one
        ("%7B").
        """
        kind = (self.requestHeaders.getRawHeaders("content-type") or [""])[-1]
        is_form = kind.partition(";")[0].strip().lower() == _FORM
        return int(settings.MAX_BODY_BYTES) * (3 if is_form else 1)

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802  # the library's name
        if self.content.tell() + len(data) > self.max_bytes():
            self.channel.refuse_body()
        else:
            super().handleContentChunk(data)

    def process(self) -> None:
        # With this header, any client could set the site's path prefix in Daphne.
        self.requestHeaders.removeHeader(b"daphne-root-path")
        super().process()

    def handle_reply(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start" and self.server.is_ending:
            channel = self.channel
            if channel is not None and not self._response_started:
                # The next request of the client then goes to another server.
                self.responseHeaders.setRawHeaders(b"Connection", [b"close"])
                channel.persistent = False
        super().handle_reply(message)


class HttpConnection(_HTTPChannel):  # type: ignore[misc]  # the base class is `Any`
    """One connection and its requests, which follow one another."""

    _is_refused = False
    _discarded = 0
    _is_between = False  # True between a response and the next request
    _dataBuffer: list[bytes]  # noqa: N815  # the library's name; data received during a response
    # Further requests, which are held until the client has read the responses.
    _held: Sequence[bytes] = ()

    def connectionMade(self) -> None:  # noqa: N802  # the library's name
        # Use `LimitedRequest` instead of the class that Daphne's factory sets.
        self.requestFactory = LimitedRequest
        self.timeOut = None  # disables the library's timeout, which restarts with every byte
        super().connectionMade()
        self._tcp = self.factory.server.tcp
        if not self._tcp.admit(self.transport, get_client_network(_host(self.transport))):
            self._refuse(
                b"503 Service Unavailable",
                "too-many-connections",
                "Too many connections. Please try again in a moment.",
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
            if self._discarded > _DISCARDED_BYTES:
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
        if self.length is not None and self.length > self.requests[-1].max_bytes():
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
            # Hold the requests that have already been received, which the library would start now.
            self._held, self._dataBuffer = self._dataBuffer, []
            self._networkProducer.pauseProducing()
        super().requestDone(request)

    def pauseProducing(self) -> None:  # noqa: N802  # the library's name
        """Count the unread data, which exceeds `bufferSize`. This is called for websockets too."""
        super().pauseProducing()
        self._tcp.count_unread(self.transport)

    def resumeProducing(self) -> None:  # noqa: N802  # the library's name
        """Continue with held requests, because the client has read the responses."""
        super().resumeProducing()
        if self._held:
            held, self._held = b"".join(self._held), ()
            self.dataReceived(held)

    def connectionLost(self, reason: Any) -> None:  # noqa: N802  # the library's name
        self._tcp.lost(self.transport)
        super().connectionLost(reason)

    def refuse_body(self) -> None:
        """Refuse a request whose body is too large.

        The connection stays open for a moment, so that a client that is still sending can read the
        response.
        """
        if self._is_refused:
            return
        self._refuse(
            b"413 Content Too Large",
            "too-large",
            f"A request body may have at most {settings.MAX_BODY_BYTES} bytes.",
        )
        self._tcp.expect(self.transport, _REFUSAL_SECONDS)
        self.transport.loseWriteConnection()

    def _refuse(self, status: bytes, code: str, words: str) -> None:
        count_refusal(code)
        self._is_refused = True
        kind, body = b"text/plain; charset=utf-8", words.encode() + b"\n"
        if getattr(self, "_path", b"").startswith(API.encode()):
            kind, body = b"application/json", failure(code, words)
        self.transport.write(
            b"HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n"
            b"Connection: close\r\n\r\n%s" % (status, kind, len(body), body)
        )


def _host(transport: Any) -> str:
    """Return the address of a connection's client, or "" if the client has none."""
    return str(getattr(transport.getPeer(), "host", ""))
