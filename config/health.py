"""Whether the process is up (`/healthz`), and whether it can serve (`/readyz`)."""

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import Error, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"process": "ok"})


@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """200 where database and channel layer answer, 503 and which of them where not."""
    found = {"database": _database(), "channel_layer": _channel_layer()}
    sound = all(value == "ok" for value in found.values())
    return JsonResponse(found, status=200 if sound else 503)


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error as error:
        return error.__class__.__name__
    return "ok"


def _channel_layer() -> str:
    try:
        async_to_sync(get_channel_layer().group_send)("ready", {"type": "hint"})
    except Exception as error:  # whatever the layer's client raises, it is away
        return error.__class__.__name__
    return "ok"
