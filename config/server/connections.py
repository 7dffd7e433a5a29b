"""The TCP connections of this server: how many may be open, and how long each may keep us waiting.

If there is no room for a new connection, we close the one that has kept us waiting longest for the
rest of a request, or for its next request. If the new one's household has used up its share, we
close one of that household. Websockets, and connections whose request we are answering, stay open.
"""

import contextlib
import resource
import time
from collections import Counter, defaultdict
from typing import Any

from django.conf import settings
from msgspec import Struct

from games.runtime.metrics import refused

_SPARE = 200  # descriptors kept for the database, files, and all else


class _Open(Struct):
    household: str
    until: float | None = None  # when the client must have acted; None: the client waits for us


class Connections:
    """The connections of one server, by their transports.

    `total`: how many may be open. `share`: how many of one household (0: no such bound).
    """

    def __init__(self, total: int, share: int) -> None:
        self._total, self._share = total, share
        self._open: dict[Any, _Open] = {}
        self._of: Counter[str] = Counter()  # the number of connections of each household
        # The connections that keep us waiting, by household, longest first.
        self._awaited: defaultdict[str, dict[Any, None]] = defaultdict(dict)

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, transport: Any, household: str) -> bool:
        """Count a new connection, and make room for it. False if there is no room."""
        if self._share and self._of[household] >= self._share:
            if not self._give_up_one(household):
                return False
        elif len(self._open) >= self._total and not self._give_up_one(self._most_awaited()):
            return False
        self._open[transport] = _Open(household)
        self._of[household] += 1
        return True

    def expect(self, transport: Any, seconds: float) -> None:
        """The client must act within so many seconds."""
        known = self._open.get(transport)
        if known is not None:
            known.until = time.monotonic() + seconds
            awaited = self._awaited[known.household]
            awaited.pop(transport, None)
            awaited[transport] = None

    def heard(self, transport: Any) -> None:
        """The client has acted."""
        known = self._open.get(transport)
        if known is not None and known.until is not None:
            known.until = None
            self._forget_awaited(transport, known.household)

    def lost(self, transport: Any) -> None:
        known = self._open.pop(transport, None)
        if known is None:
            return
        self._of[known.household] -= 1
        if not self._of[known.household]:
            del self._of[known.household]
        if known.until is not None:
            self._forget_awaited(transport, known.household)

    def sweep(self) -> None:
        """Close the connections whose time is up."""
        now = time.monotonic()
        for transport, known in list(self._open.items()):
            if known.until is not None and known.until < now:
                self._give_up(transport)

    def _most_awaited(self) -> str:
        """The household that keeps us waiting in the most connections."""
        return max(self._awaited, key=lambda each: len(self._awaited[each]), default="")

    def _give_up_one(self, household: str) -> bool:
        longest = next(iter(self._awaited.get(household, ())), None)
        if longest is None:
            return False
        refused("too-many-connections")
        self._give_up(longest)
        return True

    def _give_up(self, transport: Any) -> None:
        self.lost(transport)  # not counted any more, even if the end takes a moment
        transport.abortConnection()

    def _forget_awaited(self, transport: Any, household: str) -> None:
        awaited = self._awaited[household]
        awaited.pop(transport, None)
        if not awaited:
            del self._awaited[household]


def limits() -> tuple[int, int]:
    """The most connections, and the most of one household, for this process and its settings."""
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
