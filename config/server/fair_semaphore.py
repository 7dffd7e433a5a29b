"""The semaphore that limits how many requests get a thread at the same time."""

import asyncio
from collections import Counter

from games.runtime.fair_queue import FairQueue, Requester


class QueueFull(Exception):  # noqa: N818  # a refusal, not a fault
    """Too many requests of one client network are waiting."""


class FairSemaphore:
    """A semaphore with `most` places, which client networks enter in turn.

    One network gets at most half of the places, so that it cannot use all threads, and at most
    `waiting` of its requests may wait.
    """

    def __init__(self, most: int, waiting: int) -> None:
        self._free = most
        self._share = max(1, most // 2)
        self._may_wait = waiting
        self._held: Counter[str] = Counter()
        self._waiting: FairQueue[asyncio.Future[None]] = FairQueue()

    def acquire(self, client_network: str) -> "asyncio.Future[None]":
        """Return a future that is done when the request may enter.

        Raise `QueueFull` if too many requests of the client network are waiting.
        """
        if self._waiting.count(client_network) >= self._may_wait:
            raise QueueFull
        entered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.put(Requester(client_network), entered)
        self._admit()
        return entered

    def release(self, client_network: str) -> None:
        """Free the place of a request that has entered."""
        self._free += 1
        self._held[client_network] -= 1
        if not self._held[client_network]:
            del self._held[client_network]
        self._admit()

    def cancel(self, client_network: str, entered: "asyncio.Future[None]") -> None:
        """Withdraw a request that is waiting, or free its place if it has entered."""
        if entered.done():
            self.release(client_network)
        else:
            self._waiting.remove(Requester(client_network), entered)

    def _admit(self) -> None:
        while self._free:
            found = self._waiting.take_one(lambda network: self._held[network] < self._share)
            if found is None:
                return
            network, entered = found
            self._free -= 1
            self._held[network] += 1
            entered.set_result(None)
