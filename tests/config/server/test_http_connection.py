"""Pipelined requests wait until the client has read the earlier responses."""

from types import SimpleNamespace
from typing import Any

from daphne.server import Server as DaphneServer
from twisted.internet.testing import StringTransport

from config.server.connections import Connections
from config.server.http_connection import HttpConnection
from tests.builders.transports import UNUSED_SOCKET

GET = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"
ANSWER = b"x" * 100_000
BUFFER = 65_536


class Transport(StringTransport):
    """A connection whose client reads only when `read` is called."""

    dataBuffer, offset, bufferSize = b"", 0, BUFFER  # noqa: N815  # the library's names
    is_aborted = False
    socket = UNUSED_SOCKET

    @property
    def _tempDataLen(self) -> int:  # noqa: N802  # the library's name
        return len(self.value())

    def write(self, data: bytes) -> None:
        super().write(data)
        if self.streaming and len(self.value()) > self.bufferSize:
            self.producer.pauseProducing()

    def writeSequence(self, data: Any) -> None:  # noqa: N802  # the library's name
        self.write(b"".join(data))

    def read(self) -> bytes:
        found = self.value()
        self.clear()
        self.producer.resumeProducing()
        return found

    def abortConnection(self) -> None:  # noqa: N802  # the library's name
        self.is_aborted = True


class Server:
    """The part of the server that a channel needs. It records the requests to be answered."""

    is_ending = False
    proxy_forwarded_address_header = None
    root_path = server_name = ""
    request_buffer_size = 8192
    log_action = DaphneServer.log_action
    action_logger = None

    def __init__(self, connections: Connections | None = None) -> None:
        self.tcp = Connections(10, 0) if connections is None else connections
        self.asked: list[Any] = []

    def protocol_connected(self, protocol: Any) -> None: ...

    def protocol_disconnected(self, protocol: Any) -> None: ...

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        self.asked.append(protocol)
        return SimpleNamespace(put_nowait=lambda event: None)

    def answer(self, body: bytes = ANSWER) -> None:
        """Answer the last request."""
        request = self.asked[-1]
        headers = [(b"Content-Length", b"%d" % len(body))]
        request.handle_reply({"type": "http.response.start", "status": 200, "headers": headers})
        request.handle_reply({"type": "http.response.body", "body": body})


def connect(server: Server) -> tuple[HttpConnection, Transport]:
    channel, transport = HttpConnection(), Transport()
    channel.factory = SimpleNamespace(server=server, log=lambda request: None)
    channel.makeConnection(transport)
    return channel, transport


def test_requests_wait_while_the_answers_before_them_are_not_read() -> None:
    server = Server()
    channel, transport = connect(server)
    channel.dataReceived(GET * 5)
    server.answer()
    assert len(server.asked) == 1
    assert transport.producerState == "paused", "no further request is read either"
    for number in range(2, 6):
        assert transport.read().endswith(ANSWER)
        assert len(server.asked) == number
        server.answer()
    transport.read()
    assert transport.producerState == "producing"
    channel.dataReceived(GET)
    assert len(server.asked) == 6


def test_small_answers_go_on_until_they_are_a_large_one_together() -> None:
    server = Server()
    channel, transport = connect(server)
    channel.dataReceived(GET * 50)
    for _ in range(50):
        server.answer(b"x" * 10_000)
    answered = len(server.asked)
    assert BUFFER // 11_000 < answered < 10
    assert len(transport.value()) < BUFFER + 11_000


def test_half_a_request_waits_too_and_is_completed_later() -> None:
    server = Server()
    channel, transport = connect(server)
    channel.dataReceived(GET + GET[:20])
    server.answer()
    transport.read()
    assert len(server.asked) == 1
    channel.dataReceived(GET[20:])
    assert len(server.asked) == 2


def test_connections_of_a_server_that_ends_are_closed_after_the_answer() -> None:
    server = Server()
    channel, transport = connect(server)
    channel.dataReceived(GET * 2)
    server.is_ending = True
    server.answer(b"whole")
    assert b"connection: close" in transport.value().lower()
    assert transport.value().endswith(b"whole")
    assert transport.disconnecting
    assert len(server.asked) == 1


def test_unread_answers_of_all_connections_have_one_bound() -> None:
    server = Server(Connections(10, 0, unread=250_000))
    connections = [connect(server) for _ in range(3)]
    for channel, _ in connections:
        channel.dataReceived(GET)
        server.answer()
    assert [transport.is_aborted for _, transport in connections] == [True, True, False]
