"""Carries out what is due in matches and was claimed by nobody. Any number may run side by side:
the journal lets each thing happen once."""

import time
from datetime import timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from games.commands import Sweep
from games.desk import at_desk, lightly
from games.journal import Request, journal, limits
from games.models import Match, Watch
from games.pulse import is_up
from games.rooms import rooms

EVERY = 0.5  # seconds
NOTED = 5.0  # seconds between two notes that a referee is there
AWAY = timedelta(seconds=30)  # without one, there is none
_MOST = 500  # matches in one round


class Referee:
    """Looks for what is due, again and again."""

    def __init__(self) -> None:
        self._looked_for_gone = self._noted = 0.0
        rooms()  # tells the sockets here, and the other servers, of what was done

    async def sweep(self) -> int:
        """One round; how many matches were looked at."""
        now = time.monotonic()
        if now - self._noted > NOTED:
            self._noted = now
            await at_desk(note)
        pause = min(10.0, settings.ABANDONED_SECONDS / 4)
        with_gone = now - self._looked_for_gone > pause
        if with_gone:
            self._looked_for_gone = now
        found = await at_desk(due, with_gone)
        for match_id in found:
            await journal().ask(Request(match_id, None, Sweep()))
        return len(found)


def note() -> None:
    """Write down that a referee watches."""
    now = timezone.now()
    with lightly():
        if not Watch.objects.filter(pk=1).update(at=now):
            Watch.objects.bulk_create([Watch(pk=1, at=now)], ignore_conflicts=True)


def watches() -> str:
    """ "ok" if a referee was there just now, else since when there is none, in words."""
    seen = Watch.objects.filter(pk=1).values_list("at", flat=True).first()
    if seen is None:
        return "never seen"
    away = timezone.now() - seen
    return "ok" if away < AWAY else f"not seen for {int(away.total_seconds())} s"


def due(with_gone: bool) -> list[str]:
    """The live matches in which something may be due: a deadline, or a player long gone."""
    if not is_up():
        return []
    now, held = timezone.now(), limits()
    late = now - timedelta(milliseconds=held.lag_ms)
    live = Match.objects.filter(status=Match.Status.LIVE)
    wanted = live.filter(deadline__lte=late).order_by("deadline")
    found = list(wanted.values_list("pk", flat=True)[:_MOST])
    if with_gone:
        timed = Q(acted_at__lt=now - held.gone_timed * held.referee_waits) & ~Q(clock="")
        untimed = Q(acted_at__lt=now - held.gone_untimed * held.referee_waits, clock="")
        gone = live.filter(timed | untimed).order_by("acted_at")
        found += gone.values_list("pk", flat=True)[:_MOST]
    return list(dict.fromkeys(found))
