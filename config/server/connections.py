"""The TCP connections of this server: how many may be open, how long each may keep us waiting, and
how much all of them may leave unread.

If there is no room for a new connection, we close the one that has kept us waiting longest for the
rest of a request, or for its next request. If the new one's network has used up its share, we
close one of that network. Websockets, and connections whose request we are answering, stay open.

Answers wait in memory until their clients read them. If they grow beyond `_UNREAD_BYTES`, the
network that leaves the most unread loses connections, oldest first, whatever they are used for.
"""

import contextlib
import resource
import time
from collections import Counter, defaultdict, deque
from heapq import heapify, heappop, heappush
from typing import Any

from django.conf import settings
from msgspec import Struct

from config.server.transport import count_unread
from games.runtime.metrics import refused

_SPARE = 200  # descriptors kept for the database, files, and all else
# Bytes that all clients of this process together may leave unread. The largest answer has about
# 200 kB, so hundreds of slow readers fit.
_UNREAD_BYTES = 64 << 20
_UNREAD_LEFT = 0.75  # the part of them that may be left after connections were closed


class _Open(Struct):
    client_network: str
    until: float | None = None  # when the client must have acted; None: the client waits for us
    grace: float = 0.0  # seconds granted again each time the client reads a part of its answer
    unread: int = 0  # bytes that waited for the client when they were last counted


class Connections:
    """The connections of one server, by their transports.

    `total`: how many may be open. `share`: how many of one network (0: no such bound). `unread`:
    how many bytes all clients together may leave unread.
    """

    def __init__(self, total: int, share: int, unread: int = _UNREAD_BYTES) -> None:
        self._total, self._share, self._most_unread = total, share, unread
        self._unread = 0  # the unread bytes of all connections, as last counted
        self._readers: dict[Any, None] = {}  # the connections with something unread, oldest first
        self._open: dict[Any, _Open] = {}
        self._of: Counter[str] = Counter()  # the number of connections of each network
        # The connections that keep us waiting, by network, longest first.
        self._awaited: defaultdict[str, dict[Any, None]] = defaultdict(dict)

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, transport: Any, client_network: str) -> bool:
        """Count a new connection, and make room for it. False if there is no room."""
        if self._share and self._of[client_network] >= self._share:
            if not self._give_up_one(client_network):
                return False
        elif len(self._open) >= self._total and not self._give_up_one(self._most_awaited()):
            return False
        self._open[transport] = _Open(client_network)
        self._of[client_network] += 1
        return True

    def expect(self, transport: Any, seconds: float) -> None:
        """The client must act within so many seconds."""
        known = self._open.get(transport)
        if known is not None:
            known.until, known.grace = time.monotonic() + seconds, 0.0
            awaited = self._awaited[known.client_network]
            awaited.pop(transport, None)
            awaited[transport] = None

    def expect_reading(self, transport: Any, seconds: float) -> None:
        """The client must read its answer and then act. The time starts again whenever it has read
        a part, so a slow client is not closed, but a client that reads nothing is."""
        self.expect(transport, seconds)
        if transport in self._open:
            self._open[transport].grace = seconds
            self.count_unread(transport)

    def count_unread(self, transport: Any) -> None:
        """Count the unread bytes of this client. If those of all clients exceed the limit, close
        connections."""
        known = self._open.get(transport)
        if known is None:
            return
        self._recount(transport, known)
        if self._unread > self._most_unread:
            self._close_heaviest()

    def total_unread(self) -> int:
        """Count the unread bytes of all clients again and return their sum."""
        for transport in list(self._readers):
            self._recount(transport, self._open[transport])
        return self._unread

    def heard(self, transport: Any) -> None:
        """The client has acted."""
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
        """Close the connections whose time is up."""
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
        """Close connections of the network that leaves the most unread, until there is room."""
        if self.total_unread() <= self._most_unread:  # some of it was read meanwhile
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
            refused("unread-answers")
            self._give_up(transport)
            if of_client_network[client_network]:
                heappush(heaviest, (left, client_network))

    def _most_awaited(self) -> str:
        """The network that keeps us waiting in the most connections."""
        return max(self._awaited, key=lambda each: len(self._awaited[each]), default="")

    def _give_up_one(self, client_network: str) -> bool:
        longest = next(iter(self._awaited.get(client_network, ())), None)
        if longest is None:
            return False
        refused("too-many-connections")
        self._give_up(longest)
        return True

    def _give_up(self, transport: Any) -> None:
        self.lost(transport)  # not counted any more, even if the end takes a moment
        transport.abortConnection()

    def _forget_awaited(self, transport: Any, client_network: str) -> None:
        awaited = self._awaited[client_network]
        awaited.pop(transport, None)
        if not awaited:
            del self._awaited[client_network]


def limits() -> tuple[int, int]:
    """The most connections, and the most of one network, for this process and its settings."""
    descriptors, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if descriptors == resource.RLIM_INFINITY:
        descriptors = settings.CONNECTIONS + _SPARE
    total = min(settings.CONNECTIONS, max(descriptors - _SPARE, descriptors // 2))
    # Behind a proxy every connection comes from the proxy.
    if settings.BEHIND_PROXY or not settings.RATE_LIMITS:
        return total, 0
    return total, min(settings.CONNECTIONS_PER_ADDRESS, total // 2)


def raise_descriptor_limit() -> None:
    """Let this process open as many files and connections as the system allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):  # a system may grant less than it says
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
