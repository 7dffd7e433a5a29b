"""Matches played through sockets, and the frames of the lobby."""

import contextlib
import json
import socket as tcp
import time
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.builders.sites import Person, Socket, pair
from tests.hostile.raw import frame, handshake


def open_sockets(roles: Mapping[str, Person], match_id: str) -> dict[str, Socket]:
    """Open the match socket of each role, and read its first state."""
    sockets = {role: person.match(match_id) for role, person in roles.items()}
    for socket in sockets.values():
        socket.next("state")
    return sockets


def play_actions(sockets: Mapping[str, Socket], *actions: str) -> dict[str, Any]:
    """Play actions, each by the role in control. Return the state after the last one.

    All sockets have read each state before the next action is sent."""
    state = next(iter(sockets.values())).state
    for action in actions:
        ply = state["ply"] + 1
        sockets[state["turn"]].send("play", ply=ply - 1, action=action)
        for socket in sockets.values():
            state = socket.ply(ply)
    return state


def play_at(roles: Mapping[str, Person], match_id: str, *actions: str) -> None:
    """Open the sockets of a match, play actions, and close them."""
    sockets = open_sockets(roles, match_id)
    play_actions(sockets, *actions)
    for socket in sockets.values():
        socket.close()


def play_new_match(
    alice: Person, bob: Person, game: str, *actions: str
) -> tuple[str, dict[str, Person]]:
    """Pair two people and play actions. Return the match's id and the person in each role."""
    match_id, roles = pair(alice, bob, game)
    play_at(roles, match_id, *actions)
    return match_id, roles


def collect_frames(socket: Socket, seconds: float) -> list[dict[str, Any]]:
    """Return the frames that arrive within that time."""
    found = []
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        with contextlib.suppress(TimeoutError):
            found.append(socket.frame(left))
    return found


def collect_from_all(seconds: float, *sockets: Socket) -> list[list[dict[str, Any]]]:
    """Return the frames that arrive at each socket within that time."""
    found = [collect_frames(sockets[0], seconds)]
    for socket in sockets[1:]:
        found.append([])
        with contextlib.suppress(TimeoutError):
            while True:
                found[-1].append(socket.frame(0.05))
    return found


def send_at_once(socket: Socket, count: int, type_: str, **more: Any) -> None:
    """Send a frame many times in one write.

    If the client still writes when the server closes the socket, it gets a reset instead of the
    close code.
    """
    text = json.dumps({"type": type_, **more}).encode()
    socket.connection.socket.sendall(frame(text) * count)


def wait_until_closed(socket: Socket) -> int:
    """Read frames until the site closes the socket. Return the code of the close frame."""
    with pytest.raises(ConnectionClosed) as caught:
        while True:
            socket.frame(20)
    assert caught.value.rcvd is not None
    return int(caught.value.rcvd.code)


def get_seek_types(frames: Sequence[dict[str, Any]]) -> list[str]:
    return [f["type"] for f in frames if f["type"] in {"seeking", "paired", "cancelled", "error"}]


class SilentSeeker:
    """A client that seeks a match, and then neither reads nor answers, on an open connection."""

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
