"""Attacks on connections, in a process with low priority: real attackers have their own machines.

Each attack gets the site as a `Far`, which can be sent to another process, and its seconds.
"""

import contextlib
import os
import socket
import ssl
import time
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from threading import Thread
from typing import Any

from tests.builders.sites import Place
from tests.hostile.raw import (
    CONTINUATION,
    PING,
    PONG,
    dial,
    flood_and_reset,
    frame,
    open_socket,
)

BREAK = (OSError, ssl.SSLError)
FLOODS = {
    "pings": frame(b"", PING) * 400,
    "pongs": frame(b"", PONG) * 400,
    "fragments": frame(b"", CONTINUATION, last=False) * 400,
}


@dataclass
class Far(Place):
    """The site as an attacker knows it; `authority` is a file, "" for plain connections."""

    port: int
    url: str
    authority: str = ""

    @property
    def tls(self) -> ssl.SSLContext | None:  # type: ignore[override]
        return ssl.create_default_context(cafile=self.authority) if self.authority else None


Attack = tuple[Any, ...]
"""One of the functions below with its arguments."""


class Attackers:
    """The process that runs the attacks."""

    def __init__(self) -> None:
        self._pool = ProcessPoolExecutor(1, get_context("spawn"), os.nice, (19,))
        self._pool.submit(_at_once, []).result()  # it runs and has imported everything

    def begin(self, attacks: list[Attack]) -> "Future[list[int]]":
        """Run all attacks at the same time and return their results."""
        return self._pool.submit(_at_once, attacks)

    def __enter__(self) -> "Attackers":
        return self

    def __exit__(self, *args: object) -> None:
        self._pool.shutdown(cancel_futures=True)


def _at_once(attacks: list[Attack]) -> list[int]:
    with ThreadPoolExecutor(max(1, len(attacks))) as pool:
        return [each.result() for each in [pool.submit(*attack) for attack in attacks]]


def break_off(far: Far, paths: list[str], times: int, seconds: float) -> int:
    """Connections that flood a socket with pongs and end in a reset, spread over that time."""
    began = time.monotonic()
    for number in range(times):
        flood_and_reset(far, paths[number % len(paths)])
        ahead = seconds * (number + 1) / times - (time.monotonic() - began)
        time.sleep(max(0, ahead))
    return times


def flood(far: Far, kind: str, seconds: float, per_second: int = 40_000) -> int:
    """One socket that sends so many control frames, and reads now and then; opened anew a second
    after it was closed. Gives how many frames were sent."""
    until, sent = time.monotonic() + seconds, 0
    frames, each = FLOODS[kind], 400
    while time.monotonic() < until:
        with contextlib.suppress(*BREAK):
            connection = open_socket(far, "/ws/lobby/")
            try:
                connection.setblocking(True)
                Thread(target=_swallow, args=(connection,), daemon=True).start()
                if kind == "fragments":
                    connection.sendall(frame(b"", last=False))
                began, own = time.monotonic(), 0
                while time.monotonic() < until:
                    connection.sendall(frames)
                    own += each
                    sent += each
                    time.sleep(max(0, own / per_second - (time.monotonic() - began)))
            finally:
                connection.close()
        time.sleep(1)
    return sent


def read_nothing(far: Far, seconds: float) -> int:
    """Open sockets that request answers and never read them; reopen closed ones."""
    until, asked = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        with contextlib.suppress(*BREAK), open_socket(far, "/ws/lobby/", small=True) as slow:
            slow.settimeout(1)
            while time.monotonic() < until:
                slow.sendall(frame(b'{"type":"ping","t":"%s"}' % (b"x" * 6000)))
                asked += 1
                time.sleep(0.06)  # as often as it is allowed
    return asked


def half_open(far: Far, connections: int, seconds: float) -> int:
    """Start requests and never finish them, sending a byte now and then; restart closed ones."""
    until, made = time.monotonic() + seconds, 0
    held = []
    while time.monotonic() < until:
        while len(held) < connections and time.monotonic() < until:
            with contextlib.suppress(*BREAK):
                connection = dial(far)
                connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
                connection.setblocking(False)
                held.append(connection)
                made += 1
        alive = []
        for connection in held:
            try:
                connection.send(b"X: 1\r\n")
                if connection.recv(4096):
                    alive.append(connection)
            except BlockingIOError:
                alive.append(connection)
            except BREAK:
                connection.close()
        held = alive
        time.sleep(0.5)
    for connection in held:
        connection.close()
    return made


def large_bodies(far: Far, megabytes: int, seconds: float) -> int:
    """Send bodies of that size one after another; return the number of bytes accepted."""
    until, sent = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        with contextlib.suppress(*BREAK), dial(far) as connection:
            connection.sendall(
                b"POST /guest/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n"
                % (megabytes * 1_000_000)
            )
            for _ in range(10 * megabytes):
                connection.sendall(bytes(100_000))
                sent += 100_000
        time.sleep(0.2)
    return sent


def leave_unread(far: Far, path: str, connections: int, requests: int, seconds: float) -> int:
    """Send many requests per connection without reading an answer; reopen closed connections.

    Return the number of requests sent.
    """
    until, sent = time.monotonic() + seconds, 0
    asked = b"GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" % path.encode() * requests
    held: list[Any] = []
    while time.monotonic() < until:
        while len(held) < connections and time.monotonic() < until:
            with contextlib.suppress(*BREAK):
                connection = dial(far)
                connection.sendall(asked)
                held.append(connection)
                sent += requests
        held = [connection for connection in held if not _is_closed(connection)]
        time.sleep(0.5)
    for connection in held:
        connection.close()
    return sent


def _is_closed(connection: Any) -> bool:
    """Return whether the peer has reset the connection, without reading from it."""
    return bool(connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR))


def _swallow(connection: Any) -> None:
    with contextlib.suppress(*BREAK, ValueError):
        while connection.recv(65536):
            pass
