"""What costs queries or a signature, and is for everybody, has a budget for each address."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from games.messages.refusal import Refused
from games.previews.refusal import refusal
from games.runtime.addresses import client_network_of
from games.runtime.limiter import may

View = Callable[..., HttpResponse]
_SECONDS = 60


def bounded(setting: str) -> Callable[[View], View]:
    """Decorator: the view answers one address so many times a minute as the setting says, together
    with all others of that setting; else 429, with Retry-After."""

    def declare(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
            address = client_network_of(request)
            if may(getattr(settings, setting), setting, address):
                return view(request, *args, **more)
            refused = refusal(Refused("too-often", seconds=_SECONDS), 429)
            refused.headers["Retry-After"] = str(_SECONDS)
            refused.headers["Access-Control-Allow-Origin"] = "*"
            return refused

        return answer

    return declare
