"""The connection between a server and its background process (`config.background`).

It carries hints (`games.runtime.pubsub`) and the status of the background process. A message may be
lost, because the sender never waits. When one process ends, the other one notices immediately.
"""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from msgspec import json

_MOST_BYTES = 1 << 18  # more than the largest message that the kernel accepts
_AT_ONCE = 50  # messages that are read before other events are handled

Message = dict[str, Any]


def create_ends() -> tuple[socket.socket, socket.socket]:
    """Return the two ends of a connection.

    Messages arrive whole, and each end notices when the other one closes.
    """
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


class ProcessLink:
    """This process's end of the connection.

    `groups` are the groups of hints that the other process has subscribed to. None means all of
    them: the background process publishes rarely, but the server's subscriptions change often.
    """

    def __init__(self, end: socket.socket, groups: frozenset[str] | None) -> None:
        end.setblocking(False)
        self._end = end
        self.groups = groups

    def is_heard(self, group: str) -> bool:
        """Return whether the other process has subscribed to the group."""
        return self.groups is None or group in self.groups

    def send(self, message: Message) -> None:
        """Send a message from any thread.

        Drop it if the other process has ended, or has not read the last few hundred messages.
        """
        with suppress(OSError):
            self._end.send(json.encode(message))

    def listen(self, hear: Callable[[Message], None], at_end: Callable[[], None]) -> None:
        """Call `hear` with each message, and `at_end` when the other process has ended."""
        loop = asyncio.get_running_loop()

        def read() -> None:
            for _ in range(_AT_ONCE):
                try:
                    data = self._end.recv(_MOST_BYTES)
                except BlockingIOError:
                    return
                except OSError:  # the other process ended without reading all messages
                    data = b""
                if not data:
                    loop.remove_reader(self._end)
                    at_end()
                    return
                hear(json.decode(data))

        loop.add_reader(self._end, read)

    def close(self) -> None:
        self._end.close()
