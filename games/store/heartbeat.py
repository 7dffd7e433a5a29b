"""The stored heartbeat, which shows that the site is up, and outages between two beats.

The servers beat twice a second (`games.live.heartbeat`). A long gap between two beats is an outage.
It costs nobody any time: the lost time is added once to every running clock. A beat only stores the
outage, with its start and end, so it is fast however many clocks are running.

Between the following beats, the servers add the time to the clocks, in batches of matches. If a
command arrives for a match that has not been reached yet, the same transaction adds the time first
(`games.journal`). Each match stores the last outage whose time was added, so this happens only
once, even if two servers work simultaneously or one dies. Once the time has been added to all
clocks, the outage is deleted, so the table is nearly always empty.
"""

import time
from collections.abc import Sequence
from datetime import datetime, timedelta

import structlog
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.db.models import DateTimeField, DurationField, ExpressionWrapper, F, Q, QuerySet, Value
from django.db.models.functions import Greatest
from django.utils import timezone
from msgspec import Struct

from games.models import Match, Pulse
from games.models import Outage as Stored
from games.runtime.db import atomic_without_fsync
from games.runtime.ids import new_id
from games.runtime.prepared_query import FixedQuery

log = structlog.get_logger(__name__)

SOME = 200  # the most matches in a batch; commands are committed between two batches


class SiteOutage(Struct, frozen=True):
    """A period in which no server of the site stored a heartbeat."""

    number: int  # later outages have higher numbers
    down_from: datetime
    up_at: datetime

    @property
    def length(self) -> timedelta:
        return self.up_at - self.down_from


def store_outage(down_from: datetime, up_at: datetime) -> None:
    """Store an outage. The lost time is added to the clocks later."""
    Stored.objects.create(down_from=down_from, up_at=up_at)


def list_outages() -> tuple[SiteOutage, ...]:
    """Return the outages whose time may still have to be added to some clocks, oldest first."""
    return tuple(SiteOutage(*values) for values in _outages())


def list_stopped_matches(outage: SiteOutage) -> list[str]:
    """Return the ids of the matches that have not got the time of the outage back yet."""
    return list(_stopped(outage).order_by("pk").values_list("pk", flat=True))


