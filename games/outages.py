"""Outages of the whole site, and the clocks that they stopped.

An outage is stored once, with both its ends. From then on each clock that ran is moved on by what
the outage took of it: by whoever acts in the match, in the same transaction (`games.journal`), or
in batches by the servers. A match notes the last outage that its clocks were moved on by, so each
is credited once, whoever comes first and however often the work is begun anew. When all clocks are
moved, the outage is removed; so there is hardly ever one.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

import structlog
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.db.models import DateTimeField, DurationField, ExpressionWrapper, F, Q, QuerySet, Value
from django.db.models.functions import Greatest
from msgspec import Struct

from games.desk import lightly
from games.models import Match
from games.models import Outage as Stored

log = structlog.get_logger(__name__)

SOME = 200  # matches in one batch: what players do meanwhile goes between


class Outage(Struct, frozen=True):
    """From when to when no server of the site was there."""

    number: int  # later ones have higher numbers
    down_from: datetime
    up_at: datetime

    @property
    def length(self) -> timedelta:
        return self.up_at - self.down_from


def declare(down_from: datetime, up_at: datetime) -> None:
    """Note an outage whose clocks are to be moved."""
    Stored.objects.create(down_from=down_from, up_at=up_at)


def unsettled() -> tuple[Outage, ...]:
    """The outages for which clocks are still being moved, in their order."""
    found = Stored.objects.order_by("pk").values_list("pk", "down_from", "up_at")
    return tuple(Outage(*values) for values in found)


def stopped(outage: Outage) -> list[str]:
    """The matches whose clocks the outage stopped and nobody has moved yet."""
    return list(_stopped(outage).order_by("pk").values_list("pk", flat=True))


def move(outage: Outage, match_ids: Sequence[str]) -> int:
    """Move the clocks of these matches, if they are not yet; how many were moved.

    A match whose row cannot be moved is logged and left as it is; the others are moved.
    """
    try:
        return _move(outage, match_ids)
    except (OperationalError, InterfaceError):
        raise
    except DatabaseError:
        if len(match_ids) > 1:
            return sum(move(outage, [match_id]) for match_id in match_ids)
        log.exception("clock not moved", match=match_ids[0])
        return 0


def settle(outage: Outage) -> None:
    """All clocks are moved: forget the outage."""
    Stored.objects.filter(pk=outage.number).delete()


def _stopped(outage: Outage) -> QuerySet[Match]:
    """As `games.conduct` decides it for one match."""
    return Match.objects.filter(
        Q(outage__lt=outage.number) | Q(outage=None),
        status=Match.Status.LIVE,
        deadline__isnull=False,
        acted_at__lt=outage.up_at,
    ).exclude(clock="")


def _move(outage: Outage, match_ids: Sequence[str]) -> int:
    with lightly():  # a batch that a power cut takes is moved again
        wanted = _stopped(outage).filter(pk__in=match_ids)
        if connection.features.has_select_for_update:
            # In the order of the ids, as the journal does: no two ever wait for each other.
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
