"""Middleware: sets the headers of every page, and renews sessions that are in use."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import has_vary_header, patch_cache_control

from games.store.sessions import SessionStore
from lobby.accounts.using import used
from lobby.models import Player

# Names that browsers know. They complain about others in the console.
_UNUSED = (
    "accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "hid",
    "magnetometer", "microphone", "midi", "payment", "serial", "usb",
)  # fmt: skip
_PERMISSIONS = ", ".join(f"{name}=()" for name in _UNUSED)


class ResponseHeadersMiddleware:
    """Sets Permissions-Policy on all pages, and `no-store` on the pages that depend on a cookie:
    those are made for one person. Must come before the sessions' middleware."""

    def __init__(self, further: Callable[[HttpRequest], HttpResponse]) -> None:
        self._further = further

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._further(request)
        response.headers["Permissions-Policy"] = _PERMISSIONS
        if has_vary_header(response, "Cookie"):
            patch_cache_control(response, no_store=True, private=True)
        return response


class SessionRenewalMiddleware:
    """Renews a session that is in use. Must come after the sessions' middleware."""

    def __init__(self, further: Callable[[HttpRequest], HttpResponse]) -> None:
        self._further = further

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._further(request)
        session = request.session
        assert isinstance(session, SessionStore)
        user = getattr(request, "_cached_user", None)  # not request.user, which makes a query
        if getattr(user, "is_staff", False):
            session.end_within(settings.STAFF_SESSION_SECONDS)  # they may have become staff since
        session.renew()
        if isinstance(user, Player) and not user.is_guest and session.session_key:
            used(session.session_key)
        return response
