"""That the site is up. Its servers beat twice a second; a gap in the beats was an outage, and the
time that it took is charged to nobody: every running clock is moved on by it, once."""

import asyncio
from datetime import timedelta

import structlog
from django.utils import timezone

from games.commands import Resume
from games.desk import Unavailable, at_desk, lightly
from games.epoch import new_epoch
from games.ids import new_id
from games.journal import Request, commit, journal
from games.models import Match, Pulse
from games.per_loop import PerLoop
from games.row import Row

log = structlog.get_logger(__name__)

EVERY = 0.5  # seconds
OUTAGE = timedelta(seconds=1.25)  # a longer gap between two beats was an outage
RESTART = timedelta(seconds=0.75)  # so was this before a process's first beat: it was not there


class Heart:
    """This process's part in the pulse."""

    def __init__(self) -> None:
        self._beating: asyncio.Task[None] | None = None
        self._first: asyncio.Future[None] | None = None

    async def beats(self) -> None:
        """Have the first beat done before anything else is, and go on beating for good."""
        if self._first is None:
            self._first = asyncio.get_running_loop().create_future()
            self._beating = asyncio.ensure_future(self._beat())
        if not self._first.done():
            await asyncio.shield(self._first)

    async def _beat(self) -> None:
        gap = RESTART
        while True:
            try:
                moved = await at_desk(beat, gap)
                gap = OUTAGE
                journal().announce(moved)
            except Unavailable:
                pass  # counted and logged at the desk
            except Exception:
                log.exception("beat failed")
            if self._first is not None and not self._first.done():
                self._first.set_result(None)
            await asyncio.sleep(EVERY)


def beat(gap: timedelta = OUTAGE) -> list[Row]:
    """Note that the site is up; the matches whose clocks an outage has moved on.

    A `gap` since the last beat, or a longer one, was an outage.
    """
    with lightly():
        now = timezone.now()
        pulse = Pulse.objects.select_for_update().filter(pk=1).first()
        if pulse is None:
            first = {"at": now, "up_since": now, "epoch": new_id()}
            Pulse.objects.get_or_create(pk=1, defaults=first)
            return []
        down_from = pulse.at
        moved: list[Row] = []
        pulse.at = max(now, pulse.at)
        if now - down_from > gap:
            pulse.up_since = now
            new_epoch()  # nobody was there to see whether an older database came back
            running = Match.objects.filter(status=Match.Status.LIVE, deadline__isnull=False)
            ids = list(running.values_list("pk", flat=True))
            _, moved = commit([Request(pk, None, Resume(down_from)) for pk in ids])
            log.info("outage", seconds=(now - down_from).total_seconds(), clocks_moved=len(moved))
        pulse.save(update_fields=["at", "up_since"])
        return moved


def is_up() -> bool:
    """Whether any server has beaten just now: else nobody may be held to their time."""
    return Pulse.objects.filter(pk=1, at__gt=timezone.now() - OUTAGE).exists()


heart = PerLoop(Heart)
"""The running event loop's part in the pulse."""
