"""Responses of the API: values as JSON, and errors with a code and a status."""

from collections.abc import Iterable
from hashlib import blake2s
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.utils.http import quote_etag
from msgspec import Struct

from games.messages import render_english
from games.messages.refusal import Refused


class Error(Struct, frozen=True):
    """An error: its code and parameters for programs, and a sentence in English."""

    code: str
    detail: str
    params: dict[str, str | int] = {}


class Failure(Struct, frozen=True):
    """The body of an error response."""

    error: Error


_STATUS = {
    401: ("no-token", "token-unknown"),
    403: (
        *(
            "scope-missing",
            "suspended",
            "suspended-until",
            "suspended-now",
            "closed",
            "not-a-player",
        ),
        *("not-allowed", "not-a-member", "group-only", "rename-first", "no-challenges"),
        *("games-paused", "muted", "minors-no-programs"),
        *("rated-account", "rated-guest", "rated-apart", "bots-only", "not-for-bots"),
        *("bot-has-played", "event-bot", "event-account", "event-range", "not-invited"),
        *("removed-here", "wrong-code", "knockout-out", "own-game"),
    ),
    404: ("not-found", "no-tournament"),
    405: ("wrong-method",),
    409: (
        *("not-live", "stale", "taken", "challenge-gone", "challenged-already", "not-your-turn"),
        *("not-in-this-state", "not-entered", "event-full", "many-tournaments"),
    ),
    413: ("too-large",),
    429: (
        "too-fast",
        "too-often",
        "too-many",
        "many-matches",
        "many-open",
        "many-at-once",
        "many-tries",
    ),
    500: ("broken",),
    503: ("unavailable",),
}
STATUS_OF = {code: status for status, codes in _STATUS.items() for code in codes}
"""The HTTP status of each code. All other codes have the status 400."""

# The Retry-After in seconds for refusals that name no time. For codes without an entry, it is 60.
_WAIT = {"too-fast": 1, "unavailable": 2}


def refused(refusal: Refused, **headers: str) -> HttpResponse:
    """Return the response for a refusal.

    `headers` are further headers, whose names have underscores instead of hyphens.
    """
    status = STATUS_OF.get(refusal.code, 400)
    error = Error(refusal.code, render_english(refusal.words), dict(refusal.params))
    answer = json(Failure(error), status)
    if status in {429, 503}:
        wait = refusal.params.get("seconds", _WAIT.get(refusal.code, 60))
        answer.headers["Retry-After"] = str(wait)
    if status == 401:
        answer.headers["WWW-Authenticate"] = "Bearer"
    for name, value in headers.items():
        answer.headers[name.replace("_", "-")] = value
    return answer


API = "/api/"
"""The path prefix of the API."""

_encoder = msgspec.json.Encoder()


def failure(code: str, detail: str) -> bytes:
    """Return the body of an error that occurs outside of Django."""
    return _encoder.encode(Failure(Error(code, detail)))


def json(value: Any, status: int = 200) -> HttpResponse:
    """Return a response with a value as JSON."""
    return HttpResponse(_encoder.encode(value), status=status, content_type="application/json")


def tag_response(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    """Return the response with an ETag, or with the status 304 if the client has the same body.

    The tag covers the body, because names and ratings can change after the end of a game.
    """
    tag = quote_etag(blake2s(answer.content, digest_size=12).hexdigest())
    if tag in request.headers.get("If-None-Match", ""):
        answer = HttpResponse(status=304)
    answer.headers["ETag"] = tag
    return answer


def in_lines(values: Iterable[Any]) -> HttpResponse:
    """Return a response with a line of JSON for each value."""
    body = b"".join(_encoder.encode(value) + b"\n" for value in values)
    return HttpResponse(body, content_type="application/x-ndjson")
