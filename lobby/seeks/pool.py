"""The pools: who seeks a rated match waits for the next wave of its setup.

All servers share them: a pool is the seeks of one setup, and one row that says when its next wave
is due. Whoever takes that row runs the wave (`games.runtime.leases`). Who plays whom is found by
`lobby.seeks.waves`, and each pair is claimed as any other two seeks are, by
`lobby.seeks.matchmaking`: so if two servers should run the same wave, nobody is paired twice.

Who seeks holds the pool's row until their seek is stored, and so does who ends the waves because
nobody waits: no seek is left without a wave.
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
from lobby.ratings.standing import standings
from lobby.seeks.listed import listed
from lobby.seeks.waves import WAVE_SECONDS, Apart, Seeker

_FIRST = timedelta(seconds=1)  # from the first seeker to the first wave
_EVERY = timedelta(seconds=WAVE_SECONDS)
_LEASE = Lease("due_at", timedelta(seconds=10))
_AT_ONCE = 20  # waves that one server takes together
_MOST = 2000  # seekers of one wave, those who have waited longest


class Wave(Struct, frozen=True):
    """A wave that is this process's to run until `until`."""

    pool: int
    setup: Setup
    began: datetime
    until: datetime


def wake(setup: Setup) -> None:
    """See to it that a wave comes, as part of the transaction that stores a seek."""
    row, _ = Pool.objects.get_or_create(game=setup.game, clock=setup.clock, options=setup.options)
    first = timezone.now() + _FIRST
    Pool.objects.filter(pk=row.pk).update(due_at=Coalesce("due_at", first))


def take_waves() -> tuple[list[Wave], float | None]:
    """The waves that are due, which are this process's now; and in how many seconds one is due
    next, None if nobody waits in any pool."""
    now, found = timezone.now(), []
    for row in _LEASE.due(Pool.objects.order_by("due_at"), now)[:_AT_ONCE]:
        until = _LEASE.take(Pool.objects.filter(pk=row.pk), row.due_at, now)
        if until is not None:
            found.append(Wave(row.pk, row.setup, now, until))
    due = Pool.objects.filter(due_at__isnull=False).aggregate(next=Min("due_at"))["next"]
    return found, None if due is None else max(0.0, (due - now).total_seconds())


def go_on(wave: Wave) -> Wave | None:
    """The wave for some time longer; None if another process has it by now."""
    until = _LEASE.take(Pool.objects.filter(pk=wave.pool), wave.until)
    return None if until is None else Wave(wave.pool, wave.setup, wave.began, until)


def end(wave: Wave) -> None:
    """The wave is over. The next one is due, if anybody waits."""
    with transaction.atomic():
        held = _LEASE.held(Pool.objects.select_for_update().filter(pk=wave.pool), wave.until)
        row = held.first()
        if row is None:
            return
        # Read once the row is locked, so with every seek that was stored before.
        waits = _of(wave.setup).exists()
        row.due_at = max(wave.began + _EVERY, timezone.now()) if waits else None
        row.save(update_fields=["due_at"])


def seekers(setup: Setup) -> tuple[list[Seeker], Apart]:
    """Who waits, and which of them have blocked each other."""
    now = timezone.now()
    waiting = _of(setup).order_by("created_at")[:_MOST]
    rows = waiting.annotate(last=_opponent(0), before=_opponent(1)).values_list(
        "pk", "player_id", "created_at", "lowest", "highest", "last", "before"
    )
    found = list(rows)
    strength = standings({row[1] for row in found}, setup.game, now)
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
    return people, _apart(strength)


def _of(setup: Setup) -> QuerySet[Seek]:
    """The pool's open seeks."""
    return listed().filter(POOLED, **asdict(setup), player__is_active=True)


def _opponent(back: int) -> Subquery:
    """The player's opponent of so many rated matches ago."""
    rated = Played.objects.filter(player=OuterRef("player_id"), rated__in=[True])
    return Subquery(rated.order_by("-ended_at", "-id").values("opponent")[back : back + 1])


def _apart(player_ids: Collection[int]) -> Apart:
    rows = Block.objects.filter(by__in=player_ids, whom__in=player_ids)
    return {frozenset(row) for row in rows.values_list("by_id", "whom_id")}
