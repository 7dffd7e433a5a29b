"""Endpoints for operators: `/healthz`, `/readyz` and `/metrics`.

Operators query each server at its own address, so these endpoints respond before the middleware
that checks the host name and requires HTTPS.
"""

import asyncio
import secrets
import threading
import time
from collections.abc import Callable

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import settings
from django.db import Error, connection
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from games.live.referee import get_referee_status
from games.models import WriteProbe
from games.runtime.addresses import is_local
from games.runtime.db import atomic_without_fsync


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Respond with 200 while the process is running."""
    return JsonResponse({"process": "ok"})


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Respond with 200 if the database stores a row and the channel layer responds, otherwise 503.

    The database is checked at most once every `_TRIED_EVERY` seconds. Clients on this machine or on
    a private network also see which of the two failed, and whether a referee is running. A missing
    referee does not cause a 503, because a load balancer would then remove all servers.
    """
    found = {"database": _writes.result(), "channel_layer": _channel_layer()}
    sound = all(value == "ok" for value in found.values())
    status = 200 if sound else 503
    if not is_local(str(request.META.get("REMOTE_ADDR", ""))):
        return JsonResponse({"ready": sound}, status=status)
    return JsonResponse({**found, "referee": _referee()}, status=status)


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Show this process's metrics to clients with the `METRICS_TOKEN`. Others get a 404."""
    given = request.headers.get("Authorization", "").encode()
    wanted = f"Bearer {settings.METRICS_TOKEN}".encode()
    if not settings.METRICS_TOKEN or not secrets.compare_digest(given, wanted):
        return HttpResponseNotFound("Not found.", content_type="text/plain")
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)


_PATIENCE = 2.0  # seconds for the channel layer to respond
_TRIED_EVERY = 2.0  # seconds between two attempts to write
_PLACES: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "/healthz": healthz,
    "/readyz": readyz,
    "/metrics": metrics,
}


class HealthMiddleware:
    """Respond to the paths of the health endpoints before any other middleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return _PLACES.get(request.path_info, self._get_response)(request)


class _Writes:
    """A test write to the database, made at most once every `_TRIED_EVERY` seconds.

    `/readyz` is public, so the rate must not depend on the number of requests.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tried_at = -_TRIED_EVERY
        self._result = ""

    def result(self) -> str:
        """Return "ok", or the name of the error, for the latest test write."""
        if not self._lock.acquire(blocking=not self._result):
            return self._result  # another thread is writing, which may take a long time
        try:
            if time.monotonic() - self._tried_at >= _TRIED_EVERY:
                self._result = _write()
                self._tried_at = time.monotonic()
            return self._result
        finally:
            self._lock.release()


_writes = _Writes()


def _write() -> str:
    now = timezone.now()
    try:
        with atomic_without_fsync():
            if not WriteProbe.objects.filter(pk=1).update(at=now):
                WriteProbe.objects.bulk_create([WriteProbe(pk=1, at=now)], ignore_conflicts=True)
            if connection.vendor == "postgresql":
                # The row fits into an existing page of the table, but a new table needs disk space.
                with connection.cursor() as cursor:
                    cursor.execute("CREATE TEMPORARY TABLE write_probe (at int) ON COMMIT DROP")
                    cursor.execute("INSERT INTO write_probe VALUES (1)")
    except Error as error:
        return error.__class__.__name__
    return "ok"


def _referee() -> str:
    try:
        return get_referee_status()
    except Error as error:
        return error.__class__.__name__


def _channel_layer() -> str:
    try:
        async_to_sync(_say_something)()
    except Exception as error:  # any error means that Redis does not respond
        return error.__class__.__name__
    return "ok"


async def _say_something() -> None:
    async with asyncio.timeout(_PATIENCE):
        await get_channel_layer().group_send("ready", {"type": "hint"})
