"""Sockets of the lobby: their frames, and a client that stops answering."""

import contextlib
import json
import socket as tcp
import time
from collections.abc import Sequence
from typing import Any

from tests.hostile.raw import frame, handshake
from tests.live import Person, Socket


def collect_frames(socket: Socket, seconds: float) -> list[dict[str, Any]]:
    """What else comes in that time."""
    found = []
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        with contextlib.suppress(TimeoutError):
            found.append(socket.frame(left))
    return found


def get_seek_types(frames: Sequence[dict[str, Any]]) -> list[str]:
    return [f["type"] for f in frames if f["type"] in {"seeking", "paired", "cancelled", "error"}]


class SilentSeeker:
    """A client whose connection is open, and who neither reads nor answers any more."""

    def __init__(self, person: Person) -> None:
        site = person.site
        self._socket = tcp.create_connection(("127.0.0.1", site.port), timeout=10)
        path = "/ws/lobby/"
        self._socket.sendall(handshake(site.port, path, site.url, person.cookie_header()))
        self._read = b""
        self._until(b"\r\n\r\n")

    def seek(self, game: str) -> None:
        self._socket.sendall(frame(json.dumps({"type": "seek", "game": game}).encode()))
        self._until(b'"type":"seeking"')

    def _until(self, part: bytes) -> None:
        while part not in self._read:
            got = self._socket.recv(65536)
            assert got, self._read[-300:]
            self._read += got

    def close(self) -> None:
        self._socket.close()
