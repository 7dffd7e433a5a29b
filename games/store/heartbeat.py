"""The stored heartbeat, which shows that the site is up, and the outages between two beats.

The servers beat twice a second (`games.live.heartbeat`). A gap between two beats is an outage. It
costs nobody any time: every running clock is postponed once by the length of the gap. A beat only
stores the outage, so it is fast however many clocks are running. The clocks are postponed between
the following beats (`games.store.outages`).
"""

import time
from datetime import datetime, timedelta

from django.db import connection
from django.utils import timezone

from games.models import Pulse
from games.runtime.db import atomic_without_fsync
from games.runtime.ids import new_id
from games.store.outages import SiteOutage, list_outages, store_outage

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
    has_declared = False  # whether this process stored an outage, and so must postpone the clocks
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
    """Return whether this process stored an outage and has not postponed all clocks by it yet."""
    return _known.has_declared


def note_clocks_moved() -> None:
    """Record that this process has postponed all clocks."""
    _known.has_declared = False


def store_beat(gap: timedelta = OUTAGE) -> tuple[SiteOutage, ...]:
    """Store that the site is up. Return the outages that clocks still have to be postponed by.

    If the last beat was longer ago than `gap`, the time since then is stored as an outage.
    """
    with atomic_without_fsync():
        pulse = Pulse.objects.select_for_update().filter(pk=1).first()
        now = timezone.now()  # measured after the lock, which may have taken a while
        declared = False
        if pulse is None:
            first = {"at": now, "up_since": now, "epoch": new_id()}
            Pulse.objects.get_or_create(pk=1, defaults=first)
        else:
            if now - pulse.at > gap:
                store_outage(pulse.at, now)
                pulse.up_since, declared = now, True
                # No server was running to notice whether an older copy was restored.
                pulse.epoch = new_id()
            # Store the measured time, so that a beat that reaches the database late hides no gap.
            pulse.at = max(now, pulse.at)
            pulse.save(update_fields=["at", "up_since", "epoch"])
        outages = list_outages()
    _known.has_declared |= declared
    _known.learn(now, outages)
    return outages


def get_outages() -> tuple[SiteOutage, ...]:
    """Return the outages by which a transaction must postpone the clocks of its matches.

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
            beaten_at = Pulse.objects.filter(pk=1).values_list("at", flat=True).first()
            _known.learn(beaten_at, list_outages())
    return _known.outages


def get_up_since() -> datetime | None:
    """Return the end of the last outage, or None if no server has ever sent a beat."""
    return Pulse.objects.filter(pk=1).values_list("up_since", flat=True).first()


def is_up() -> bool:
    """Return whether any server has sent a beat recently. If not, nobody may lose on time."""
    return Pulse.objects.filter(pk=1, at__gt=timezone.now() - OUTAGE).exists()


def seems_down() -> bool:
    """Return, without a query, whether this process knows of no recent beat of any server."""
    beaten_at = _known.beaten_at
    return beaten_at is not None and timezone.now() - beaten_at > OUTAGE
