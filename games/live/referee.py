"""The referee, which ends overdue matches in which no player has claimed a win.

A match is overdue if a clock has run out, if nobody began, or if a player has left. Several
referees may run at the same time: in a match that is over, a second command changes nothing.

If there are several pages of overdue matches, each round reads one page, and the deadlines that
have passed since the last round, so that matches that cannot be ended do not delay others.
"""

import asyncio
import time
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import F, Max, Q, QuerySet
from django.utils import timezone
from msgspec import Struct

from games.journal.batch import journal
from games.journal.limits import get_limits
from games.journal.requests import Request
from games.match.commands import Sweep
from games.models import Attendance, Match, Watch
from games.runtime.db import atomic_without_fsync, in_db_for_chores, in_db_for_reading
from games.runtime.prepared_query import FixedQuery
from games.store.heartbeat import get_up_since, is_up

EVERY = 0.5  # seconds between two rounds
NOTED = 5.0  # seconds between two updates of the `Watch` row
AWAY = timedelta(seconds=30)  # if `Watch` has not been updated for this long, no referee is running
_MOST = 500  # matches in one page
_TOGETHER = 100  # requests that are sent to the journal together, so that they share commits
_HOPELESS = 600.0  # seconds before a match that the journal could not end is tried again
# The part of the previous round that is read again, in case a commit was slow.
_OVERLAP = timedelta(seconds=5)


class SweepPosition(Struct, frozen=True):
    """A match of a page, with the time by which pages are sorted.

    The next page begins after the last one.
    """

    at: datetime
    match_id: str = ""


class Referee:
    """A process's referee, which ends overdue matches in rounds."""

    def __init__(self) -> None:
        self._overdue: SweepPosition | None = None
        self._gone: SweepPosition | None = None
        self._looked_at: datetime | None = None  # all earlier deadlines have been checked
        self._looked_for_gone = self._noted = 0.0
        # When matches that could not be ended may be tried again, by `time.monotonic`.
        self._hopeless: dict[str, float] = {}

    @property
    def pause(self) -> float:
        """The seconds until the next round if no match is overdue."""
        return EVERY if self._gone is not None else min(NOTED, _get_pause_for_gone())

    async def sweep(self) -> int:
        """Do one round, and return the number of matches that were sent to the journal."""
        if time.monotonic() - self._noted >= NOTED:
            self._noted = time.monotonic()
            await in_db_for_chores(store_referee_round)
        until = _get_latest_deadline()
        after = self._overdue
        page = await in_db_for_reading(_list_overdue_if_up, after, until)
        if page is None:
            return 0
        self._overdue = page[-1] if len(page) == _MOST else None
        if self._looked_at is not None and (after is not None or self._overdue is not None):
            # This was one of several pages, so add the matches that have just become due.
            page = (
                await in_db_for_reading(
                    list_overdue, SweepPosition(self._looked_at - _OVERLAP), until
                )
                + page
            )
        self._looked_at = until
        found = [each.match_id for each in page] + await self._maybe_gone()
        return await self._ask(list(dict.fromkeys(found)))

    async def _maybe_gone(self) -> list[str]:
        """Return one page of the matches that a player may have left.

        After the last page, return nothing for a while.
        """
        now = time.monotonic()
        if self._gone is None and now - self._looked_for_gone < _get_pause_for_gone():
            return []
        self._looked_for_gone = now
        self._gone, found = await in_db_for_reading(list_abandoned, self._gone)
        return found

    async def _ask(self, match_ids: Sequence[str]) -> int:
        now = time.monotonic()
        self._hopeless = {pk: until for pk, until in self._hopeless.items() if until > now}
        wanted = [pk for pk in match_ids if pk not in self._hopeless]
        for i in range(0, len(wanted), _TOGETHER):
            some = wanted[i : i + _TOGETHER]
            answers = await asyncio.gather(
                *(journal().ask(Request(match_id, None, Sweep())) for match_id in some)
            )
            for match_id, answer in zip(some, answers, strict=True):
                if answer.state is not None and answer.refused == "unavailable":
                    self._hopeless[match_id] = now + _HOPELESS
        return len(wanted)


