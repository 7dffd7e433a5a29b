"""A queue that is fair to requesters, and a round-robin over requests that are stored elsewhere.

Client networks are served round-robin, and so are the players of one network. A client with a
thousand requests, or a thousand names, therefore delays others by one request, not by a thousand.
The module uses no clock, no settings and no database.
"""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Requester(NamedTuple):
    """A player who makes a request, and the player's network."""

    client_network: str = ""  # "" for the site itself
    player: int | str | None = None


SITE = Requester()
"""The site itself: the referee, the computer and background tasks."""


class FairQueue(Generic[T]):
    """A queue of requests. The requests of one requester stay in order."""

    def __init__(self) -> None:
        # New items in order of arrival, not sorted by requester yet.
        self._arrived: list[tuple[Requester, T]] = []
        # The first network is served next, and within it the first player. Both then move to the
        # end.
        self._networks: dict[str, dict[int | str | None, deque[T]]] = {}
        self._sorted_count = 0

    def __len__(self) -> int:
        return len(self._arrived) + self._sorted_count

    def put(self, requester: Requester, item: T) -> None:
        self._arrived.append((requester, item))

    def take(self, most: int, each: int) -> list[T]:
        """Take at most `most` items, and at most `each` from one client network.

        If no earlier items are left, and at most `most` and at most `each` items have arrived, they
        are taken in order of arrival. Otherwise, networks and players are served round-robin.
        """
        if not self._networks and len(self._arrived) <= min(most, each):
            arrived, self._arrived = self._arrived, []
            return [item for _, item in arrived]
        self._sort_in()
        taken: list[T] = []
        for _ in range(each):
            if not self._networks or len(taken) == most:
                break
            for network in list(self._networks):
                if len(taken) == most:
                    break
                taken.append(self._take_from(network))
        return taken

    def take_one(self, may_take: Callable[[str], bool]) -> tuple[str, T] | None:
        """Take the next item of a client network for which `may_take` returns True.

        Return the network and the item, or None if there is no such item.
        """
        self._sort_in()
        network = next((each for each in self._networks if may_take(each)), None)
        return None if network is None else (network, self._take_from(network))

    def count(self, client_network: str) -> int:
        """Return the number of items of a client network."""
        self._sort_in()
        return sum(map(len, self._networks.get(client_network, {}).values()))

    def remove(self, requester: Requester, item: T) -> None:
        """Remove an item, which must be in the queue."""
        self._sort_in()
        players = self._networks[requester.client_network]
        players[requester.player].remove(item)
        self._sorted_count -= 1
        if not players[requester.player]:
            del players[requester.player]
        if not players:
            del self._networks[requester.client_network]

    def _sort_in(self) -> None:
        self._sorted_count += len(self._arrived)
        for requester, item in self._arrived:
            players = self._networks.setdefault(requester.client_network, {})
            players.setdefault(requester.player, deque()).append(item)
        self._arrived = []

    def _take_from(self, network: str) -> T:
        players = self._networks.pop(network)
        player = next(iter(players))
        items = players.pop(player)
        item = items.popleft()
        if items:
            players[player] = items
        if players:
            self._networks[network] = players
        self._sorted_count -= 1
        return item


class RoundRobin:
    """A scheduler that chooses the network that was served longest ago, and within it the player.

    It remembers the `kept` networks and players that were served last.
    """

    def __init__(self, kept: int = 10_000) -> None:
        self._kept = kept
        # When each network (str) and each player was last served.
        self._served: dict[Requester | str, int] = {}
        self._count = 0

    def choose(self, waiting: Iterable[tuple[Requester, T]], most: int) -> list[T]:
        """Choose at most `most` of the waiting items, and record their requesters as served.

        Networks that have not been served come first, in the given order. Within a network, the
        same goes for players.
        """
        client_networks: dict[str, dict[Requester, deque[T]]] = {}
        for requester, item in waiting:
            players = client_networks.setdefault(requester.client_network, {})
            players.setdefault(requester, deque()).append(item)
        chosen: list[T] = []
        while client_networks and len(chosen) < most:
            client_network = min(client_networks, key=self._when)
            players = client_networks[client_network]
            player = min(players, key=self._when)
            chosen.append(players[player].popleft())
            self._note(client_network, player)
            if not players[player]:
                del players[player]
            if not players:
                del client_networks[client_network]
        return chosen

    def _when(self, who: Requester | str) -> int:
        return self._served.get(who, 0)

    def _note(self, *served: Requester | str) -> None:
        self._count += 1
        for who in served:
            self._served.pop(who, None)
            self._served[who] = self._count
        while len(self._served) > self._kept:
            del self._served[next(iter(self._served))]
