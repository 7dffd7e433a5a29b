"""A lean websocket client and the matches it plays: what a load needs, and nothing more.

It frames and parses by itself, so that one core of client can keep one core of server busy. Times
are seconds on the client's own clock, from sending an action to receiving the state with it.
"""

import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
OnText = Callable[["Connection", bytes], None]


class Connection(asyncio.Protocol):
    """One websocket. `on_text` is called with it and the bytes of each text frame."""

    def __init__(
        self,
        request: bytes,
        on_text: OnText,
        on_close: Callable[[int], None] | None = None,
    ) -> None:
        self._request = request
        self._on_text = on_text
        self._on_close = on_close
        self._buffer = b""
        self.is_open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport | None = None
        self.bytes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self.bytes += len(data)
        data = self._buffer + data if self._buffer else data
        if not self.is_open.done():
            end = data.find(b"\r\n\r\n")
            if end < 0:
                self._buffer = data
                return
            if not data.startswith(b"HTTP/1.1 101"):
                self.is_open.set_exception(ConnectionError(data[:80].decode(errors="replace")))
                return
            self.is_open.set_result(None)
            data = data[end + 4 :]
        self._buffer = self._frames(data)

    def _frames(self, data: bytes) -> bytes:
        at, size = 0, len(data)
        while size - at >= 2:
            length, head = data[at + 1] & 127, 2
            if length == 126:
                head = 4
                if size - at < head:
                    break
                length = int.from_bytes(data[at + 2 : at + 4], "big")
            elif length == 127:
                head = 10
                if size - at < head:
                    break
                length = int.from_bytes(data[at + 2 : at + 10], "big")
            if size - at < head + length:
                break
            kind = data[at] & 15
            body = data[at + head : at + head + length]
            at += head + length
            if kind == TEXT:
                self._on_text(self, body)
            elif kind == PING:
                self._send(PONG, body)
            elif kind == CLOSE and self._on_close is not None:
                self._on_close(int.from_bytes(body[:2], "big"))
        return data[at:]

    def send(self, text: bytes) -> None:
        self._send(TEXT, text)

    def _send(self, kind: int, body: bytes) -> None:
        # Masked with zeros: what the protocol asks of a client, at no cost.
        size = len(body)
        head = bytes((128 | kind, 128 | size)) if size < 126 else (
            bytes((128 | kind, 254)) + size.to_bytes(2, "big")
        )  # fmt: skip
        assert self._transport is not None
        self._transport.write(head + b"\0\0\0\0" + body)

    def connection_lost(self, error: Exception | None) -> None:
        if not self.is_open.done():
            self.is_open.set_exception(ConnectionError(f"lost: {error}"))

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


async def connect(
    port: int,
    path: str,
    on_text: OnText,
    cookie: str = "",
    origin: str = "",
    on_close: Callable[[int], None] | None = None,
    address: str = "",
) -> Connection:
    """Open a websocket at this machine's port, from that address of its own."""
    request = (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        f"Sec-WebSocket-Version: 13\r\nOrigin: {origin or f'http://127.0.0.1:{port}'}\r\n"
        + (f"Cookie: {cookie}\r\n" if cookie else "")
        + "\r\n"
    )
    _, protocol = await asyncio.get_running_loop().create_connection(
        lambda: Connection(request.encode(), on_text, on_close),
        "127.0.0.1",
        port,
        local_addr=(address, 0) if address else None,
    )
    await protocol.is_open
    return protocol


@dataclass
class Times:
    """Seconds measured while `measuring`."""

    measuring: bool = False
    stopped: bool = False
    actions: int = 0
    games: int = 0
    errors: list[str] = field(default_factory=list)
    own: list[float] = field(default_factory=list)  # until the player's own state
    other: list[float] = field(default_factory=list)  # until the opponent's
    last_watcher: list[float] = field(default_factory=list)


class Game:
    """Two sockets that play scripted games, each acting as soon as it sees its turn."""

    length: int

    def __init__(self, times: Times, think: float = 0, watchers: int = 0) -> None:
        self.times = times
        self.think = think
        self.watchers = watchers
        self.sent: dict[int, float] = {}
        self.seen_by_watchers = 0

    def act(self, ply: int, send: Callable[[], None]) -> None:
        if self.times.stopped:
            return
        if self.think:
            asyncio.get_running_loop().call_later(self.think, self._now, ply, send)
        else:
            self._now(ply, send)

    def _now(self, ply: int, send: Callable[[], None]) -> None:
        self.seen_by_watchers = 0
        self.sent[ply] = time.perf_counter()
        send()

    def saw_own(self, ply: int) -> None:
        if self.times.measuring and ply in self.sent:
            self.times.own.append(time.perf_counter() - self.sent[ply])
            self.times.actions += 1

    def saw_other(self, ply: int) -> None:
        if self.times.measuring and ply in self.sent:
            self.times.other.append(time.perf_counter() - self.sent[ply])

    def saw_watcher(self, ply: int) -> None:
        self.seen_by_watchers += 1
        if self.seen_by_watchers == self.watchers and self.times.measuring and ply in self.sent:
            self.times.last_watcher.append(time.perf_counter() - self.sent[ply])


STATE = re.compile(rb'"ply":(\d+)')
NEXT = re.compile(rb'"match":"(\w+)","url"')
