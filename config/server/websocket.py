"""Daphne's websocket protocol, with bounds, and a short way for small text frames.

Profiles showed that a move spent most of its time in the library's general way of a frame: several
layers of calls, and two changes of the reactor's interest for each frame that is sent. Here a small
text frame that came whole is read at once, and a frame is written to its connection at once, unless
others wait before it. The library does all else: the handshake, fragments, large or binary frames,
pings, closing.

If a connection fails or goes beyond its bounds, only it ends. The code that writes to it sees no
exception.
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

from config.server.transport import write
from games.live.frames import CLOSE_FLOOD, CLOSE_GONE, CLOSE_RESTART
from games.runtime.budget import TokenBucket
from games.runtime.metrics import refused

# The library formats the options of each connection for a debug log: a third of a millisecond.
autobahn.websocket.protocol.pformat = lambda _: ""  # type: ignore[attr-defined,assignment,misc]
_KERNEL_BUFFER = 64 * 1024  # bytes on their way to one client
_TEXT = 0x81  # a text frame, the whole message, no extension
_CLOSE = 8  # an opcode; those above it are pings and pongs
_READ_AHEAD = 50  # messages of one socket that may wait for the application
_LEFT = 5  # unread messages of a socket that has ended which are still read
_PARTING = 5.0  # seconds for a client to take what was sent before the end


class Inbox:
    """The queue of events for the application of one socket.

    Not an `asyncio.Queue`: that asks for the running loop at each step, which is a system call on
    Python 3.11. It would cost a twentieth of a move's time, and 2.5 kB for each socket.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._events: deque[dict[str, Any]] = deque()
        self._reader: asyncio.Future[None] | None = None
        self.when_read: Callable[[], None] | None = None  # called once, when all events are read

    def put_nowait(self, event: dict[str, Any]) -> None:
        if event["type"] == "websocket.disconnect":
            # Nobody waits for the answers. The messages of a flood are read slowly, and the socket
            # counts until the last of them is.
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
        if not self._events and self.when_read is not None:
            called, self.when_read = self.when_read, None
            called()
        return event

    def qsize(self) -> int:
        return len(self._events)


class SocketProtocol(WebSocketProtocol):  # type: ignore[misc]  # untyped
    """One websocket."""

    muted: bool  # no more messages go to the application
    _is_deaf = False  # nothing is read any more
    _has_failed = False
    _control_frames: TokenBucket | None = None  # pings, pongs and fragments; made at the first one
    _heard_at = 0.0

    def connectionMade(self) -> None:  # noqa: N802  # the library's name
        # Twisted allocates 64 KiB at each reading, and the kernel has to clear them.
        self.transport.bufferSize = 2 * settings.MAX_FRAME_BYTES
        # Else the kernel buffers megabytes for a client that reads nothing before we notice.
        self.transport.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _KERNEL_BUFFER)
        # The HTTP request with which this began, and its channel, refer to each other. Nobody else
        # breaks that circle; see `connectionLost`.
        self.transport.producer.requests.clear()
        super().connectionMade()

    def connectionLost(self, reason: Any) -> None:  # noqa: N802  # the library's name
        self.factory.server_class.tcp.lost(self.transport)
        super().connectionLost(reason)
        # Each of these has the protocol as its result: a circle that only the garbage collector
        # would free, and for objects as old as a socket it runs too rarely.
        self.is_open = self.is_closed = None

    def last_heard(self) -> float:
        """When the client last sent anything, even a pong, on the monotonic clock."""
        return self._heard_at

    def dataReceived(self, data: bytes) -> None:  # noqa: N802  # the library's name
        self._heard_at = time.monotonic()
        self._dataReceived(data)  # the library's own would first write a debug log

    def _dataReceived(self, data: bytes) -> None:  # noqa: N802  # the library's name
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
        super()._dataReceived(data)

    def _take(self, data: bytes) -> bytes:
        """Hand on the small text frames at the beginning of the data; gives the rest."""
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
        if self.muted:  # we have closed it, and the client still sends
            return
        if self.application_queue.qsize() >= settings.MAX_QUEUED_FRAMES:
            self._close_flood()
            return
        self.last_ping = time.time()
        inbox = self.application_queue
        inbox.put_nowait(event)
        if inbox.qsize() == _READ_AHEAD:
            # What the client sends too fast waits at the client, where it costs us nothing.
            self.transport.pauseProducing()
            inbox.when_read = self.transport.resumeProducing

    def onFrameBegin(self) -> None:  # noqa: N802  # the library's name
        super().onFrameBegin()
        frame = self.current_frame
        if frame.opcode == _CLOSE or (frame.fin and 0 < frame.opcode < _CLOSE):
            return  # the application counts whole messages
        if settings.RATE_LIMITS and not self.muted and not self._may_send_another():
            self._close_flood()

    def _may_send_another(self) -> bool:
        """Return whether the client may send one more ping, pong or fragment."""
        if self._control_frames is None:
            self._control_frames = TokenBucket(
                settings.CONTROL_FRAMES_PER_SECOND, settings.FRAMES_BURST
            )
        return self._control_frames.try_take(1, time.monotonic())

    def _close_flood(self) -> None:
        """Close it and read nothing more: the client sends more than we can afford to read."""
        refused("flood")
        self.application_queue.put_nowait({"type": "websocket.disconnect", "code": CLOSE_FLOOD})
        self.sendClose(code=CLOSE_FLOOD)
        self.muted = self._is_deaf = True
        self.data = b""

    def may_go(self) -> bool:
        """Whether it is open: its handshake is done, and it is not closing."""
        return bool(self.state == self.STATE_OPEN)

    def send_away(self) -> None:
        """Close it because this server ends; the client then connects to another one."""
        self.application_queue.put_nowait({"type": "websocket.disconnect", "code": CLOSE_RESTART})
        self.muted = True
        self.sendCloseFrame(code=CLOSE_RESTART)  # sendClose does not accept this code

    def write_frame(self, frame: bytes) -> None:
        """Send a whole frame: at once, or after those that wait already. Raises nothing."""
        if self.state == self.STATE_OPEN:
            self._write(frame)

    def sendData(self, data: bytes, sync: bool = False, chopsize: int | None = None) -> None:  # noqa: N802  # the library's name
        """Send what the library sends: the handshake, pings, pongs, closing."""
        self._write(data)

    def _write(self, data: bytes) -> None:
        try:
            if not write(self.transport, data):
                self.fail()
        except Exception:  # whatever it is, it ends only this connection
            self.fail()

    def _closeConnection(self, abort: bool = False) -> None:  # noqa: N802  # the library's name
        if not abort:
            # What is left is still sent, but only for `_PARTING` seconds.
            self.factory.server_class.tcp.expect(self.transport, _PARTING)
        super()._closeConnection(abort)

    def fail(self) -> None:
        """End the connection at once: writing failed, or the client does not read."""
        if self._has_failed:
            return
        self._has_failed = self._is_deaf = True
        if not self.muted and hasattr(self, "application_queue"):
            self.application_queue.put_nowait({"type": "websocket.disconnect", "code": CLOSE_GONE})
        self.muted = True
        with contextlib.suppress(Exception):  # it may have ended already
            self.transport.abortConnection()


def _unmasked(body: bytes, mask: bytes) -> bytes:
    if mask == b"\0\0\0\0":
        return body
    size = len(body)
    key = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(body, "little") ^ int.from_bytes(key, "little")).to_bytes(size, "little")
