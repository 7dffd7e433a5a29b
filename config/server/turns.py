"""Decides which page is made next: only so many at a time, and households are served in turn."""

import asyncio
from collections import Counter, deque


class Crowded(Exception):  # noqa: N818  # an answer to people, not a fault
    """Too many requests of one household are waiting."""


class Turns:
    """At most `most` requests have a turn at the same time, and of one household at most half of
    them, so that nobody can keep all threads. At most `waiting` of one household may wait."""

    def __init__(self, most: int, waiting: int) -> None:
        self._free = most
        self._share = max(1, most // 2)
        self._may_wait = waiting
        self._going: Counter[str] = Counter()
        # The first household is next. After its turn it goes to the end.
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    def take(self, household: str) -> "asyncio.Future[None]":
        """A future that is done when the turn begins; end it by `give_back`. Raises `Crowded`."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        line = self._waiting.setdefault(household, deque())
        if len(line) >= self._may_wait:
            raise Crowded
        line.append(turn)
        self._let_go()
        return turn

    def give_back(self, household: str) -> None:
        """End a turn."""
        self._free += 1
        self._going[household] -= 1
        if not self._going[household]:
            del self._going[household]
        self._let_go()

    def leave(self, household: str, turn: "asyncio.Future[None]") -> None:
        """Give up a turn that was asked for or has just begun."""
        if turn.done():
            self.give_back(household)
            return
        line = self._waiting[household]
        line.remove(turn)
        if not line:
            del self._waiting[household]

    def _let_go(self) -> None:
        while self._free:
            found = next((h for h in self._waiting if self._going[h] < self._share), None)
            if found is None:
                return
            line = self._waiting.pop(found)
            line.popleft().set_result(None)
            if line:
                self._waiting[found] = line  # at the end
            self._free -= 1
            self._going[found] += 1
