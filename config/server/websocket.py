"""Daphne's websocket protocol, with limits and a fast path for small text frames.

In profiles, a move spent most of its time in the library's handling of frames: several layers of
calls, and two changes of the reactor's interest for each frame that is sent. Here, a complete small
text frame is read directly, and a frame is written directly unless other data is waiting. The
library does the rest: the handshake, fragments, large or binary frames, pings and closing.

An error, or an exceeded limit, ends only that connection. Code that writes to it gets no exception.
"""

import asyncio
import contextlib
import socket
import time
from collections import deque
from collections.abc import Callable
from typing import Any

import autobahn.websocket.protocol
from daphne.ws_protocol import WebSocketProtocol
from django.conf import settings

from config.server.connections import write
from games.live.frames import CLOSE_FLOOD, CLOSE_GONE, CLOSE_RESTART
from games.runtime.budget import TokenBucket
from games.runtime.metrics import count_refusal

# For a debug log, the library formats the options of each connection. This takes a third of a
# millisecond.
autobahn.websocket.protocol.pformat = lambda _: ""  # type: ignore[attr-defined,assignment,misc]  # patched on purpose
_KERNEL_BUFFER = 64 * 1024  # bytes that the kernel buffers for one client
_TEXT = 0x81  # a text frame with a whole message and no extension
_CLOSE = 8  # the opcode of a close frame; higher opcodes are pings and pongs
_READ_AHEAD = 50  # messages that may wait for the application before the server stops reading
_LEFT = 5  # unread messages that the application still receives after a disconnect
# Seconds for a client to read the last data and to answer a close frame before the connection is
# aborted. The library's timers end early, at a full second, so its default of 1 may be a moment.
CLOSING_SECONDS = 5.0


