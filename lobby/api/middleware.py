"""Middleware for the addresses of the API, except for its documentation pages."""

import re
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from games.messages.refusal import Refused
from lobby.accounts.tokens import PATTERN
from lobby.api.responses import API, refused

_OURS = (API, "/game/export/")
_PAGES = "/api/docs/"
_NAMED = re.compile(r"(?:^|&)(?:access_token|token|oauth_token)=", re.IGNORECASE)
_LENGTH = re.compile(r"[0-9]{1,9}")
_REFUSALS = {
    403: Refused("not-allowed"),
    404: Refused("not-found"),
    405: Refused("wrong-method"),
    500: Refused("broken"),
    503: Refused("unavailable"),
}
_METHODS = "GET, POST, DELETE"
_PREFLIGHT_MAX_AGE = "7200"  # seconds


def is_api_path(path: str) -> bool:
    """Return whether the path belongs to the API, without its documentation pages."""
    return path.startswith(_OURS) and not path.startswith(_PAGES)


class Gate:
    """Refuse tokens in URLs and large bodies, convert error pages to JSON, and allow CORS.

    The API ignores cookies, so a script of another site cannot act as the visitor without a token.
    """

    def __init__(self, further: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._further = further

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not is_api_path(request.path_info):
            return self._further(request)
        answer = self._before(request) or self._shaped(self._further(request))
        answer.headers["Access-Control-Allow-Origin"] = "*"
        answer.headers["Access-Control-Expose-Headers"] = "ETag, Retry-After"
        if "Authorization" in request.headers:
            answer.headers.setdefault("Cache-Control", "private, no-store")
        return answer

    def _before(self, request: HttpRequest) -> HttpResponse | None:
        query = str(request.META.get("QUERY_STRING", ""))
        if PATTERN.search(request.path_info) or PATTERN.search(query) or _NAMED.search(query):
            return refused(Refused("token-in-address"))
        if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
            return _preflight()
        size = request.headers.get("Content-Length") or "0"
        if _LENGTH.fullmatch(size) is None or int(size) > settings.MAX_API_BODY_BYTES:
            return _too_large()
        if len(request.body) > settings.MAX_API_BODY_BYTES:
            return _too_large()
        return None

    def _shaped(self, answer: HttpResponseBase) -> HttpResponseBase:
        """Convert an error that Django rendered as a page to an error of the API."""
        status, kind = answer.status_code, answer.headers.get("Content-Type", "")
        if status < 400 or kind.startswith("application/json"):
            return answer
        if status == 413:
            return _too_large()
        allowed = answer.headers.get("Allow")
        refusal = _REFUSALS.get(status, Refused("malformed"))
        return refused(refusal, **({"Allow": allowed} if allowed else {}))


def _too_large() -> HttpResponse:
    return refused(Refused("too-large", most=settings.MAX_API_BODY_BYTES))


def _preflight() -> HttpResponse:
    answer = HttpResponse(status=204)
    answer.headers["Access-Control-Allow-Methods"] = _METHODS
    answer.headers["Access-Control-Allow-Headers"] = "Authorization, Content-Type, If-None-Match"
    answer.headers["Access-Control-Max-Age"] = _PREFLIGHT_MAX_AGE
    return answer
