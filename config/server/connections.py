"""The open TCP connections of this server: their number, timeouts, unread data and direct writes.

If the server is full, a new connection replaces an idle one from the client network with the most
idle connections, the one that has waited longest. If the client network of the new connection has
used up its share, it replaces one from that network. Websockets, and connections whose request is
being answered, stay open.

Responses stay in memory until clients read them. If their size exceeds `_UNREAD_BYTES`, connections
of the client networks with the most unread data are closed, oldest first, including websockets.

`write` sends data on the socket directly, because Twisted's own `write` changes the reactor's
interest twice, which is a large part of the cost of a frame.
"""

import contextlib
import fcntl
import resource
import struct
import termios
import time
from collections import Counter, defaultdict, deque
from heapq import heapify, heappop, heappush
from typing import Any

from django.conf import settings
from msgspec import Struct

from games.runtime.metrics import count_refusal

_SPARE = 200  # file descriptors that are reserved for the database, files and everything else
# The maximum number of unread bytes for all clients of this process. The largest response is about
# 200 kB long, so this is enough for hundreds of slow clients.
_UNREAD_BYTES = 64 << 20
_UNREAD_LEFT = 0.75  # the share of this maximum that may remain after connections have been closed


class _Open(Struct):
    client_network: str
    until: float | None = None  # the client's deadline (`time.monotonic`); None if it has none
    grace: float = 0.0  # seconds for the next part of a response, after the client has read a part
    unread: int = 0  # the number of unread bytes, when they were last counted


