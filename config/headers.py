"""Middleware for what every page says about itself, and for sessions that are renewed with use."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import has_vary_header, patch_cache_control

from games.store.sessions import SessionStore

# What browsers know by these names: of others they complain in the console.
_UNUSED = (
    "accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "hid",
    "magnetometer", "microphone", "midi", "payment", "publickey-credentials-get", "serial", "usb",
)  # fmt: skip
_PERMISSIONS = ", ".join(f"{name}=()" for name in _UNUSED)


class Headers:
    """Permissions-Policy for all, and `no-store` for what is made for one person alone: what
    depends on a cookie. Must come before the sessions' middleware."""

    def __init__(self, further: Callable[[HttpRequest], HttpResponse]) -> None:
        self._further = further

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._further(request)
        response.headers["Permissions-Policy"] = _PERMISSIONS
        if has_vary_header(response, "Cookie"):
            patch_cache_control(response, no_store=True, private=True)
        return response


class Renewal:
    """A session that is used lasts on. Must come after the sessions' middleware."""

    def __init__(self, further: Callable[[HttpRequest], HttpResponse]) -> None:
        self._further = further

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._further(request)
        session = request.session
        assert isinstance(session, SessionStore)
        user = getattr(request, "_cached_user", None)  # not request.user, which looks it up
        age = settings.STAFF_SESSION_SECONDS if getattr(user, "is_staff", False) else None
        if age is not None and session.get_expiry_age() > age:
            session.set_expiry(age)  # who has become staff since
        session.renew()
        return response
