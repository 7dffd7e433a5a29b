"""A connection's transport, for tests of the server without a network."""

import socket

UNUSED_SOCKET = socket.socket()  # not connected, so no data is buffered


class FakeTransport:
    """A transport that only records that it was closed."""

    is_closed = False
    dataBuffer, offset, _tempDataLen, socket = b"", 0, 0, UNUSED_SOCKET  # noqa: N815  # the library's names

    def abortConnection(self) -> None:  # noqa: N802  # the library's name
        self.is_closed = True
