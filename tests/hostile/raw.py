"""Clients that follow no protocol: raw TCP (or TLS), with every byte written here."""

import contextlib
import socket
import ssl
import struct
from collections.abc import Iterator, Sequence

from tests.builders.sites import Place

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
NOTHING_MORE = struct.pack("ii", 1, 0)  # SO_LINGER: closing sends a reset


def frame(
    body: bytes, kind: int = TEXT, *, last: bool = True, masked: bool = True, reserved: int = 0
) -> bytes:
    """A websocket frame, valid or not (RFC 6455, 5.2)."""
    first = (0x80 if last else 0) | reserved << 4 | kind
    mask = 0x80 if masked else 0
    size = len(body)
    if size < 126:
        head = bytes((first, mask | size))
    elif size < 1 << 16:
        head = bytes((first, mask | 126)) + size.to_bytes(2, "big")
    else:
        head = bytes((first, mask | 127)) + size.to_bytes(8, "big")
    return head + (b"\x11\x22\x33\x44" if masked else b"") + (_mask(body) if masked else body)


def _mask(body: bytes) -> bytes:
    key = b"\x11\x22\x33\x44"
    return bytes(byte ^ key[i % 4] for i, byte in enumerate(body))


def handshake(port: int, path: str, origin: str, cookie: str = "") -> bytes:
    """The request that opens a websocket."""
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        f"Origin: {origin}",
        *([f"Cookie: {cookie}"] if cookie else []),
    ]
    return "\r\n".join([*lines, "", ""]).encode()


def dial(place: Place, small: bool = False) -> socket.socket:
    """A new connection. With `small`, its receive buffer holds little unread data."""
    plain = socket.socket()
    if small:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    plain.settimeout(10)
    plain.connect(("127.0.0.1", place.port))
    if place.tls is None:
        return plain
    return place.tls.wrap_socket(plain, server_hostname="127.0.0.1")


def open_socket(place: Place, path: str, cookie: str = "", small: bool = False) -> socket.socket:
    """A websocket, opened without a library."""
    found = dial(place, small)
    found.sendall(handshake(place.port, path, place.url, cookie))
    answer = b""
    while b"\r\n\r\n" not in answer:
        more = found.recv(1)
        if not more:
            raise ConnectionError("closed in the handshake")
        answer += more
    if b" 101 " not in answer.split(b"\r\n", 1)[0]:
        raise ConnectionError(answer[:60])
    return found


def reset(connection: socket.socket) -> None:
    """Close with a reset, so that the peer gets an error."""
    with contextlib.suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NOTHING_MORE)
    connection.close()


def flood_and_reset(place: Place, path: str, pongs: int = 30_000, cookie: str = "") -> None:
    """Send empty unsolicited pongs, read nothing, and reset the connection."""
    with contextlib.suppress(OSError, ssl.SSLError):
        connection = open_socket(place, path, cookie)
        try:
            connection.sendall(frame(b"", PONG) * pongs)
        finally:
            reset(connection)


def frames_of(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Return the opcode and body of each complete frame from a server."""
    at = 0
    while at + 2 <= len(data):
        kind, size, head = data[at] & 15, data[at + 1] & 127, 2
        if size == 126:
            size, head = int.from_bytes(data[at + 2 : at + 4], "big"), 4
        elif size == 127:
            size, head = int.from_bytes(data[at + 2 : at + 10], "big"), 10
        if at + head + size > len(data):
            return
        yield kind, data[at + head : at + head + size]
        at += head + size


def read_until_closed(connection: socket.socket) -> list[tuple[int, bytes]]:
    """Return all frames until the server closes the connection or is silent for ten seconds."""
    found = b""
    with contextlib.suppress(OSError):
        while more := connection.recv(65536):
            found += more
    return list(frames_of(found))


def close_codes(frames: Sequence[tuple[int, bytes]]) -> list[int]:
    """The close codes of a socket."""
    return [int.from_bytes(body[:2], "big") for kind, body in frames if kind == 8]
