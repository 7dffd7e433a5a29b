"""Reports that each process stores for the status page: that it is alive, and its errors."""

import datetime
import socket
from collections.abc import Awaitable, Callable
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from config import failures
from config.version import get_running_version
from games.models import FailureCount, ProcessBeat
from games.runtime.db import atomic_without_fsync, in_db_for_chores
from games.runtime.ids import new_id

EVERY = 10.0  # seconds between two reports
AWAY = timedelta(seconds=45)  # a process without a report for longer than this counts as gone
_MOST_KINDS = 200  # the maximum number of kinds of errors stored per day, besides `OTHER`


def get_machine() -> str:
    """Return this machine's host name, cut to 64 characters."""
    return socket.gethostname()[:64]


def report(command: str, bots: int) -> Callable[[], Awaitable[None]]:
    """Return a function that stores a report of this process at each call."""
    beat = ProcessBeat(
        id=new_id(),
        command=command,
        machine=get_machine(),
        version=get_running_version()[:64],
        bots=bots,
        began_at=timezone.now(),
    )

    async def work() -> None:
        await in_db_for_chores(_store, beat)

    return work


def _store(beat: ProcessBeat) -> None:
    beat.at = timezone.now()
    waiting = failures.take_all()
    try:
        with atomic_without_fsync():
            if not ProcessBeat.objects.filter(pk=beat.pk).update(at=beat.at):
                beat.save(force_insert=True)
            for kind, times in waiting.items():
                _count(kind, times, beat.at)
    except Exception:
        failures.add(waiting)
        raise


def _count(kind: failures.LoggedError, times: int, at: datetime.datetime) -> None:
    """Add to the day's count for one kind of error.

    If the day has too many kinds, count a new one as `OTHER`.
    """
    day = at.astimezone(datetime.UTC).date()
    if _add(day, kind, times, at):
        return
    if FailureCount.objects.filter(day=day).count() >= _MOST_KINDS:
        kind = failures.OTHER
        if _add(day, kind, times, at):
            return
    try:
        with transaction.atomic():
            FailureCount.objects.create(
                day=day, event=kind.event, error=kind.error, place=kind.place,
                times=times, last_at=at,
            )  # fmt: skip
    except IntegrityError:  # another process was faster
        _add(day, kind, times, at)


def _add(day: datetime.date, kind: failures.LoggedError, times: int, at: datetime.datetime) -> int:
    mine = FailureCount.objects.filter(
        day=day, event=kind.event, error=kind.error, place=kind.place
    )
    return mine.update(times=F("times") + times, last_at=at)
