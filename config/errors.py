"""The error pages. They make no query: the database may be what has failed, and a client that asks
for missing pages all day should cost nothing. Only who has a session is named on a page that is
missing."""

import sys
from typing import Any

import structlog
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string

from games.runtime.addresses import client_network_of
from games.runtime.db import Unavailable, is_unavailable
from games.runtime.metrics import database_failed
from games.store.audit import hashed
from lobby.accounts.limits import may_log_refusal

log = structlog.get_logger(__name__)

_RETRY_AFTER = "5"  # seconds
_PLAIN = (
    "<!doctype html><title>Something broke</title><p>Something broke. <a href='/'>Try again</a>"
)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page("400.html", 400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Log that a right was refused, with the player's number and a hash of the address."""
    # Not request.user: that may make a query.
    player = getattr(getattr(request, "_cached_user", None), "pk", None)
    if player is not None and may_log_refusal(player):
        where = request.resolver_match.view_name if request.resolver_match else ""
        address = hashed(client_network_of(request))
        log.warning("right refused", player=player, address=address, view=where)
    return _page("403.html", 403)


def missing(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page("404.html", 404, **_viewer(request))


def broken(request: HttpRequest) -> HttpResponse:
    """The page for a fault of ours, or for a database that cannot be used for now. If the page
    itself cannot be made, a few plain words. Django calls this while it handles the exception."""
    error = sys.exc_info()[1]
    try:
        if isinstance(error, Exception) and is_unavailable(error):
            return _unavailable(error)
        return _page("500.html", 500)
    except Exception:
        log.exception("no page for what broke")
        return HttpResponse(_PLAIN, status=500)


def _unavailable(error: Exception) -> HttpResponse:
    if not isinstance(error, Unavailable):  # that one was counted where it was raised
        database_failed(error)
    response = _page("503.html", 503)
    response.headers["Retry-After"] = _RETRY_AFTER
    return response


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return _page("403_csrf.html", 403)


def _viewer(request: HttpRequest) -> dict[str, object]:
    """Who is shown in the header: the player of a session, if the database answers."""
    user: Any = getattr(request, "user", None)
    try:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or not user.is_authenticated:
            return {"user": AnonymousUser()}
    except (AttributeError, DatabaseError):  # it is not known who that is
        return {}
    return {"user": user, "csrf_token": get_token(request)}


def _page(template: str, status: int, **context: object) -> HttpResponse:
    # Without the request, so that no template can ask for more.
    words = render_to_string(template, {"site_name": settings.SITE_NAME, **context})
    return HttpResponse(words, status=status)
