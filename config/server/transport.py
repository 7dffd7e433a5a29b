"""Direct writes to a connection, and a count of its unread data.

Twisted's own `write` changes the reactor's interest twice, which is a large part of the cost of a
frame.
"""

import contextlib
import fcntl
import struct
import termios
from typing import Any

from django.conf import settings

_INT = struct.Struct("i")


def count_unread(transport: Any) -> int:
    """Return the number of bytes that the client has not acknowledged.

    They are in the transport and, if the system reports them, in the kernel.
    """
    kept = int(len(transport.dataBuffer) - transport.offset + transport._tempDataLen)
    with contextlib.suppress(OSError):
        found = fcntl.ioctl(transport.socket, termios.TIOCOUTQ, bytes(_INT.size))
        kept += _INT.unpack(found)[0]
    return kept


def write(transport: Any, data: bytes) -> bool:
    """Write the data, or buffer it for a slow client. Return False if the buffer is full.

    Raise the exceptions of the transport.
    """
    # The data that Twisted buffers for a slow connection.
    waiting = len(transport.dataBuffer) - transport.offset + transport._tempDataLen
    if waiting:
        if waiting + len(data) > settings.MAX_SEND_BUFFER_BYTES:
            return False
        transport.write(data)
        return True
    try:
        written = transport.socket.send(data)
    except OSError:
        written = 0  # the reactor sends the data later, or notices the error
    if written != len(data):
        transport.write(data[written:])
    return True