class Connections:
    """The connections of one server, identified by their transports.

    `total` is the maximum number of connections, `share` the maximum for one client network (0:
    unlimited), and `unread` the maximum number of unread bytes for all clients.
    """

    def __init__(self, total: int, share: int, unread: int = _UNREAD_BYTES) -> None:
        self._total, self._share, self._most_unread = total, share, unread
        self._unread = 0  # the sum of the unread bytes, when they were last counted
        self._readers: dict[Any, None] = {}  # connections with unread data, oldest first
        self._open: dict[Any, _Open] = {}
        self._of: Counter[str] = Counter()  # the number of connections of each client network
        # The connections of each client network that have a deadline, in the order in which the
        # deadlines were set.
        self._awaited: defaultdict[str, dict[Any, None]] = defaultdict(dict)

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, transport: Any, client_network: str) -> bool:
        """Add a new connection, and close an idle one if needed.

        Return False if there is no room.
        """
        if self._share and self._of[client_network] >= self._share:
            if not self._give_up_one(client_network):
                return False
        elif len(self._open) >= self._total and not self._give_up_one(self._most_awaited()):
            return False
        self._open[transport] = _Open(client_network)
        self._of[client_network] += 1
        return True

    def expect(self, transport: Any, seconds: float) -> None:
        """Give the client this many seconds to act."""
        known = self._open.get(transport)
        if known is not None:
            known.until, known.grace = time.monotonic() + seconds, 0.0
            awaited = self._awaited[known.client_network]
            awaited.pop(transport, None)
            awaited[transport] = None

    def expect_reading(self, transport: Any, seconds: float) -> None:
        """Give the client this many seconds to read a part of the response, or to act after it.

        A slow client keeps its connection; a client that reads nothing loses its connection.
        """
        self.expect(transport, seconds)
        if transport in self._open:
            self._open[transport].grace = seconds
            self.count_unread(transport)

    def count_unread(self, transport: Any) -> None:
        """Count the unread bytes of this client. Close connections if the sum exceeds the limit."""
        known = self._open.get(transport)
        if known is None:
            return
        self._recount(transport, known)
        if self._unread > self._most_unread:
            self._close_heaviest()

    def total_unread(self) -> int:
        """Count the unread bytes of all clients and return their sum."""
        for transport in list(self._readers):
            self._recount(transport, self._open[transport])
        return self._unread

    def heard(self, transport: Any) -> None:
        """Stop the timeout, because the client has acted."""
        known = self._open.get(transport)
        if known is not None and known.until is not None:
            known.until = None
            self._forget_awaited(transport, known.client_network)

    def lost(self, transport: Any) -> None:
        known = self._open.pop(transport, None)
        if known is None:
            return
        self._unread -= known.unread
        self._readers.pop(transport, None)
        self._of[known.client_network] -= 1
        if not self._of[known.client_network]:
            del self._of[known.client_network]
        if known.until is not None:
            self._forget_awaited(transport, known.client_network)

    def sweep(self) -> None:
        """Close the connections whose timeout has passed."""
        now = time.monotonic()
        for transport in list(self._readers):
            known = self._open[transport]
            before = known.unread
            self._recount(transport, known)
            if known.unread < before and known.grace and known.until is not None:
                known.until = now + known.grace
        for transport, known in list(self._open.items()):
            if known.until is not None and known.until < now:
                self._give_up(transport)

    def _recount(self, transport: Any, known: _Open) -> None:
        unread = count_unread(transport)
        self._unread += unread - known.unread
        known.unread = unread
        if unread:
            self._readers[transport] = None
        else:
            self._readers.pop(transport, None)

    def _close_heaviest(self) -> None:
        """Close connections until the unread data is at most `_UNREAD_LEFT` of the maximum.

        Each time, close the oldest connection of the client network with the most unread data.
        """
        # Clients have read some of the data since the last count.
        if self.total_unread() <= self._most_unread:
            return
        of_client_network: defaultdict[str, deque[Any]] = defaultdict(deque)
        unread: Counter[str] = Counter()
        for transport in self._readers:
            known = self._open[transport]
            of_client_network[known.client_network].append(transport)
            unread[known.client_network] += known.unread
        heaviest = [(-count, client_network) for client_network, count in unread.items()]
        heapify(heaviest)
        while self._unread > _UNREAD_LEFT * self._most_unread:
            count, client_network = heappop(heaviest)
            transport = of_client_network[client_network].popleft()
            left = count + self._open[transport].unread
            count_refusal("unread-answers")
            self._give_up(transport)
            if of_client_network[client_network]:
                heappush(heaviest, (left, client_network))

    def _most_awaited(self) -> str:
        """Return the client network with the most idle connections."""
        return max(self._awaited, key=lambda each: len(self._awaited[each]), default="")

    def _give_up_one(self, client_network: str) -> bool:
        longest = next(iter(self._awaited.get(client_network, ())), None)
        if longest is None:
            return False
        count_refusal("too-many-connections")
        self._give_up(longest)
        return True

    def _give_up(self, transport: Any) -> None:
        self.lost(transport)  # stop counting it now, even if closing takes a moment
        transport.abortConnection()

    def _forget_awaited(self, transport: Any, client_network: str) -> None:
        awaited = self._awaited[client_network]
        awaited.pop(transport, None)
        if not awaited:
            del self._awaited[client_network]


def connection_limits() -> tuple[int, int]:
    """Return the maximum number of connections of this process, and that of a client network.

    The second number is 0 if there is no limit for a client network.
    """
    descriptors, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if descriptors == resource.RLIM_INFINITY:
        descriptors = settings.CONNECTIONS + _SPARE
    total = min(settings.CONNECTIONS, max(descriptors - _SPARE, descriptors // 2))
    # Behind a proxy, every connection comes from the proxy.
    if settings.BEHIND_PROXY or not settings.RATE_LIMITS:
        return total, 0
    return total, min(settings.CONNECTIONS_PER_ADDRESS, total // 2)


def raise_descriptor_limit() -> None:
    """Raise the limit on file descriptors to the maximum that the system allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):  # some systems allow less than they report
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


_INT = struct.Struct("i")


def count_unread(transport: Any) -> int:
    """Return the number of bytes that the client has not acknowledged.

    Count the bytes in the transport and, if the system reports their number, those in the kernel.
    """
    kept = int(len(transport.dataBuffer) - transport.offset + transport._tempDataLen)
    with contextlib.suppress(OSError):
        found = fcntl.ioctl(transport.socket, termios.TIOCOUTQ, bytes(_INT.size))
        kept += _INT.unpack(found)[0]
    return kept


def write(transport: Any, data: bytes) -> bool:
    """Write the data, or buffer it for a slow client. Return False if the buffer is full.

    Exceptions from the transport are not caught.
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
