"""Who plays whom in a wave of the pool: seekers in, pairs out.

A pair is worth the more, the nearer its ratings are and the longer its two have waited. The best
matching is the one that is worth most in all; as even the worst pair is worth something, hardly
anybody is left over for the sake of nearer ratings. `networkx` finds it for few seekers. Its time
grows with their cube (0.1 s for 50, 0.8 s for 100, 4 s for 200, in which nothing else of the
process goes on), so more of them are paired in the order of their ratings, almost as well.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations

from msgspec import Struct

WAVE_SECONDS = 3.0
"""From one wave to the next."""

EXACT = 50
"""So many seekers at the most are paired as well as can be."""

_NEAR = 300  # points between two who are paired in their first wave; twice that in their second
_PATIENT = 2  # waves after which anybody will do
_WORTH = 4000  # of a pair with equal ratings that has not waited
_FOR_WAITING = 50  # points for each wave that one of the two has waited
_MOST_WAVES = 10  # that count
_AROUND = 24  # seekers on each side in the order of ratings who may take up one that is left over
_TRIED = 100  # places that are asked to part from theirs for one who is left over


class Seeker(Struct, frozen=True):
    """One who waits. `waited` in seconds; `lowest` and `highest` bound the ratings that they want;
    `last` are the opponents of their last two rated matches, the last one first."""

    seek_id: str
    player_id: int
    rating: float
    waited: float = 0.0
    lowest: int = 0
    highest: int = _WORTH
    last: tuple[int, ...] = ()

    @property
    def waves(self) -> int:
        """The waves that the seeker was in before this one."""
        return int(self.waited / WAVE_SECONDS)


Pair = tuple[Seeker, Seeker]
Apart = Collection[frozenset[int]]


def pairs(seekers: Sequence[Seeker], apart: Apart = frozenset()) -> list[Pair]:
    """The pairs of this wave; `apart` are the pairs of players who are never brought together."""
    wave = _Wave(seekers, apart)
    return wave.best() if len(seekers) <= EXACT else wave.in_order()


def best_pairs(seekers: Sequence[Seeker], apart: Apart = frozenset()) -> list[Pair]:
    """The best matching, however long it takes."""
    return _Wave(seekers, apart).best()


def worth(one: Seeker, other: Seeker) -> float:
    """What the pair is worth, in points of rating. It is always more than 0."""
    waited = min(one.waves, _MOST_WAVES) + min(other.waves, _MOST_WAVES)
    return max(1.0, _WORTH - _apart(one, other)) + _FOR_WAITING * waited


def _apart(one: Seeker, other: Seeker) -> float:
    return abs(one.rating - other.rating)


class _Wave:
    """The seekers of one wave, in the order of their ratings."""

    def __init__(self, seekers: Sequence[Seeker], apart: Apart) -> None:
        self._seekers = sorted(seekers, key=lambda seeker: (seeker.rating, seeker.seek_id))
        self._apart = apart

    def may(self, one: Seeker, other: Seeker) -> bool:
        """Whether the two may be paired in this wave."""
        waves = max(one.waves, other.waves)
        if waves < _PATIENT and _apart(one, other) > _NEAR * (1 + waves):
            return False
        return self._could(one, other) and not self._has_had_enough(one, other)

    def _could(self, one: Seeker, other: Seeker) -> bool:
        """Whether the two may be paired at all, sooner or later."""
        return (
            one.player_id != other.player_id
            and one.lowest <= other.rating <= one.highest
            and other.lowest <= one.rating <= other.highest
            and frozenset((one.player_id, other.player_id)) not in self._apart
        )

    def _has_had_enough(self, one: Seeker, other: Seeker) -> bool:
        """Whether one of the two would play the other for the third time in a row although there
        is somebody else for one of them."""
        if one.last[:2] != (other.player_id,) * 2 and other.last[:2] != (one.player_id,) * 2:
            return False
        return any(
            third not in (one, other) and (self._could(one, third) or self._could(other, third))
            for third in self._seekers
        )

    def best(self) -> list[Pair]:
        """The pairs that are worth most in all."""
        import networkx  # takes a while, and most processes never need it

        graph = networkx.Graph()
        for one, other in combinations(range(len(self._seekers)), 2):
            pair = self._seekers[one], self._seekers[other]
            if self.may(*pair):
                graph.add_edge(one, other, weight=round(worth(*pair)))
        found = sorted(tuple(sorted(edge)) for edge in networkx.max_weight_matching(graph))
        return [(self._seekers[one], self._seekers[other]) for one, other in found]

    def in_order(self) -> list[Pair]:
        """Pairs of neighbours in the order of ratings, worth almost as much."""
        partner = self._of_neighbours()
        self._take_up(partner)
        return [
            (self._seekers[one], self._seekers[other])
            for one, other in sorted(partner.items())
            if one < other
        ]

    def _of_neighbours(self) -> dict[int, int]:
        """Who plays whom, by place in the order: the best choice of pairs that are no more than
        three places apart. `value[n]` is what the first `n` seekers are worth."""
        value, blocks = [0.0], [()]  # type: tuple[list[float], list[tuple[tuple[int, int], ...]]]
        sizes = [0]
        for end in range(1, len(self._seekers) + 1):
            best: tuple[float, int, tuple[tuple[int, int], ...]] = (value[end - 1], 1, ())
            for size, block in _blocks(end):
                if all(self.may(self._seekers[a], self._seekers[b]) for a, b in block):
                    gain = sum(worth(self._seekers[a], self._seekers[b]) for a, b in block)
                    best = max(best, (value[end - size] + gain, size, block))
            value.append(best[0])
            sizes.append(best[1])
            blocks.append(best[2])
        partner, end = {}, len(self._seekers)
        while end:
            for one, other in blocks[end]:
                partner[one], partner[other] = other, one
            end -= sizes[end]
        return partner

    def _take_up(self, partner: dict[int, int]) -> None:
        """Pair those who are left over, with each other or by parting pairs: along a path on which
        places that may be paired and places that are paired take turns."""
        left = [place for place in range(len(self._seekers)) if place not in partner]
        for one in left:
            if one in partner:
                continue
            path = self._path_from(one, partner, [at for at in left if at != one])
            for two in range(0, len(path), 2):
                _pair(partner, path[two], path[two + 1])

    def _path_from(self, start: int, partner: dict[int, int], left: list[int]) -> list[int]:
        """A path from one who is left over to another one; empty if none is found nearby."""
        free = [at for at in left if at not in partner]
        reached: dict[int, list[int]] = {start: [start]}  # who may be parted, and the path there
        for place in (queue := [start]):
            end = self._nearest(place, [at for at in free if at not in reached[place]])
            if end is not None:
                return [*reached[place], end]
            for taken in self._around(place):
                widow = partner.get(taken)
                if widow is None or widow in reached or taken in reached[place]:
                    continue
                if self.may(self._seekers[place], self._seekers[taken]):
                    reached[widow] = [*reached[place], taken, widow]
                    queue.append(widow)
            if len(queue) > _TRIED:
                break
        return []

    def _nearest(self, one: int, places: Iterable[int]) -> int | None:
        """The one of these places with whom the pair is worth most; None if none may be paired."""
        able = [at for at in places if self.may(self._seekers[one], self._seekers[at])]
        return max(able, key=lambda at: worth(self._seekers[one], self._seekers[at]), default=None)

    def _around(self, place: int) -> Iterator[int]:
        """The places nearby, the nearest first."""
        for far in range(1, _AROUND + 1):
            for near in (place - far, place + far):
                if 0 <= near < len(self._seekers):
                    yield near


def _pair(partner: dict[int, int], one: int, other: int) -> None:
    partner[one], partner[other] = other, one


def _blocks(end: int) -> Iterator[tuple[int, tuple[tuple[int, int], ...]]]:
    """The ways to pair the last of the first `end` places, with how many places each takes up."""
    last = end - 1
    if end >= 2:
        yield 2, ((last - 1, last),)
    if end >= 3:
        yield 3, ((last - 2, last),)
    if end >= 4:
        yield 4, ((last - 3, last),)
        yield 4, ((last - 3, last - 1), (last - 2, last))
        yield 4, ((last - 3, last), (last - 2, last - 1))
