"""The pairing of the seekers in one wave of a pool.

A pair is worth more the closer the ratings are and the longer the players have waited. The best
matching has the highest total worth. Even the worst pair has some worth, so players are hardly ever
left over for the sake of closer ratings.

`rustworkx` finds the best matching, and blocks the other threads of the process while it does so: 3
ms for 100 seekers, 20 ms for 200, and 0.7 s for 500. Larger waves are therefore divided into blocks
by rating.
"""

from collections.abc import Collection, Sequence
from itertools import combinations
from math import ceil

from msgspec import Struct

WAVE_SECONDS = 3.0
"""Seconds between two waves."""

BLOCK = 200
"""The maximum number of seekers in a block, besides those left over from the previous block."""

# The maximum difference in rating between two players in their first wave. It is doubled in the
# second wave of one of them.
_NEAR = 300
_PATIENT = 2  # waves after which any difference in rating is acceptable
_WORTH = 4000  # the worth of a pair with equal ratings that has not waited
_FOR_WAITING = 50  # rating points for each wave that one of the two has waited
_MOST_WAVES = 10  # the maximum number of waited waves that count
_CARRIED = 50  # the maximum number of left-over seekers who join the next block


class Seeker(Struct, frozen=True):
    """A player who is waiting in a pool.

    `waited` is in seconds. `lowest` and `highest` are the bounds on the opponent's rating. `last`
    has the opponents in the player's last two rated matches, latest first.
    """

    seek_id: str
    player_id: int
    rating: float
    waited: float = 0.0
    lowest: int = 0
    highest: int = _WORTH
    last: tuple[int, ...] = ()

    @property
    def waves(self) -> int:
        """The number of waves for which the seeker has waited."""
        return int(self.waited / WAVE_SECONDS)


Pair = tuple[Seeker, Seeker]
Apart = Collection[frozenset[int]]


def pair_seekers(seekers: Sequence[Seeker], apart: Apart = frozenset()) -> list[Pair]:
    """Return the pairs of this wave. `apart` has the pairs of players who must not play each other.

    Up to `_CARRIED` seekers who are left over in one block join the next one.
    """
    wave = _Wave(seekers, apart)
    found: list[Pair] = []
    left: list[Seeker] = []
    blocks = max(1, ceil(len(seekers) / BLOCK))
    size = max(1, ceil(len(seekers) / blocks))
    for start in range(0, len(seekers), size):
        block = [*left, *wave.seekers[start : start + size]]
        matched = wave.match(block)
        found += matched
        paired = {seeker.seek_id for pair in matched for seeker in pair}
        left = [seeker for seeker in block if seeker.seek_id not in paired][-_CARRIED:]
    return found


def find_best_pairs(seekers: Sequence[Seeker], apart: Apart = frozenset()) -> list[Pair]:
    """Return the best matching of all seekers in a single block."""
    wave = _Wave(seekers, apart)
    return wave.match(wave.seekers)


def compute_worth(one: Seeker, other: Seeker) -> float:
    """Return the worth of a pair in rating points, always more than 0."""
    waited = min(one.waves, _MOST_WAVES) + min(other.waves, _MOST_WAVES)
    return max(1.0, _WORTH - _apart(one, other)) + _FOR_WAITING * waited


def _apart(one: Seeker, other: Seeker) -> float:
    return abs(one.rating - other.rating)


class _Wave:
    """The seekers of one wave, sorted by rating."""

    def __init__(self, seekers: Sequence[Seeker], apart: Apart) -> None:
        self.seekers = sorted(seekers, key=lambda seeker: (seeker.rating, seeker.seek_id))
        self._apart = apart

    def may(self, one: Seeker, other: Seeker) -> bool:
        """Return whether two seekers may be paired in this wave."""
        waves = max(one.waves, other.waves)
        if waves < _PATIENT and _apart(one, other) > _NEAR * (1 + waves):
            return False
        return self._could(one, other) and not self._has_had_enough(one, other)

    def _could(self, one: Seeker, other: Seeker) -> bool:
        """Return whether two seekers may be paired in any wave."""
        return (
            one.player_id != other.player_id
            and one.lowest <= other.rating <= one.highest
            and other.lowest <= one.rating <= other.highest
            and frozenset((one.player_id, other.player_id)) not in self._apart
        )

    def _has_had_enough(self, one: Seeker, other: Seeker) -> bool:
        """Return whether one of the two has just met the other twice, and either could play others.

        Only rated matches count.
        """
        if one.last[:2] != (other.player_id,) * 2 and other.last[:2] != (one.player_id,) * 2:
            return False
        return any(
            third not in (one, other) and (self._could(one, third) or self._could(other, third))
            for third in self.seekers
        )

    def match(self, block: Sequence[Seeker]) -> list[Pair]:
        """Return the pairs of these seekers with the highest total worth."""
        import rustworkx  # imported late, because most processes never need it

        edges = [
            (one, other, round(compute_worth(block[one], block[other])))
            for one, other in combinations(range(len(block)), 2)
            if self.may(block[one], block[other])
        ]
        graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph()
        graph.extend_from_weighted_edge_list(edges)
        found = rustworkx.max_weight_matching(graph, weight_fn=int)
        return [(block[one], block[other]) for one, other in sorted(map(sorted, found))]
