"""Pools, in which players who seek a rated match wait for the next wave of their setup.

All servers share the pools. A pool consists of the seeks with one setup, and a row with the time of
its next wave. The server that leases the row runs the wave (`games.runtime.leases`).
`lobby.seeks.waves` chooses the pairs, and `lobby.seeks.matchmaking` pairs each of them like any
other two seeks. Even if two servers ran the same wave, nobody would be paired twice.

A transaction that stores a seek holds the lock of the pool's row until it ends. So does a server
that ends the waves because nobody is waiting. No seek is therefore left without a wave.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

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
from lobby.seeks.waves import WAVE_SECONDS, Apart, Seeker

_FIRST = timedelta(seconds=1)  # the time from the first seek to the first wave
_EVERY = timedelta(seconds=WAVE_SECONDS)
_LEASE = Lease("due_at", timedelta(seconds=10))
_AT_ONCE = 20  # the maximum number of waves that one server leases at a time
_SEEKERS_PER_WAVE = 2000  # those with the longest wait


class Wave(Struct, frozen=True):
    """A wave that this process has leased until `until`."""

    pool: int
    setup: Setup
    began: datetime
    until: datetime


def schedule_wave(setup: Setup) -> None:
    """Schedule a wave unless there is one, in the transaction that stores a seek."""
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
    """Return the waiting players, and the pairs of players of whom one has blocked the other."""
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
