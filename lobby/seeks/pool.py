"""Pools, in which players who seek a rated match wait for the next wave of their setup.

All servers share the pools. A pool consists of the seeks with one setup, and a row with the time of
its next wave. The server that leases the row runs the wave (`games.runtime.leases`): it chooses the
pairs, and `lobby.seeks.matchmaking` pairs each of them like any other two seeks. Even if two
servers ran the same wave, nobody would be paired twice.

A transaction that stores a seek holds the lock of the pool's row until it ends. So does a server
that ends the waves because nobody is waiting. No seek is therefore left without a wave.

A pair is worth more the closer the ratings are and the longer the players have waited. The best
matching has the highest total worth. Even the worst pair has some worth, so players are hardly ever
left over for the sake of closer ratings.

`rustworkx` finds the best matching, and blocks the other threads of the process while it does so: 3
ms for 100 seekers, 20 ms for 200, and 0.7 s for 500. Larger waves are therefore divided into blocks
by rating.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from itertools import combinations
from math import ceil

from django.db import transaction
from django.db.models import Min, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from msgspec import Struct
from msgspec.structs import asdict

from games.match.setup import Setup
from games.runtime.leases import Lease
from lobby.models import Block, Played, Pool, Seek
from lobby.models.seek import POOLED
from lobby.ratings.standing import get_current_ratings
from lobby.seeks.offers import get_listed_seeks

WAVE_SECONDS = 3.0
"""Seconds between two waves."""

BLOCK = 200
"""The maximum number of seekers in a block, besides those left over from the previous block."""

# The maximum difference in rating between two players who are both in their first wave. It doubles
# as soon as either of them is in the second.
_NEAR = 300
_PATIENT = 2  # waves after which any difference in rating is acceptable
_WORTH = 4000  # the worth of a pair with equal ratings that has not waited
_FOR_WAITING = 50  # rating points for each wave that one of the two has waited
_MOST_WAVES = 10  # the maximum number of waves of waiting that count
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


_FIRST = timedelta(seconds=1)  # the time from the first seek to the first wave
_EVERY = timedelta(seconds=WAVE_SECONDS)
_LEASE = Lease("due_at", timedelta(seconds=10))
_AT_ONCE = 20  # the maximum number of waves that one server leases at a time
_SEEKERS_PER_WAVE = 2000  # the maximum number of seekers in a wave, those with the longest wait


class Wave(Struct, frozen=True):
    """A wave that this process has leased until `until`."""

    pool: int
    setup: Setup
    began: datetime
    until: datetime


def schedule_wave(setup: Setup) -> None:
    """Schedule the pool's next wave, unless one is already scheduled.

    Call this in the transaction that stores the seek, so that the pool's row stays locked until its
    commit.
    """
    row, _ = Pool.objects.get_or_create(game=setup.game, clock=setup.clock, options=setup.options)
    first = timezone.now() + _FIRST
    Pool.objects.filter(pk=row.pk).update(due_at=Coalesce("due_at", first))


def lease_waves() -> tuple[list[Wave], float | None]:
    """Lease due waves. Return those that were leased, and the seconds until the next wave.

    The seconds are None if nobody is waiting in any pool.
    """
    now, found = timezone.now(), []
    for row in _LEASE.due(Pool.objects.order_by("due_at"), now)[:_AT_ONCE]:
        until = _LEASE.take(Pool.objects.filter(pk=row.pk), row.due_at, now)
        if until is not None:
            found.append(Wave(row.pk, row.setup, now, until))
    due = Pool.objects.filter(due_at__isnull=False).aggregate(next=Min("due_at"))["next"]
    return found, None if due is None else max(0.0, (due - now).total_seconds())


def renew_lease(wave: Wave) -> Wave | None:
    """Renew the lease of a wave, or return None if another process has taken it."""
    until = _LEASE.take(Pool.objects.filter(pk=wave.pool), wave.until)
    return None if until is None else Wave(wave.pool, wave.setup, wave.began, until)


def end_wave(wave: Wave) -> None:
    """End a wave, and schedule the next one if anybody is waiting.

    Do nothing if another process has taken the lease.
    """
    with transaction.atomic():
        held = _LEASE.held(Pool.objects.select_for_update().filter(pk=wave.pool), wave.until)
        row = held.first()
        if row is None:
            return
        # This is read after the row is locked, so that it includes all seeks that were stored
        # before.
        waits = _get_pooled_seeks(wave.setup).exists()
        row.due_at = max(wave.began + _EVERY, timezone.now()) if waits else None
        row.save(update_fields=["due_at"])


def list_seekers(setup: Setup) -> tuple[list[Seeker], Apart]:
    """Return the waiting players, and the pairs in which one player has blocked the other."""
    now = timezone.now()
    waiting = _get_pooled_seeks(setup).order_by("created_at")[:_SEEKERS_PER_WAVE]
    rows = waiting.annotate(last=_get_opponent(0), before=_get_opponent(1)).values_list(
        "pk", "player_id", "created_at", "lowest", "highest", "last", "before"
    )
    found = list(rows)
    strength = get_current_ratings({row[1] for row in found}, setup.game, now)
    people = [
        Seeker(
            seek_id=pk,
            player_id=player_id,
            rating=round(strength[player_id].rating),
            waited=(now - created_at).total_seconds(),
            lowest=lowest,
            highest=highest,
            last=tuple(each for each in last if each is not None),
        )
        for pk, player_id, created_at, lowest, highest, *last in found
    ]
    return people, _get_apart_pairs(strength)


def _get_pooled_seeks(setup: Setup) -> QuerySet[Seek]:
    """Return the pool's open seeks."""
    return get_listed_seeks().filter(POOLED, **asdict(setup), player__is_active=True)


def _get_opponent(back: int) -> Subquery:
    """Return a subquery for the opponent in the rated match `back` matches before the last one."""
    rated = Played.objects.filter(player=OuterRef("player_id"), rated__in=[True])
    return Subquery(rated.order_by("-ended_at", "-id").values("opponent")[back : back + 1])


def _get_apart_pairs(player_ids: Collection[int]) -> Apart:
    rows = Block.objects.filter(by__in=player_ids, whom__in=player_ids)
    return {frozenset(row) for row in rows.values_list("by_id", "whom_id")}
