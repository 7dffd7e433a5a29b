"""Pages for operators: `/healthz`, `/readyz` and `/metrics`.

Operators ask each server at its own address, so these pages come before the middleware that checks
the host's name or requires https.
"""

import asyncio
import secrets
from collections.abc import Callable

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import settings
from django.db import Error, connection
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, JsonResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from games.live.referee import watches
from games.runtime.addresses import is_local


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """The process is up."""
    return JsonResponse({"process": "ok"})


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200 where database and channel layer answer, 503 where not; which of them, the local network
    is told. So it is whether a referee was there just now, which is no fault of this server's: were
    it a 503, a balancer would take all servers away."""
    found = {"database": _database(), "channel_layer": _channel_layer()}
    sound = all(value == "ok" for value in found.values())
    status = 200 if sound else 503
    if not is_local(str(request.META.get("REMOTE_ADDR", ""))):
        return JsonResponse({"ready": sound}, status=status)
    return JsonResponse({**found, "referee": _referee()}, status=status)


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """This process's figures, for requests with METRICS_TOKEN. Other requests get a 404."""
    given = request.headers.get("Authorization", "").encode()
    wanted = f"Bearer {settings.METRICS_TOKEN}".encode()
    if not settings.METRICS_TOKEN or not secrets.compare_digest(given, wanted):
        return HttpResponseNotFound("Not found.", content_type="text/plain")
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)


_PATIENCE = 2.0  # seconds for the channel layer to answer
_PLACES: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "/healthz": healthz,
    "/readyz": readyz,
    "/metrics": metrics,
}


class Probes:
    """Middleware that answers these addresses before any other middleware."""

    def __init__(self, further: Callable[[HttpRequest], HttpResponse]) -> None:
        self._further = further

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return _PLACES.get(request.path_info, self._further)(request)


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error as error:
        return error.__class__.__name__
    return "ok"


def _referee() -> str:
    try:
        return watches()
    except Error as error:
        return error.__class__.__name__


def _channel_layer() -> str:
    try:
        async_to_sync(_say_something)()
    except Exception as error:  # whatever the layer's client raises, Redis is away
        return error.__class__.__name__
    return "ok"


async def _say_something() -> None:
    async with asyncio.timeout(_PATIENCE):
        await get_channel_layer().group_send("ready", {"type": "hint"})
