"""Presence of players and watchers, which every server stores for the others.

A crash needs no clean-up, because the watchers of a server are counted only for
`PRESENCE_TIMEOUT_SECONDS` after it last stored them. The time when a player was last present never
moves back: a server that restarted, or dropped the match, does not know that time and must not
erase it.
"""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, connection
from django.db.models import Max
from django.utils import timezone
from msgspec import Struct

from games.models import Attendance, Match, Pulse
from games.runtime.db import atomic_without_fsync
from games.runtime.prepared_query import PreparedQuery
from games.runtime.pubsub import get_server_id


def _later(seat: str) -> str:
    """Return SQL for the later one of a seat's stored time and its new time."""
    known, new = f"games_attendance.{seat}_at", f"EXCLUDED.{seat}_at"
    return f"CASE WHEN {known} > {new} OR {new} IS NULL THEN {known} ELSE {new} END"


_UPSERT = f"""
    INSERT INTO games_attendance (match_id, server, first_at, second_at, watchers, seen_at)
    VALUES (%s, %s, %s, %s, %s, %s)
    ON CONFLICT (match_id, server) DO UPDATE SET
        first_at = {_later("first")}, second_at = {_later("second")},
        watchers = EXCLUDED.watchers, seen_at = EXCLUDED.seen_at
"""  # nosec B608  # noqa: S608  # the columns are constants


class ServerPresence(Struct, frozen=True):
    """A match's players and watchers on this server. Times are seconds since 1970, or None."""

    match_id: str
    first_at: float | None
    second_at: float | None
    watchers: int


class SitePresence(Struct, frozen=True):
    """A match's players on all servers, and its watchers on the other servers.

    Times are seconds since 1970, or None.
    """

    seen_at: tuple[float | None, float | None]  # when each seat's player was last present
    watchers: int  # current watchers on the other servers
    # The end of the last outage, or the first heartbeat. Absence before it does not count.
    up_since: float


def exchange_presence(heres: Sequence[ServerPresence]) -> dict[str, SitePresence]:
    """Store the presence in these matches on this server, and return their presence on the site.

    The result maps the ids of the matches to a `SitePresence`. Matches that do not exist, because
    an older copy of the database was restored, are left out.
    """
    now = timezone.now()
    try:
        stored = _store(heres, now)
    except IntegrityError:  # an older copy of the database came back between the two queries
        stored = _store(heres, now)
    up = _seconds(_up_since()) or 0.0
    since = now - timedelta(seconds=settings.PRESENCE_TIMEOUT_SECONDS)
    seats: dict[str, tuple[list[datetime], list[datetime]]] = {pk: ([], []) for pk in stored}
    watchers = dict.fromkeys(stored, 0)
    for match_id, server, first, second, watching, seen_at in _attendance(stored):
        for known, at in zip(seats[match_id], (first, second), strict=True):
            if at is not None:
                known.append(at)
        if server != get_server_id() and seen_at > since:
            watchers[match_id] += watching
    return {
        match_id: SitePresence(
            (_seconds(max(first, default=None)), _seconds(max(second, default=None))),
            watchers[match_id],
            up,
        )
        for match_id, (first, second) in seats.items()
    }


def _store(heres: Sequence[ServerPresence], now: datetime) -> set[str]:
    """Store the presence in the matches that exist. Return their ids."""
    adapt = connection.ops.adapt_datetimefield_value
    stored = {pk for (pk,) in _stored([here.match_id for here in heres])}
    rows = [
        (
            here.match_id,
            get_server_id(),
            adapt(_moment(here.first_at)),
            adapt(_moment(here.second_at)),
            here.watchers,
            adapt(now),
        )
        # Sorted, so that two servers cannot deadlock.
        for here in sorted(heres, key=lambda here: here.match_id)
        if here.match_id in stored
    ]
    with atomic_without_fsync(), connection.cursor() as cursor:
        cursor.executemany(_UPSERT, rows)
    return stored


# Prepared, because each server runs both queries for all its matches every few seconds.
_stored = PreparedQuery(lambda ids: Match.objects.filter(pk__in=ids).values_list("pk"), of=str)
_attendance = PreparedQuery(
    lambda ids: Attendance.objects.filter(match_id__in=ids).values_list(
        "match_id", "server", "first_at", "second_at", "watchers", "seen_at"
    ),
    of=str,
)


_UPSERT_PLAYERS = f"""
    INSERT INTO games_attendance (match_id, server, first_at, second_at, watchers, seen_at)
    VALUES (%s, %s, %s, %s, 0, %s)
    ON CONFLICT (match_id, server) DO UPDATE SET
        first_at = {_later("first")}, second_at = {_later("second")}
"""  # nosec B608  # noqa: S608  # the columns are constants


def note_players(seated: Collection[tuple[str, int]]) -> None:
    """Record that the players of these seats (match id, 0 or 1) are present now."""
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    server = get_server_id()
    rows = [
        (match_id, server, *(now if (match_id, seat) in seated else None for seat in (0, 1)), now)
        # The same order as in `exchange_presence`.
        for match_id in sorted({match_id for match_id, _ in seated})
    ]
    with atomic_without_fsync(), connection.cursor() as cursor:
        cursor.executemany(_UPSERT_PLAYERS, rows)


def get_last_seen(match_id: str, since: datetime) -> tuple[datetime, datetime]:
    """Return when each seat's player was last present on any server.

    Neither time is before `since`, when the match was created or was resumed by staff, or before
    the end of the last outage.
    """
    up = _up_since()
    earliest = max(since, up) if up else since
    rows = Attendance.objects.filter(match_id=match_id)
    seen = rows.aggregate(first=Max("first_at"), second=Max("second_at"))
    return max(seen["first"] or earliest, earliest), max(seen["second"] or earliest, earliest)


def _up_since() -> datetime | None:
    return Pulse.objects.filter(pk=1).values_list("up_since", flat=True).first()


def _moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _seconds(moment: datetime | None) -> float | None:
    return None if moment is None else moment.timestamp()
