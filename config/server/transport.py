"""Writes to a connection at once, unless something waits before it, and counts what waits.

Twisted would change the reactor's interest twice for each write, which is a good part of what a
frame or a line costs.
"""

import contextlib
import fcntl
import struct
import termios
from typing import Any

from django.conf import settings

_INT = struct.Struct("i")


def count_unread(transport: Any) -> int:
    """Return how many bytes the client has not acknowledged: those that the transport keeps and,
    where the system tells, those that the kernel keeps."""
    kept = int(len(transport.dataBuffer) - transport.offset + transport._tempDataLen)
    with contextlib.suppress(OSError):
        found = fcntl.ioctl(transport.socket, termios.TIOCOUTQ, bytes(_INT.size))
        kept += _INT.unpack(found)[0]
    return kept


def write(transport: Any, data: bytes) -> bool:
    """Write the data, or keep what a slow client does not take yet. False where too much waits
    for it already. May raise whatever the transport raises."""
    # The data that Twisted keeps for a slow connection.
    waiting = len(transport.dataBuffer) - transport.offset + transport._tempDataLen
    if waiting:
        if waiting + len(data) > settings.MAX_SEND_BUFFER_BYTES:
            return False
        transport.write(data)
        return True
    try:
        written = transport.socket.send(data)
    except OSError:
        written = 0  # the reactor sends it later, or notices the failure
    if written != len(data):
        transport.write(data[written:])
    return True
