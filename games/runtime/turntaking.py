"""Fair queues: those who ask take turns, in whatever order they came.

The households take turns, and within a household its players. So somebody who asks a thousand
times, or under a thousand names from one address, delays a stranger by one turn and not by a
thousand. Pure: no clock, no settings, no database.
"""

from collections import deque
from collections.abc import Iterable
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Asker(NamedTuple):
    """Who asks for something."""

    household: str = ""  # "" is the site itself
    player: int | str | None = None


SITE = Asker()
"""The site itself: its referee, its computer, its upkeep."""


class Line(Generic[T]):
    """A queue of several askers' items, from which batches are taken."""

    def __init__(self) -> None:
        self._came: list[tuple[Asker, T]] = []  # in order of arrival, not sorted in yet
        self._sorted: dict[str, dict[int | str | None, deque[T]]] = {}
        self._sorted_count = 0

    def __len__(self) -> int:
        return len(self._came) + self._sorted_count

    def put(self, asker: Asker, item: T) -> None:
        self._came.append((asker, item))

    def take(self, most: int, each: int) -> list[T]:
        """Take at most `most` items, and at most `each` of one household.

        If no more than `each` are in the queue, they come in order of arrival, without any sorting.
        """
        if not self._sorted and len(self._came) <= min(most, each):
            came, self._came = self._came, []
            return [item for _, item in came]
        self._sort_in()
        taken: list[T] = []
        for _ in range(each):
            if not self._sorted or len(taken) == most:
                break
            for household in list(self._sorted):
                if len(taken) == most:
                    break
                taken.append(self._next_of(household))
        self._sorted_count -= len(taken)
        return taken

    def _sort_in(self) -> None:
        self._sorted_count += len(self._came)
        for asker, item in self._came:
            players = self._sorted.setdefault(asker.household, {})
            players.setdefault(asker.player, deque()).append(item)
        self._came = []

    def _next_of(self, household: str) -> T:
        """The next item of a household. The household then goes to the end of the round, and its
        player to the end of the household's round."""
        players = self._sorted.pop(household)
        player = next(iter(players))
        items = players.pop(player)
        item = items.popleft()
        if items:
            players[player] = items
        if players:
            self._sorted[household] = players
        return item


class Rota:
    """Remembers when each asker was served; of those who wait, it chooses the one served longest
    ago."""

    def __init__(self, kept: int = 10_000) -> None:
        self._kept = kept
        self._served: dict[Asker | str, int] = {}  # the households (str) and the players
        self._count = 0

    def choose(self, waiting: Iterable[tuple[Asker, T]], most: int) -> list[T]:
        """Choose at most `most` of those who wait, and note them as served. Two who were never
        served keep their order."""
        households: dict[str, dict[Asker, deque[T]]] = {}
        for asker, item in waiting:
            players = households.setdefault(asker.household, {})
            players.setdefault(asker, deque()).append(item)
        chosen: list[T] = []
        while households and len(chosen) < most:
            household = min(households, key=self._when)
            players = households[household]
            player = min(players, key=self._when)
            chosen.append(players[player].popleft())
            self._note(household, player)
            if not players[player]:
                del players[player]
            if not players:
                del households[household]
        return chosen

    def _when(self, who: Asker | str) -> int:
        return self._served.get(who, 0)

    def _note(self, *served: Asker | str) -> None:
        self._count += 1
        for who in served:
            self._served.pop(who, None)
            self._served[who] = self._count
        while len(self._served) > self._kept:
            del self._served[next(iter(self._served))]
