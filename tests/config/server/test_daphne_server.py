"""The server's periodic check of every connection."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from daphne.server import reactor

from config.server.connections import Connections
from config.server.daphne_server import SiteServer
from config.server.page_handler import PageHandler
from config.server.websocket import SocketProtocol
from tests.builders.transports import FakeTransport


class Broken:
    """A protocol whose calls all fail."""

    def __init__(self) -> None:
        self.transport = FakeTransport()

    def check_timeouts(self) -> None:
        raise RuntimeError("it is closed")

    def handle_exception(self, error: Exception) -> None:
        raise RuntimeError("it is closed")


class Sound(Broken):
    looked_at = 0

    def check_timeouts(self) -> None:
        self.looked_at += 1


class Failed:
    """An application that ended with an error."""

    def done(self) -> bool:
        return True

    def cancelled(self) -> bool:
        return False

    def exception(self) -> Exception:
        return ValueError("of the application")


def server_with(*connections: tuple[Any, dict[str, Any]]) -> SiteServer:
    """Create a server with these connections, which does not listen."""
    server = SiteServer.__new__(SiteServer)
    server.connections = dict(connections)
    server.tcp = Connections(10, 0)
    server.application_close_timeout = 10
    return server


def test_a_connection_that_fails_when_it_is_looked_at_is_closed_and_the_others_are_pinged() -> None:
    first, broken, last = Sound(), Broken(), Sound()
    server = server_with(*((each, {"connected": time.time()}) for each in (first, broken, last)))
    for _ in range(2):
        server.timeout_checker()
    assert (first.looked_at, last.looked_at) == (2, 2)
    assert broken.transport.is_closed
    assert not first.transport.is_closed


def test_of_many_connections_a_few_are_looked_at_in_one_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    later: list[tuple[Callable[..., None], tuple[Any, ...]]] = []
    monkeypatch.setattr(
        reactor, "callLater", lambda _, call, *arguments: later.append((call, arguments))
    )
    many = [Sound() for _ in range(50)]
    server = server_with(*((each, {"connected": time.time()}) for each in many))
    server.timeout_checker()
    assert 0 < sum(each.looked_at for each in many) < 25
    del server.connections[many[-1]]  # it ends before it is checked
    while later[-1][0] != server.timeout_checker:
        call, arguments = later.pop()
        call(*arguments)
    assert [each.looked_at for each in many] == [1] * 49 + [0]


def test_one_that_cannot_be_told_of_a_failure_is_closed_and_let_go() -> None:
    broken, gone = Broken(), Sound()
    server = server_with(
        (broken, {"connected": time.time(), "application_instance": Failed()}),
        (gone, {"connected": time.time(), "disconnected": time.time()}),
    )
    server.application_checker()
    assert broken.transport.is_closed
    assert gone not in server.connections
    server.application_checker()
    assert server.connections == {}


def test_a_websocket_that_is_not_accepted_is_refused_without_a_timer_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refused: list[SocketProtocol] = []

    def reject(protocol: SocketProtocol) -> None:
        refused.append(protocol)

    monkeypatch.setattr(SocketProtocol, "serverReject", reject)
    server = SiteServer(None, PageHandler(), "127.0.0.1", 0, lambda: None)
    assert server.websocket_handshake_timeout == 0
    server.connections = {}  # set when the server runs
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)
    young, old = (SocketProtocol.__new__(SocketProtocol) for _ in range(2))
    for protocol, seconds in ((young, 4.0), (old, 5.1)):
        protocol.server, protocol.state = server, SocketProtocol.STATE_CONNECTING
        protocol.socket_opened = now - seconds
        server.connections[protocol] = {"connected": protocol.socket_opened}
    monkeypatch.setattr(reactor, "callLater", lambda *_: None)
    server.timeout_checker()
    assert refused == [old]
