"""How many matches may be made: by a player in a while, and open with the computer at a time.

Whoever makes one holds a lock in the name of each person in it until the transaction ends, and
counts under that lock. So of two servers that make the last one which is allowed, one comes second
and sees the other's. On SQLite a transaction that writes is alone anyway.
"""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from hashlib import blake2b

from django.conf import settings
from django.db import connection
from django.db.models import Count, Q
from django.utils import timezone

from games.match.refusal import Refused
from games.models import Caller, Match
from games.store.audit import hashed

WITH_COMPUTER = Q(status=Match.Status.LIVE) & (
    Q(first_level__isnull=False) | Q(second_level__isnull=False)
)
"""Live matches with the computer, as the index of them has it."""
_EACH = 1000  # rows deleted in one go


def persons(first_id: int, second_id: int, levels: tuple[int | None, int | None]) -> list[int]:
    """The players of a match who are people."""
    seats = zip((first_id, second_id), levels, strict=True)
    return [player_id for player_id, level in seats if level is None]


def lock(names: Iterable[int | str]) -> None:
    """Be alone in these names, players or households, until the transaction ends.

    To be called before rows are locked, with all names at once: then no two servers wait for
    each other.
    """
    if connection.vendor != "postgresql" or not settings.RATE_LIMITS:
        return
    keys = sorted(_key(name) for name in set(names))
    if keys:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_advisory_xact_lock(k) FROM unnest(%s::bigint[]) WITH ORDINALITY"
                " AS keys(k, n) ORDER BY n",
                [keys],
            )


def must_be_allowed(people: Collection[int], with_computer: bool, household: str = "") -> None:
    """Raises `Refused` where one of these people, or the household, may not begin a match now:
    "many-matches" in a while, "many-open" with the computer."""
    if not settings.RATE_LIMITS:
        return
    lock(_names(people, with_computer, household))
    for player_id in people:
        if has_begun_many(player_id):
            raise Refused("many-matches")
    if with_computer:
        _must_have_few_open(people, household)


def has_begun_many(player_id: int) -> bool:
    """Whether the player has begun as many matches in the last minute, or day, as allowed."""
    if not settings.RATE_LIMITS:
        return False
    now = timezone.now()
    mine = Match.objects.filter(
        Q(first=player_id) | Q(second=player_id), created_at__gt=now - timedelta(days=1)
    )
    minute = Count("pk", filter=Q(created_at__gt=now - timedelta(minutes=1)))
    found = mine.aggregate(day=Count("pk"), minute=minute)
    return bool(
        found["minute"] >= settings.MATCHES_PER_MINUTE or found["day"] >= settings.MATCHES_PER_DAY
    )


def note_caller(player_id: int, household: str, now: datetime) -> None:
    """Note from where a player has the computer think."""
    Caller.objects.bulk_create(
        [Caller(player_id=player_id, address=hashed(household), at=now)],
        update_conflicts=True,
        unique_fields=["player"],
        update_fields=["address", "at"],
    )


def households(player_ids: Collection[int]) -> dict[int, str]:
    """From where these players call the computer, by their ids. Who is not known is left out."""
    found = Caller.objects.filter(player_id__in=player_ids)
    return dict(found.values_list("player_id", "address"))


def forget_old() -> None:
    """Remove who has not called the computer for CONNECTION_DAYS, some at a time."""
    old = timezone.now() - timedelta(days=settings.CONNECTION_DAYS)
    found = Caller.objects.filter(at__lt=old).order_by("at")
    Caller.objects.filter(pk__in=list(found.values_list("pk", flat=True)[:_EACH])).delete()


def _must_have_few_open(people: Collection[int], household: str) -> None:
    live = Match.objects.filter(WITH_COMPUTER)
    own = live.filter(Q(first__in=people) | Q(second__in=people))
    if own.count() >= settings.BOT_MATCHES:
        raise Refused("many-open")
    if household:
        address = hashed(household)
        there = live.filter(Q(first__caller__address=address) | Q(second__caller__address=address))
        if there.count() >= settings.BOT_MATCHES_PER_ADDRESS:
            raise Refused("many-open")


def _names(people: Collection[int], with_computer: bool, household: str) -> list[int | str]:
    return [*people, household] if with_computer and household else [*people]


def _key(name: int | str) -> int:
    """The number that PostgreSQL locks for a name."""
    digest = blake2b(f"match {name}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
