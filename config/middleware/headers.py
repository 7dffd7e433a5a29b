"""Middleware that sets response headers."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import has_vary_header, patch_cache_control

# Only features that browsers know, because browsers log a warning for unknown ones.
_UNUSED = (
    "accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "hid",
    "magnetometer", "microphone", "midi", "payment", "serial", "usb",
)  # fmt: skip
_PERMISSIONS = ", ".join(f"{name}=()" for name in _UNUSED)


class ResponseHeadersMiddleware:
    """Set `Permissions-Policy` on all pages, and `no-store` on pages that depend on a cookie.

    This middleware must come before the session middleware, which marks pages that depend on the
    session's cookie.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        response.headers["Permissions-Policy"] = _PERMISSIONS
        if has_vary_header(response, "Cookie"):
            patch_cache_control(response, no_store=True, private=True)
        return response
