"""Pages for operators: `/healthz`, `/readyz` and `/metrics`.

Operators ask each server at its own address. So these pages are answered before the middleware that
checks the host's name and requires https.
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
    """200 if the database and the channel layer answer, else 503. Clients of the local network are
    told which of them failed, and whether a referee runs. A missing referee is no 503: it is not
    this server's fault, and a balancer would take all servers away."""
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
    except Exception as error:  # whatever the client raises, Redis does not answer
        return error.__class__.__name__
    return "ok"


async def _say_something() -> None:
    async with asyncio.timeout(_PATIENCE):
        await get_channel_layer().group_send("ready", {"type": "hint"})
