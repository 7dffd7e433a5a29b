"""Who is at which server: each writes who is there, and reads who is elsewhere.

A crash needs no clean-up: what a server wrote counts for `GONE_SECONDS` and no longer.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db import connection
from django.db.models import Max
from django.utils import timezone
from msgspec import Struct

from games.desk import lightly
from games.hints import SERVER
from games.models import Attendance, Pulse

_KEPT = timedelta(days=30)
_UPSERT = """
    INSERT INTO games_attendance (match_id, server, first_at, second_at, watchers, seen_at)
    VALUES (%s, %s, %s, %s, %s, %s)
    ON CONFLICT (match_id, server) DO UPDATE SET
        first_at = EXCLUDED.first_at, second_at = EXCLUDED.second_at,
        watchers = EXCLUDED.watchers, seen_at = EXCLUDED.seen_at
"""


class Here(Struct, frozen=True):
    """A match's people at this server. Times in seconds since 1970; None: never here."""

    match_id: str
    first_at: float | None
    second_at: float | None
    watchers: int


class Elsewhere(Struct, frozen=True):
    """A match's people at all other servers together."""

    seen_at: tuple[float | None, float | None] = (None, None)
    watchers: int = 0


def attend(heres: Sequence[Here]) -> dict[str, Elsewhere]:
    """Store who is here; give who is elsewhere for each of these matches."""
    now = timezone.now()
    adapt = connection.ops.adapt_datetimefield_value
    rows = [
        (
            here.match_id,
            SERVER,
            adapt(_moment(here.first_at)),
            adapt(_moment(here.second_at)),
            here.watchers,
            adapt(now),
        )
        # In one order everywhere, so that two servers never wait for each other.
        for here in sorted(heres, key=lambda here: here.match_id)
    ]
    with lightly(), connection.cursor() as cursor:
        cursor.executemany(_UPSERT, rows)
    found = {here.match_id: Elsewhere() for here in heres}
    others = Attendance.objects.filter(
        match_id__in=found, seen_at__gt=now - timedelta(seconds=settings.GONE_SECONDS)
    ).exclude(server=SERVER)
    for other in others:
        known = found[other.match_id]
        found[other.match_id] = Elsewhere(
            (
                _later(known.seen_at[0], other.first_at),
                _later(known.seen_at[1], other.second_at),
            ),
            known.watchers + other.watchers,
        )
    return found


def forget_old() -> None:
    """Remove what no server has written for a month."""
    Attendance.objects.filter(seen_at__lt=timezone.now() - _KEPT).delete()


def last_seen(match_id: str, created_at: datetime) -> tuple[datetime, datetime]:
    """When each seat's player was last here, at any server. While the site was down, nobody is
    missed: nobody was gone before it came up again, nor before the match was made."""
    up = Pulse.objects.filter(pk=1).values_list("up_since", flat=True).first()
    earliest = max(created_at, up) if up else created_at
    rows = Attendance.objects.filter(match_id=match_id)
    seen = rows.aggregate(first=Max("first_at"), second=Max("second_at"))
    return max(seen["first"] or earliest, earliest), max(seen["second"] or earliest, earliest)


def _moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _later(known: float | None, moment: datetime | None) -> float | None:
    if moment is None:
        return known
    return max(known or 0, moment.timestamp())