def move_clocks(outage: SiteOutage, match_ids: Sequence[str]) -> int:
    """Add the time of the outage to the clocks of these matches, and return how many were changed.

    Matches that have already got the time back are not changed. If the database refuses to change a
    match, the error is logged, and the others are changed. Errors of the connection are raised.
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
    """Delete an outage. Call this after its time has been added to all clocks."""
    Stored.objects.filter(pk=outage.number).delete()


def _stopped(outage: SiteOutage) -> QuerySet[Match]:
    """Return the matches whose clocks the outage stopped and that have not got the time back yet.

    `games.match.conduct.resume_match` has the same condition.
    """
    return Match.objects.filter(
        Q(outage__lt=outage.number) | Q(outage=None),
        status=Match.Status.LIVE,
        deadline__isnull=False,
        acted_at__lt=outage.up_at,
    ).exclude(clock="")


def _move(outage: SiteOutage, match_ids: Sequence[str]) -> int:
    # A batch that a power cut loses is repeated, because the outage is still stored.
    with atomic_without_fsync():
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


EVERY = 0.5  # seconds between two beats
OUTAGE = timedelta(seconds=1.25)  # a longer gap between two beats is an outage
# Before the first beat of a process, a gap longer than this is an outage too.
RESTART = timedelta(seconds=0.75)


class _Known:
    """The outages that this process knows about.

    A server stores an outage only if the newest beat is older than RESTART. Until then, this
    knowledge is complete.
    """

    is_server = False  # whether this process sends heartbeats
    beaten_at: datetime | None = None
    until = 0.0  # when this knowledge expires, by `time.monotonic`
    # Whether this process stored an outage, and so must add its time to the clocks.
    has_declared = False
    outages: tuple[SiteOutage, ...] = ()

    def learn(self, beaten_at: datetime | None, outages: tuple[SiteOutage, ...]) -> None:
        """Accept data that was just read, unless another thread has accepted newer data."""
        now, known = time.monotonic(), self.beaten_at
        if known is not None and (beaten_at is None or beaten_at < known) and now < self.until:
            return
        age = timezone.now() - beaten_at if beaten_at is not None else timedelta(0)
        self.beaten_at, self.outages = beaten_at, outages
        self.until = now + (RESTART - age).total_seconds()


_known = _Known()


def become_server() -> None:
    """Declare that this process sends heartbeats from now on, and may store outages."""
    _known.is_server = True


def must_move_clocks_first() -> bool:
    """Return whether this process stored an outage and has not yet added its time to all clocks."""
    return _known.has_declared


def note_clocks_moved() -> None:
    """Record that this process has added the time of its outage to all clocks."""
    _known.has_declared = False


def store_beat(gap: timedelta = OUTAGE) -> tuple[SiteOutage, ...]:
    """Record that the site is up, and return the outages that `list_outages` lists.

    If the last beat was longer ago than `gap`, the time since then is stored as an outage.
    """
    with atomic_without_fsync():
        last = next((at for (at,) in _locked_pulse(1)), None)
        now = timezone.now()  # measured after the lock, which may have taken a while
        declared = last is not None and now - last > gap
        if last is None:
            first = {"at": now, "up_since": now, "epoch": new_id()}
            Pulse.objects.get_or_create(pk=1, defaults=first)
        elif declared:
            store_outage(last, now)
            # No server was running to notice whether an older copy was restored.
            Pulse.objects.filter(pk=1).update(at=now, up_since=now, epoch=new_id())
        else:
            # Store the measured time, so that a beat that reaches the database late hides no gap.
            at = connection.ops.adapt_datetimefield_value(max(now, last))
            with connection.cursor() as cursor:
                cursor.execute(_BEAT, [at])
        outages = list_outages()
    _known.has_declared |= declared
    _known.learn(now, outages)
    return outages


# Prepared, because a server beats twice a second.
_locked_pulse = FixedQuery(
    lambda pk: Pulse.objects.select_for_update().filter(pk=pk).values_list("at"), int
)
_outages = FixedQuery(lambda: Stored.objects.order_by("pk").values_list("pk", "down_from", "up_at"))
_BEAT = "UPDATE games_pulse SET at = %s WHERE id = 1"


def get_outages() -> tuple[SiteOutage, ...]:
    """Return the outages whose time a transaction must add to the clocks of its matches.

    A server knows them from its last beat, without a query. If that beat is too old, for example
    because the database was unavailable, this function sends another beat, so that even the first
    commit takes the outage into account. Other processes read the outages from the database.
    """
    if time.monotonic() >= _known.until:
        if _known.is_server and not connection.in_atomic_block:
            store_beat()
        else:
            # Read in this order, so that an outage that is stored between the two queries is not
            # missed.
            beaten_at = _get_newest_beat()
            _known.learn(beaten_at, list_outages())
    return _known.outages


def get_up_since() -> datetime | None:
    """Return the end of the last outage or, if there was none, the time of the first beat.

    Return None if there was no beat yet.
    """
    return Pulse.objects.filter(pk=1).values_list("up_since", flat=True).first()


def is_up() -> bool:
    """Return whether any server has sent a beat recently. If not, nobody may lose on time."""
    if _known.beaten_at is not None and time.monotonic() < _known.until:
        return True
    beaten_at = _get_newest_beat()
    return beaten_at is not None and timezone.now() - beaten_at < OUTAGE


def _get_newest_beat() -> datetime | None:
    return next((at for (at,) in _newest_beat()), None)


_newest_beat = FixedQuery(lambda: Pulse.objects.filter(pk=1).values_list("at"))


def seems_down() -> bool:
    """Return, without a query, whether the last beat that this process knows of is too old.

    Return False if it knows of none.
    """
    beaten_at = _known.beaten_at
    return beaten_at is not None and timezone.now() - beaten_at > OUTAGE
