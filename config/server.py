"""Daphne, with a short way for small text frames.

Profiles showed most of a move's time in the general way of a frame: several layers of calls, and
two changes of the reactor's interest for each frame that is sent. Here a small text frame that came
whole is read at once, and a frame is written to its connection at once, if nothing waits before it.
All else (the handshake, fragments, large or binary frames, pings, closing) stays with the library.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any

from daphne.endpoints import build_endpoint_description_strings
from daphne.server import Server as DaphneServer
from daphne.ws_protocol import WebSocketProtocol
from django.conf import settings

from games.frames import CLOSE_FLOOD

_TEXT = 0x81  # a text frame, the whole message, no extension
_WAITING = 500  # frames of one client that wait to be looked at; more is a flood


class Protocol(WebSocketProtocol):  # type: ignore[misc]  # untyped
    """One websocket."""

    muted: bool

    def _dataReceived(self, data: bytes) -> None:  # noqa: N802  # the library's name
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
        """Hand on the small text frames at the beginning; what is left is the library's."""
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
            self._hand_on(text)
            at = end
        return data[at:] if at else data

    def _hand_on(self, text: str) -> None:
        if self.muted:  # closed by us, and the client goes on
            return
        if self.application_queue.qsize() >= _WAITING:
            self.muted = True
            self.application_queue.put_nowait({"type": "websocket.disconnect", "code": CLOSE_FLOOD})
            self.sendClose(code=CLOSE_FLOOD)
            return
        self.last_ping = time.time()
        self.application_queue.put_nowait({"type": "websocket.receive", "text": text})

    def write_frame(self, frame: bytes) -> None:
        """Send a whole frame: at once, or after what is waiting already."""
        if self.state != self.STATE_OPEN:
            return
        transport = self.transport
        # What Twisted holds back for a connection that is slow to take it.
        waiting = len(transport.dataBuffer) - transport.offset + transport._tempDataLen
        if waiting == 0:
            written = transport.writeSomeData(frame)
            if isinstance(written, int) and written == len(frame):
                return
            rest = frame[written:] if isinstance(written, int) and written > 0 else frame
            transport.write(rest)  # it is sent, or fails, when the reactor comes by
        elif waiting + len(frame) > settings.SEND_BUFFER_BYTES:
            self.muted = True
            self.application_queue.put_nowait({"type": "websocket.disconnect", "code": 1006})
            transport.abortConnection()
        else:
            transport.write(frame)


def _unmasked(body: bytes, mask: bytes) -> bytes:
    if mask == b"\0\0\0\0":
        return body
    size = len(body)
    key = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(body, "little") ^ int.from_bytes(key, "little")).to_bytes(size, "little")


class Server(DaphneServer):  # type: ignore[misc]  # untyped
    """Daphne with our limits and `Protocol`. `started` is called once it listens."""

    def __init__(self, host: str, port: int, started: Callable[[], None]) -> None:
        from config.asgi import application  # once ALLOWED_ORIGINS is settled

        def ready() -> None:
            self.ws_factory.protocol = Protocol
            started()

        super().__init__(
            application=application,
            endpoints=build_endpoint_description_strings(host=host, port=port),
            ready_callable=ready,
            server_name="",
            ping_interval=settings.PING_SECONDS,
            ping_timeout=settings.PING_SECONDS,
            websocket_max_message_size=settings.FRAME_BYTES,
            websocket_max_frame_size=settings.FRAME_BYTES,
            proxy_forwarded_address_header="X-Forwarded-For" if settings.BEHIND_PROXY else None,
            verbosity=0,
        )

    def create_application(
        self, protocol: Any, scope: dict[str, Any]
    ) -> "asyncio.Queue[dict[str, Any]] | None":
        if scope["type"] == "websocket":
            scope["extensions"] = {"websocket.frame": protocol.write_frame}
        queue: asyncio.Queue[dict[str, Any]] | None = super().create_application(protocol, scope)
        return queue