class Inbox:
    """The queue of events for the application of one socket.

    The application awaits the first event, as with any ASGI server. Then it calls `listen`, and
    gets each further event in a plain call: an awaited event would cost a future, a step of the
    application's task and a round of the event loop, which take a fifth of the time of a move.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._events: deque[dict[str, Any]] = deque()
        self._reader: asyncio.Future[None] | None = None
        self._listener: Callable[[dict[str, Any]], bool] | None = None
        self.when_read: Callable[[], None] | None = (
            None  # called once, after the last event was read
        )

    def listen(self, listener: Callable[[dict[str, Any]], bool]) -> None:
        """Pass the waiting and all later events to `listener`, in order.

        If it returns False, the event and those after it wait until `resume` is called.
        """
        self._listener = listener
        self.resume()

    def resume(self) -> None:
        """Pass on the waiting events, until the listener refuses one."""
        while self._events and self._listener is not None and self._listener(self._events[0]):
            self._events.popleft()
        self._note_if_read()

    def put_nowait(self, event: dict[str, Any]) -> None:
        if self._listener is not None and not self._events and self._listener(event):
            return
        if event["type"] == "websocket.disconnect":
            # The client cannot see replies any more. The messages of a flood are read slowly, and
            # the socket counts as open until the last one is read.
            while len(self._events) > _LEFT:
                self._events.pop()
        self._events.append(event)
        reader = self._reader
        if reader is not None and not reader.done():
            reader.set_result(None)

    async def get(self) -> dict[str, Any]:
        while not self._events:
            self._reader = self._loop.create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        event = self._events.popleft()
        self._note_if_read()
        return event

    def _note_if_read(self) -> None:
        if not self._events and self.when_read is not None:
            called, self.when_read = self.when_read, None
            called()

    def qsize(self) -> int:
        return len(self._events)


class SocketProtocol(WebSocketProtocol):  # type: ignore[misc]  # Daphne is untyped
    """The protocol of one websocket."""

    muted: bool  # True if the application gets no more messages
    _is_deaf = False  # True if no more data is read
    _has_failed = False
    # The limit on pings, pongs and fragments, created when needed.
    _control_frames: TokenBucket | None = None
    _heard_at = 0.0

    def connectionMade(self) -> None:  # noqa: N802  # the library's name
        # By default, Twisted allocates 64 KiB for each read, which the kernel has to clear.
        self.transport.bufferSize = 2 * settings.MAX_FRAME_BYTES
        # By default, the kernel buffers megabytes for a client that reads nothing.
        self.transport.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _KERNEL_BUFFER)
        # The request of the handshake and its channel refer to each other. Break the cycle (see
        # `connectionLost`).
        self.transport.producer.requests.clear()
        super().connectionMade()

    def onOpen(self) -> None:  # noqa: N802  # the library's name
        super().onOpen()
        # Nobody reads the request again. It takes a tenth of the memory of an idle socket.
        self.http_headers.clear()
        self.clean_headers.clear()
        self.http_request_data = b""

    def connectionLost(self, reason: Any) -> None:  # noqa: N802  # the library's name
        self.factory.server_class.tcp.lost(self.transport)
        super().connectionLost(reason)
        # Each of these futures has the protocol as its result. Only the garbage collector would
        # free that cycle, and it rarely collects objects that are as old as a socket.
        self.is_open = self.is_closed = None

    def onClose(self, wasClean: bool, code: int | None, reason: Any) -> None:  # noqa: N802, N803  # the library's names
        if hasattr(self, "server"):  # set once the handshake was valid
            super().onClose(wasClean, code, reason)

    def last_heard(self) -> float:
        """Return the monotonic time at which the client last sent anything, even a pong."""
        return self._heard_at

    def dataReceived(self, data: bytes) -> None:  # noqa: N802  # the library's name
        self._heard_at = time.monotonic()
        if self._is_deaf:
            return
        if (
            self.state == self.STATE_OPEN
            and not self.data
            and self.current_frame is None
            and not self.inside_message
        ):
            data = self._take(data)
            if not data:
                return
        self._dataReceived(data)  # the library's public method writes a debug log first

    def _take(self, data: bytes) -> bytes:
        """Pass on the small text frames at the start of the data, and return the rest."""
        at, size = 0, len(data)
        while size - at >= 6 and data[at] == _TEXT and 128 <= data[at + 1] < 254:
            length = data[at + 1] - 128
            end = at + 6 + length
            if end > size:
                break
            mask, body = data[at + 2 : at + 6], data[at + 6 : end]
            try:
                text = _unmasked(body, mask).decode()
            except UnicodeDecodeError:
                break
            self._hand_on({"type": "websocket.receive", "text": text})
            at = end
        return data[at:] if at else data

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803  # the library's names
        event: dict[str, Any] = {"type": "websocket.receive"}
        self._hand_on(event | ({"bytes": payload} if isBinary else {"text": payload.decode()}))

    def _hand_on(self, event: dict[str, Any]) -> None:
        if self.muted:  # the server has closed the socket, but the client is still sending
            return
        inbox = self.application_queue
        self.last_ping = time.time()
        if inbox.qsize() >= settings.MAX_QUEUED_FRAMES:
            self._close_flood()
            return
        inbox.put_nowait(event)
        if inbox.qsize() == _READ_AHEAD:
            # Further messages stay in the client's network stack, where they cost nothing here.
            self.transport.pauseProducing()
            inbox.when_read = self.transport.resumeProducing

    def onFrameBegin(self) -> None:  # noqa: N802  # the library's name
        super().onFrameBegin()
        frame = self.current_frame
        if frame.opcode == _CLOSE or (frame.fin and 0 < frame.opcode < _CLOSE):
            return  # the application limits complete messages itself
        if settings.RATE_LIMITS and not self.muted and not self._may_send_another():
            self._close_flood()

    def _may_send_another(self) -> bool:
        """Take a token for a ping, pong or fragment. Return False if the bucket is empty."""
        if self._control_frames is None:
            self._control_frames = TokenBucket(
                settings.CONTROL_FRAMES_PER_SECOND, settings.FRAMES_BURST
            )
        return self._control_frames.try_take(1, time.monotonic())

    def _close_flood(self) -> None:
        """Close the socket and stop reading, because the client sends too much."""
        count_refusal("flood")
        self.application_queue.put_nowait({"type": "websocket.disconnect", "code": CLOSE_FLOOD})
        self.sendClose(code=CLOSE_FLOOD)
        self.muted = self._is_deaf = True
        self.data = b""

    def is_established(self) -> bool:
        """Return whether the socket is between the handshake and the close."""
        return bool(self.state == self.STATE_OPEN)

    def send_away(self) -> None:
        """Close the socket during a shutdown, so that the client reconnects to another server."""
        self.application_queue.put_nowait({"type": "websocket.disconnect", "code": CLOSE_RESTART})
        self.muted = True
        self.sendCloseFrame(code=CLOSE_RESTART)  # `sendClose` does not accept this code

    def write_frame(self, frame: bytes) -> None:
        """Send a whole frame, after the data that is waiting, unless the socket is closing.

        This raises nothing.
        """
        if self.state == self.STATE_OPEN:
            self._write(frame)

    def sendData(self, data: bytes, sync: bool = False, chopsize: int | None = None) -> None:  # noqa: N802  # the library's name
        """Send the library's own data: the handshake, pings, pongs and close frames."""
        self._write(data)

    def _write(self, data: bytes) -> None:
        try:
            if not write(self.transport, data):
                self.fail()
        except Exception:  # an error must end only this connection
            self.fail()

    def _closeConnection(self, abort: bool = False) -> None:  # noqa: N802  # the library's name
        if not abort:
            # Give the client `CLOSING_SECONDS` to read what is still buffered.
            self.factory.server_class.tcp.expect(self.transport, CLOSING_SECONDS)
        super()._closeConnection(abort)

    def fail(self) -> None:
        """Abort the connection because writing failed or the client does not read."""
        if self._has_failed:
            return
        self._has_failed = self._is_deaf = True
        if not self.muted and hasattr(self, "application_queue"):
            self.application_queue.put_nowait({"type": "websocket.disconnect", "code": CLOSE_GONE})
        self.muted = True
        with contextlib.suppress(Exception):  # the connection may be closed already
            self.transport.abortConnection()


def _unmasked(body: bytes, mask: bytes) -> bytes:
    if mask == b"\0\0\0\0":
        return body
    size = len(body)
    key = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(body, "little") ^ int.from_bytes(key, "little")).to_bytes(size, "little")
