"""Outages of the whole site, and the postponement of running clocks by their length.

One server stores an outage, with its start and end. The servers then postpone the running clocks,
in batches. A command for a match that has not been reached yet first postpones its clocks, in the
same transaction (`games.journal`). Each match stores the last outage by which its clocks were
postponed, so this happens only once, even if two servers work simultaneously or one dies. When all
clocks have been postponed, the outage is deleted, so the table is nearly always empty.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

import structlog
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.db.models import DateTimeField, DurationField, ExpressionWrapper, F, Q, QuerySet, Value
from django.db.models.functions import Greatest
from msgspec import Struct

from games.models import Match
from games.models import Outage as Stored
from games.runtime.db import atomic_without_fsync

log = structlog.get_logger(__name__)

SOME = 200  # matches in a batch; commands are committed between two batches


class SiteOutage(Struct, frozen=True):
    """A period in which no server of the site was running."""

    number: int  # later outages have higher numbers
    down_from: datetime
    up_at: datetime

    @property
    def length(self) -> timedelta:
        return self.up_at - self.down_from


def store_outage(down_from: datetime, up_at: datetime) -> None:
    """Store an outage. Clocks are postponed later."""
    Stored.objects.create(down_from=down_from, up_at=up_at)


def list_outages() -> tuple[SiteOutage, ...]:
    """Return the outages that some clocks still have to be postponed by, oldest first."""
    found = Stored.objects.order_by("pk").values_list("pk", "down_from", "up_at")
    return tuple(SiteOutage(*values) for values in found)


def list_stopped_matches(outage: SiteOutage) -> list[str]:
    """Return the ids of the matches whose clocks still have to be postponed by the outage."""
    return list(_stopped(outage).order_by("pk").values_list("pk", flat=True))


def move_clocks(outage: SiteOutage, match_ids: Sequence[str]) -> int:
    """Postpone the clocks of these matches, and return how many matches were changed.

    If the database refuses to change a match, the error is logged, and the others are changed.
    """
    try:
        return _move(outage, match_ids)
    except (OperationalError, InterfaceError):
        raise
    except DatabaseError:
        if len(match_ids) > 1:
            return sum(move_clocks(outage, [match_id]) for match_id in match_ids)
        log.exception("clock not moved", match=match_ids[0])
        return 0


def delete_outage(outage: SiteOutage) -> None:
    """Delete an outage, after all clocks have been postponed."""
    Stored.objects.filter(pk=outage.number).delete()


def _stopped(outage: SiteOutage) -> QuerySet[Match]:
    """Return the matches that the outage stopped. `games.match.conduct` has the same condition."""
    return Match.objects.filter(
        Q(outage__lt=outage.number) | Q(outage=None),
        status=Match.Status.LIVE,
        deadline__isnull=False,
        acted_at__lt=outage.up_at,
    ).exclude(clock="")


def _move(outage: SiteOutage, match_ids: Sequence[str]) -> int:
    with (
        atomic_without_fsync()
    ):  # a batch that a power cut loses is repeated, because the outage is still stored
        wanted = _stopped(outage).filter(pk__in=match_ids)
        if connection.features.has_select_for_update:
            # Locked in the order of the ids, as in the journal, to prevent deadlocks.
            held = wanted.select_for_update(of=("self",)).order_by("pk")
            wanted = Match.objects.filter(pk__in=list(held.values_list("pk", flat=True)))
        down_from, up_at = (Value(at, DateTimeField()) for at in (outage.down_from, outage.up_at))
        lost = ExpressionWrapper(up_at - Greatest(F("acted_at"), down_from), DurationField())
        return wanted.update(
            acted_at=ExpressionWrapper(F("acted_at") + lost, DateTimeField()),
            deadline=ExpressionWrapper(F("deadline") + lost, DateTimeField()),
            version=F("version") + 1,
            outage=outage.number,
        )
