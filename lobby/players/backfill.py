"""Adds matches that no event reported to the histories, such as those that ended during an update.

A mark passes over all finished matches in the order in which they ended. The referee advances it in
batches; after a crash the next referee continues from the mark.
"""

import time
from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from games.models import Match
from lobby.models import HistoryMark, Played
from lobby.players.history import continue_backfill, write_history

_AGO = timedelta(minutes=1)  # after which a match's event should have been delivered
_EVERY = 600.0  # seconds between two checks once the mark is up to date
_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
_PAGE = 5000  # matches that the mark passes per call
_WRITTEN = 250  # matches per transaction; on SQLite, moves wait for it


class Backfill:
    """The background task. Several processes can run it and write the same rows."""

    def __init__(self) -> None:
        self._rests_until: float | None = None

    def go_on(self) -> bool:
        """Process one batch, and return whether there may be more."""
        if continue_backfill():
            return True
        if self._rests_until is not None and time.monotonic() < self._rests_until:
            return False
        if backfill_batch() == 0:
            self._rests_until = time.monotonic() + _EVERY
            return False
        return True


def backfill_batch(until: datetime | None = None) -> int:
    """Advance the mark, and add missing matches. Return the number of matches passed.

    Stop at matches that ended after `until`, by default a minute ago.
    """
    mark = HistoryMark.objects.filter(pk=1).first() or HistoryMark(pk=1, at=_BEGINNING)
    beyond = Q(ended_at__gt=mark.at) | Q(ended_at=mark.at, pk__gt=mark.match)
    over = Match.objects.filter(beyond, ended_at__gte=mark.at, ended_at__lt=until or _get_present())
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
        write_history(missing[i : i + _WRITTEN])
    last, at = page[-1]
    assert at is not None  # by the query
    with transaction.atomic():
        HistoryMark.objects.update_or_create(pk=1, defaults={"at": at, "match": last})
    return len(page)


def _get_present() -> datetime:
    return timezone.now() - _AGO