def _list_overdue_if_up(after: SweepPosition | None, until: datetime) -> list[SweepPosition] | None:
    """Return what `list_overdue` does, or None while the site is down."""
    return list_overdue(after, until) if is_up() else None


def _get_pause_for_gone() -> float:
    """Return the seconds between two searches for matches that a player may have left."""
    return min(10.0, settings.ABANDONED_SECONDS / 4)


def is_any_overdue() -> bool:
    """Return whether a match is overdue. While the site is down, none is."""
    return is_up() and any(_overdue(_get_latest_deadline()))


# Prepared, because processes ask twice a second, and mostly in vain.
_overdue = FixedQuery(
    lambda until: Match.objects.filter(status=Match.Status.LIVE, deadline__lte=until).values_list(
        "pk"
    )[:1],
    datetime,
)


def _get_latest_deadline() -> datetime:
    """Return the latest deadline that is overdue now."""
    return timezone.now() - timedelta(milliseconds=get_limits().lag_ms)


def store_referee_round() -> None:
    """Store that a referee is running."""
    now = timezone.now()
    with atomic_without_fsync():
        if not Watch.objects.filter(pk=1).update(at=now):
            Watch.objects.bulk_create([Watch(pk=1, at=now)], ignore_conflicts=True)


def get_referee_status() -> str:
    """Return "ok" if a referee is running, otherwise "never seen" or how long ago one last ran."""
    seen = Watch.objects.filter(pk=1).values_list("at", flat=True).first()
    if seen is None:
        return "never seen"
    away = timezone.now() - seen
    return "ok" if away < AWAY else f"not seen for {int(away.total_seconds())} s"


def list_overdue(after: SweepPosition | None, until: datetime) -> list[SweepPosition]:
    """Return one page of live matches with a deadline before `until`, the earliest first."""
    wanted = Match.objects.filter(status=Match.Status.LIVE, deadline__lte=until)
    return _page(wanted, "deadline", after)


def list_abandoned(after: SweepPosition | None) -> tuple[SweepPosition | None, list[str]]:
    """Return one page of live matches that a player left longer ago than the referee waits.

    The result is the end of the page (None for the last page) and the ids of the matches.
    """
    now, held, up = timezone.now(), get_limits(), get_up_since()
    timed, untimed = (gone * held.referee_waits for gone in (held.gone_timed, held.gone_untimed))
    quiet = Q(acted_at__lt=now - timed) & ~Q(clock="") | Q(acted_at__lt=now - untimed, clock="")
    page = _page(Match.objects.filter(quiet, status=Match.Status.LIVE), "acted_at", after)
    ids = [place.match_id for place in page]
    # Skip matches in which nobody has been away for long enough.
    attended = Attendance.objects.filter(match_id__in=ids).values("match_id")
    seen = {
        match_id: moments
        for match_id, *moments in attended.values_list(
            "match_id", Max("first_at"), Max("second_at")
        )
    }
    found = []
    rows = Match.objects.filter(pk__in=ids).order_by("acted_at", "pk")
    for match_id, clock, *levels in rows.values_list("pk", "clock", "first_level", "second_level"):
        since = now - (timed if clock else untimed)
        people = [
            moment
            for moment, level in zip(seen.get(match_id, (None, None)), levels, strict=True)
            if level is None
        ]
        if (up is None or up <= since) and any(at is None or at <= since for at in people):
            found.append(match_id)
    return (page[-1] if len(page) == _MOST else None), found


def _page(wanted: QuerySet[Match], by: str, after: SweepPosition | None) -> list[SweepPosition]:
    if after is not None:
        beyond = Q(**{f"{by}__gt": after.at}) | Q(**{by: after.at, "pk__gt": after.match_id})
        # `beyond` alone is exact; the second condition lets the database use the index.
        wanted = wanted.filter(beyond, **{f"{by}__gte": after.at})
    rows = wanted.order_by(by, "pk").annotate(moment=F(by)).values_list("moment", "pk")[:_MOST]
    return [SweepPosition(at, match_id) for at, match_id in rows]
