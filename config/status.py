"""The status page for staff, which shows whether everything is running."""

import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.db import connection
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext
from django.views.decorators.http import require_safe
from msgspec import Struct

from config.monitoring import AWAY
from config.troubles import describe_redis_failure
from config.version import get_running_version, read_version
from games.live.referee import get_referee_status
from games.models import (
    Analysis,
    Event,
    FailureCount,
    LastBackup,
    Match,
    ProcessBeat,
    SignSearch,
)
from lobby.models import Delivery

_BACKUP_AGE = timedelta(hours=36)  # a nightly backup may be up to twelve hours late
_LEAST_FREE = 1_000_000_000  # the minimum number of bytes of free space
_LEAST_SHARE = 0.05  # the minimum share of the disk that should be free
_LATE = timedelta(minutes=5)  # rows that are due for longer show that no process handles them
_MAX_ROWS = 1000  # the maximum number of rows that one check reads
_SHOWN = 50  # the maximum number of processes, and of kinds of errors, on the page


class Check(Struct, frozen=True):
    """A line of the status page about one part of the site."""

    name: Any
    is_fine: bool
    value: str


class Queue(Struct, frozen=True):
    """Rows that are waiting for a process, and the column with the time at which they are due."""

    name: Any
    rows: Callable[[], QuerySet[Any]]
    column: str = "due_at"


QUEUES = (
    Queue(gettext_lazy("Game results to process"), Event.objects.all),
    Queue(gettext_lazy("Turns of the computer"), Match.objects.all, "bot_at"),
    Queue(gettext_lazy("Games to analyse"), Analysis.objects.all),
    Queue(gettext_lazy("Games to search for signs"), SignSearch.objects.all),
    Queue(gettext_lazy("Messages to webhooks"), Delivery.objects.all),
)


@require_safe
def status(request: HttpRequest) -> HttpResponse:
    """Show the status page. The admin checks that the visitor is staff."""
    now = timezone.now()
    checks = [
        _check_version(),
        _check_backup(now),
        *_check_disk(),
        _check_referee(),
        _check_computer(now),
        _check_redis(),
    ]
    queues = [_check_queue(queue, now) for queue in QUEUES]
    failures = list(
        FailureCount.objects.filter(day__gte=now.astimezone(UTC).date()).order_by("-last_at")[
            :_SHOWN
        ]
    )
    context = {
        **admin.site.each_context(request),
        "title": _("Status"),
        "checks": checks,
        "queues": queues,
        "processes": _list_processes(now),
        "failures": failures,
        "needs_look": sum(not each.is_fine for each in [*checks, *queues]),
    }
    return TemplateResponse(request, "admin/status.html", context)


def _check_version() -> Check:
    running, on_disk = get_running_version(), read_version()
    if running == on_disk:
        return Check(_("Version"), True, running)
    text = _("%(running)s is running, %(on_disk)s is installed: restart the site.")
    return Check(_("Version"), False, text % {"running": running, "on_disk": on_disk})


def _check_backup(now: datetime) -> Check:
    last = LastBackup.objects.filter(pk=1).first()
    if last is None:
        return Check(_("Last backup"), False, _("None so far."))
    text = _("%(ago)s ago, %(size)s, on %(machine)s: %(file)s") % {
        "ago": timesince(last.at, now),
        "size": _format_size(last.bytes),
        "machine": last.machine,
        "file": last.file,
    }
    return Check(_("Last backup"), now - last.at < _BACKUP_AGE, text)


def _check_disk() -> list[Check]:
    """Check the free space on the disk with this server's data.

    The text of the check also has the size of the database.
    """
    folder = Path(settings.DATA_DIR)
    try:
        disk = shutil.disk_usage(folder)
    except OSError as error:
        return [Check(_("Disk"), False, str(error))]
    is_fine = disk.free > max(_LEAST_FREE, _LEAST_SHARE * disk.total)
    text = _("%(free)s of %(total)s are free; the database takes %(database)s.") % {
        "free": _format_size(disk.free),
        "total": _format_size(disk.total),
        "database": _format_size(_measure_database()),
    }
    return [Check(_("Disk"), is_fine, text)]


def _measure_database() -> int:
    if settings.IS_SQLITE:
        file = Path(connection.settings_dict["NAME"])
        return file.stat().st_size if file.is_file() else 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])


def _check_referee() -> Check:
    found = get_referee_status()
    return Check(
        _("Referee"), found == "ok", pgettext("process", "runs") if found == "ok" else found
    )


def _check_computer(now: datetime) -> Check:
    alive = ProcessBeat.objects.filter(at__gt=now - AWAY, bots__gt=0)
    searches = sum(alive.values_list("bots", flat=True)[:_MAX_ROWS])
    if not searches:
        return Check(_("The computer"), False, _("No process plays for it."))
    text = _("runs; processes that search moves: %(n)d") % {"n": searches}
    return Check(_("The computer"), True, text)


def _check_redis() -> Check:
    if not settings.REDIS_URL:
        return Check(_("Redis"), True, _("not used"))
    trouble = describe_redis_failure()
    return Check(_("Redis"), not trouble, trouble or pgettext("service", "answers"))


def _check_queue(queue: Queue, now: datetime) -> Check:
    waiting = queue.rows().filter(**{f"{queue.column}__isnull": False}).order_by(queue.column)
    due = list(waiting.values_list(queue.column, flat=True)[: _MAX_ROWS + 1])
    if not due:
        return Check(queue.name, True, pgettext("queue", "empty"))
    count = _("%(n)d or more") % {"n": _MAX_ROWS} if len(due) > _MAX_ROWS else str(len(due))
    late = now - due[0]
    if late < _LATE:
        return Check(queue.name, True, count)
    text = _("%(count)s; the oldest has been waiting for %(time)s") % {
        "count": count,
        "time": timesince(due[0], now),
    }
    return Check(queue.name, False, text)


def _list_processes(now: datetime) -> list[dict[str, Any]]:
    found = ProcessBeat.objects.order_by("-at")[:_SHOWN]
    rows = [
        {
            "name": each.command,
            "machine": each.machine,
            "version": each.version,
            "since": each.began_at,
            "is_alive": now - each.at < AWAY,
            "at": each.at,
        }
        for each in found
    ]
    return sorted(rows, key=lambda row: (not row["is_alive"], row["name"], row["since"]))


def _format_size(size: int) -> str:
    """Format a number of bytes in MB or GB."""
    if size < 1_000_000_000:
        return _("%(number)s MB") % {"number": number_format(size / 1e6, 1)}
    return _("%(number)s GB") % {"number": number_format(size / 1e9, 1)}
