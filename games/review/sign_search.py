"""A queue of ended matches to search for signs, filled by match events.

The event handler runs in the transaction that marks the event as done, so it only queues the match:
that takes some 20 µs, while searching a match of 40 moves takes two milliseconds. The referee
searches the queued matches, a few at a time, on a thread that no player waits for. A crash loses
nothing, and searching a match twice does not duplicate its signs.
"""

import time
from collections.abc import Sequence
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.db import InterfaceError, OperationalError, connection
from django.utils import timezone

from games.journal.events import Kind
from games.models import Event, Match, Sign, SignSearch
from games.review.signs import find_signs
from games.runtime.db import atomic_without_fsync
from games.runtime.leases import Lease
from games.store.records import list_records
from games.store.seats import find_pairs_of_one_person

log = structlog.get_logger(__name__)

_LEASE = Lease("due_at", timedelta(minutes=5))
_CATCH_UP_EVERY = 600.0  # seconds between two queries for matches that were not queued
_LATE = timedelta(minutes=1)  # after this time, the handler should have received a match's event
_PAGE = 1000  # the maximum number of matches per query
_WANTED = (
    "INSERT INTO games_signsearch (match_id, at, due_at) VALUES (%s, %s, %s)"
    " ON CONFLICT (match_id) DO UPDATE SET at = EXCLUDED.at, due_at = EXCLUDED.due_at"
)


def note_results(events: Sequence[Event]) -> None:
    """Queue matches that ended or whose result changed."""
    at = connection.ops.adapt_datetimefield_value(timezone.now())
    wanted = [(event.match_id, at, at) for event in events if event.kind != Kind.BEGAN]
    if wanted:
        with connection.cursor() as cursor:
            cursor.executemany(_WANTED, wanted)


class Search:
    """A search of the queued matches.

    Each call of `go_on` searches at most `most` matches. Several processes may search at the same
    time.
    """

    def __init__(self, most: int = 50) -> None:
        self._most = most
        self._caught_up_at: float | None = None

    def go_on(self) -> bool:
        """Search some matches, and return whether more may be queued."""
        has_more = self._catch_up()
        taken = _lease_matches(self._most)
        if taken:
            _search_matches([state.pk for state in taken])
            # A match whose result changed during the search was queued again and stays queued.
            rows = SignSearch.objects.filter(pk__in=[state.pk for state in taken])
            _LEASE.end(_LEASE.held(rows, taken[0].due_at))
        return has_more or len(taken) == self._most

    def _catch_up(self) -> bool:
        """Queue matches that ended recently but were never queued; return whether more may exist.

        "Recently" is within SIGN_SEARCH_HOURS. Such matches exist after an upgrade, for example.
        """
        now = time.monotonic()
        if self._caught_up_at is not None and now - self._caught_up_at < _CATCH_UP_EVERY:
            return False
        since = timezone.now() - timedelta(hours=settings.SIGN_SEARCH_HOURS)
        missed = Match.objects.filter(
            sign_search=None, ended_at__gte=since, ended_at__lt=timezone.now() - _LATE
        )
        found = list(missed.order_by("ended_at").values_list("pk", flat=True)[:_PAGE])
        at = timezone.now()
        SignSearch.objects.bulk_create(
            (SignSearch(match_id=pk, at=at, due_at=at) for pk in found), ignore_conflicts=True
        )
        if len(found) == _PAGE:
            return True
        self._caught_up_at = now
        return False


def search_all(since: datetime) -> None:
    """Search the matches that ended at `since` or later, even if they were searched before."""
    ended = Match.objects.filter(ended_at__gte=since).order_by("ended_at", "pk")
    found = list(ended.values_list("pk", flat=True))
    for i in range(0, len(found), _PAGE):
        _search_matches(found[i : i + _PAGE])


def _lease_matches(most: int) -> list[SignSearch]:
    """Take at most `most` matches from the queue, all with the same lease."""
    now = timezone.now()
    due = list(_LEASE.due(SignSearch.objects.order_by("due_at"), now)[:most])
    if not due:
        return []
    # If a power cut loses a lease, another process may search the same match, which does no harm.
    with atomic_without_fsync():
        return _LEASE.take_each(due, now)


def _search_matches(match_ids: Sequence[str]) -> None:
    """Search the matches between two people, and store the signs.

    Matches that two people played on one screen are skipped. If the search of one match fails, the
    others are still searched, unless the database is unavailable.
    """
    people = Match.objects.filter(pk__in=match_ids, first_level=None, second_level=None)
    seats = {pk: (one, two) for pk, one, two in people.values_list("pk", "first_id", "second_id")}
    at_one_screen = find_pairs_of_one_person(seats.values())  # their matches affect nobody else
    for record in list_records([pk for pk, pair in seats.items() if pair not in at_one_screen]):
        try:
            Sign.objects.bulk_create(list(find_signs(record)), ignore_conflicts=True)
        except (OperationalError, InterfaceError):
            raise  # the database is unavailable
        except Exception:
            log.exception("match not searched", match=record.state.id)
