"""Brings into the histories what no event told of: the matches of before, and those that another
release of the site ended during an update.

A mark goes over all matches that are over, in the order in which they ended; the referee moves it
on, some matches at a time. Whatever dies, the next one goes on from there.
"""

import time
from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from games.models import Match
from lobby.models import HistoryMark, Played
from lobby.players.history import continue_backfill, write

_AGO = timedelta(minutes=1)  # by then the event of a match that ended should have been handed on
_EVERY = 600.0  # seconds between two looks, once the mark has come to the present
_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
_PAGE = 5000  # matches that the mark passes at a time
_WRITTEN = 250  # of them in one transaction: players' moves wait for it on SQLite


class Backfill:
    """Goes on a piece at a time. Several may do so at once, and write the same."""

    def __init__(self) -> None:
        self._rests_until: float | None = None

    def go_on(self) -> bool:
        """Do a piece; whether there may be more."""
        if continue_backfill():
            return True
        if self._rests_until is not None and time.monotonic() < self._rests_until:
            return False
        if pass_some() == 0:
            self._rests_until = time.monotonic() + _EVERY
            return False
        return True


def pass_some(until: datetime | None = None) -> int:
    """Move the mark on, and write what is missing on the way; how many matches it has passed.

    It stops at those that ended after `until`, by default a minute ago.
    """
    mark = HistoryMark.objects.filter(pk=1).first() or HistoryMark(pk=1, at=_BEGINNING)
    beyond = Q(ended_at__gt=mark.at) | Q(ended_at=mark.at, pk__gt=mark.match)
    over = Match.objects.filter(beyond, ended_at__gte=mark.at, ended_at__lt=until or _present())
    page = list(over.order_by("ended_at", "pk").values_list("pk", "ended_at")[:_PAGE])
    if not page:
        return 0
    known = Played.objects.filter(match=OuterRef("pk"))
    missing = list(
        Match.objects.filter(~Exists(known), pk__in=[pk for pk, _ in page]).values_list(
            "pk", flat=True
        )
    )
    for i in range(0, len(missing), _WRITTEN):
        write(missing[i : i + _WRITTEN])
    last, at = page[-1]
    assert at is not None  # by the query
    with transaction.atomic():
        HistoryMark.objects.update_or_create(pk=1, defaults={"at": at, "match": last})
    return len(page)


def _present() -> datetime:
    return timezone.now() - _AGO
