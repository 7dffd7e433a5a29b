"""Outages of the whole site. Running clocks are moved on by their length.

One server stores an outage, with its start and end. Then the servers move the running clocks on, in
batches. A command for a match whose clock has not been moved yet moves it first, in the same
transaction (`games.journal`). Each match stores the last outage by which its clocks were moved on,
so they are not moved twice, even if two servers work simultaneously or one dies half-way. When all
clocks have been moved, the outage is deleted; so the table is nearly always empty.
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

SOME = 200  # matches in one batch; commands are committed between two batches


class SiteOutage(Struct, frozen=True):
    """A period in which no server of the site was running."""

    number: int  # later ones have higher numbers
    down_from: datetime
    up_at: datetime

    @property
    def length(self) -> timedelta:
        return self.up_at - self.down_from


def store_outage(down_from: datetime, up_at: datetime) -> None:
    """Store an outage. The clocks are moved later."""
    Stored.objects.create(down_from=down_from, up_at=up_at)


def list_outages() -> tuple[SiteOutage, ...]:
    """Return the outages for which some clocks have yet to be moved, the oldest first."""
    found = Stored.objects.order_by("pk").values_list("pk", "down_from", "up_at")
    return tuple(SiteOutage(*values) for values in found)


def list_stopped_matches(outage: SiteOutage) -> list[str]:
    """Return the ids of the matches whose clocks have yet to be moved on by the outage."""
    return list(_stopped(outage).order_by("pk").values_list("pk", flat=True))


def move_clocks(outage: SiteOutage, match_ids: Sequence[str]) -> int:
    """Move the clocks of these matches, if not yet done. Return how many matches were changed.

    If the database refuses to change a match, that is logged, and the others are moved.
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
    """Delete an outage once all clocks have been moved."""
    Stored.objects.filter(pk=outage.number).delete()


def _stopped(outage: SiteOutage) -> QuerySet[Match]:
    """Return the matches that the outage stopped. Same condition as in `games.match.conduct`."""
    return Match.objects.filter(
        Q(outage__lt=outage.number) | Q(outage=None),
        status=Match.Status.LIVE,
        deadline__isnull=False,
        acted_at__lt=outage.up_at,
    ).exclude(clock="")


def _move(outage: SiteOutage, match_ids: Sequence[str]) -> int:
    with (
        atomic_without_fsync()
    ):  # a batch lost in a power cut is done again, as the outage is still stored
        wanted = _stopped(outage).filter(pk__in=match_ids)
        if connection.features.has_select_for_update:
            # Locked in the order of the ids, as in the journal, so that no two deadlock.
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
