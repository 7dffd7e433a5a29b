"""Events of matches, stored with the change that they report and delivered after the commit.

The journal stores an event in the transaction that begins a match, ends it or changes its result. A
deliverer then calls each handler with a batch of events, each of a different match. Events of one
match are delivered in order.

The handlers write in the transaction that marks the events as done, so their writes to the
database take effect exactly once. If a deliverer dies, another one takes its events when the lease
expires. Effects outside the database must therefore be safe to repeat.

If a handler fails for an event, all handlers are called again for this event after increasing
pauses. Meanwhile, only the later events of the same match have to wait.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from operator import attrgetter

import structlog
from django.db import InterfaceError, OperationalError, connection
from django.db.models import F, QuerySet
from django.utils import timezone

from games.journal.publisher import publisher
from games.match.state import MatchState
from games.models import Event
from games.runtime.db import atomic_without_fsync, in_db_for_chores
from games.runtime.leases import Lease
from games.runtime.metrics import EVENTS
from games.runtime.tasks import Repeated

log = structlog.get_logger(__name__)

Kind = Event.Kind
Handler = Callable[[Sequence[Event]], None]

_LEASE = Lease("due_at", timedelta(seconds=30))
LONGEST_PAUSE = timedelta(minutes=10)  # between two attempts of a handler that fails
_INSERT = (
    "INSERT INTO games_event"
    " (match_id, version, kind, ended, first_goal, second_goal, at, due_at, tries)"
    " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, 0)"
)
# Plain SQL, because each process asks twice a second.
_DUE = (
    "SELECT * FROM games_event AS due WHERE due_at <= %s AND NOT EXISTS ("
    "SELECT 1 FROM games_event AS earlier WHERE earlier.match_id = due.match_id"
    " AND earlier.version < due.version AND earlier.due_at IS NOT NULL"
    ") ORDER BY due_at, id LIMIT %s"
)

_get_result = attrgetter("status", "ended", "first_goal", "second_goal")

handlers: list[Handler] = []
"""Functions that are called with events of different matches, in the transaction that marks them as
done. `config.wiring` sets them."""


class _LeaseLostError(Exception):
    """The lease expired while the handlers were working, and another deliverer took the event."""


def get_event_kind(before: MatchState | None, after: MatchState) -> Kind | None:
    """Return the kind of event that a change causes.

    `before` is None for a new match. Return None if the change neither begins or ends a match nor
    affects its result.
    """
    if before is None:
        return Kind.BEGAN
    if _get_result(before) == _get_result(after):
        return None
    if after.ended == "voided":
        return Kind.VOIDED
    if before.is_live:
        return Kind.ENDED
    return Kind.CORRECTED if after.ended == "adjudicated" else Kind.RESTORED


def store_events(changes: Iterable[tuple[MatchState | None, MatchState]], now: datetime) -> None:
    """Store the events of these changes (before, after), in the caller's transaction."""
    found = [
        (kind, after)
        for before, after in changes
        if (kind := get_event_kind(before, after)) is not None
    ]
    if found:
        at = connection.ops.adapt_datetimefield_value(now)
        with connection.cursor() as cursor:
            cursor.executemany(
                _INSERT,
                [
                    (s.id, s.version, kind, s.ended, s.first_goal, s.second_goal, at, at)
                    for kind, s in found
                ],
            )


def deliver_events(most: int = 50) -> int:
    """Deliver up to `most` due events, and return how many were taken.

    Any number of processes may deliver at the same time. Batches are small because, on SQLite, the
    handlers block all other writers.
    """
    taken = _take(most)
    try:
        _deliver_all(taken)
    except (OperationalError, InterfaceError):
        raise  # the database is unavailable
    except Exception:  # a handler failed: deliver one by one, so that only its event is delayed
        for event in taken:
            _deliver_alone(event)
    return len(taken)


def is_any_due() -> bool:
    """Return whether an event is due."""
    return _LEASE.is_any_due(Event, timezone.now())


def _take(most: int) -> list[Event]:
    """Lease and return up to `most` due events, each the earliest pending event of its match."""
    now = timezone.now()
    due = list(Event.objects.raw(_DUE, [connection.ops.adapt_datetimefield_value(now), most]))
    if not due:
        return []  # those that are due wait for an earlier event of their match
    with atomic_without_fsync():
        # All processes lock the rows in the same order, to prevent deadlocks.
        return _LEASE.take_each(sorted(due, key=lambda event: event.pk), now)


def _leased(events: Sequence[Event]) -> QuerySet[Event]:
    """Return a queryset of those events whose lease this process still holds."""
    mine = Event.objects.filter(pk__in=[event.pk for event in events])
    return _LEASE.held(mine, events[0].due_at)


def _deliver_all(events: Sequence[Event]) -> None:
    """Call the handlers with these events, and mark the events as done, in one transaction.

    Raise `_LeaseLostError` if another deliverer has taken an event meanwhile. A power cut can lose
    the whole transaction, but not a part of it.
    """
    if not events:
        return
    with atomic_without_fsync():
        for handler in handlers:
            handler(events)
        if _LEASE.end(_leased(events)) != len(events):
            raise _LeaseLostError
    for event in events:
        EVENTS.labels(event.kind, "done").inc()


def _deliver_alone(event: Event) -> None:
    try:
        _deliver_all([event])
    except _LeaseLostError:
        return  # another deliverer has taken the event
    except (OperationalError, InterfaceError):
        raise
    except Exception:
        log.exception("event failed", kind=event.kind, match=event.match_id)
        EVENTS.labels(event.kind, "failed").inc()
        pause = min(LONGEST_PAUSE, timedelta(seconds=1) * 2 ** min(event.tries, 20))
        _leased([event]).update(due_at=timezone.now() + pause, tries=F("tries") + 1)


EVERY = 5.0  # seconds between two rounds if no event is reported or found
# Seconds to wait after a round that has taken events, so that under load a round delivers many
# events. A round costs two transactions, which delay moves on SQLite.
_COLLECTING = 0.3


class EventDelivery:
    """A background task that delivers events as soon as a match has ended, and regularly.

    Any number of processes may run this task.
    """

    def __init__(self) -> None:
        self.loop = Repeated("events", self._round, EVERY)
        publisher().listen_for_events(self.loop.call)

    async def _round(self) -> None:
        if await in_db_for_chores(deliver_events):
            await asyncio.sleep(_COLLECTING)
            self.loop.call()  # more events may be due
