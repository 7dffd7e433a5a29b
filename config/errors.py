"""The error pages.

They make no queries, because the database may have failed, and because a client that constantly
requests missing pages should not be expensive. The exception is the 404 page, which shows the name
of a logged-in player.
"""

import sys
from typing import Any

import structlog
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string

from games.runtime.addresses import get_request_network
from games.runtime.db import Unavailable, is_unavailable
from games.runtime.metrics import count_database_error
from games.store.audit import hash_address
from lobby.accounts.limits import may_log_refusal
from lobby.players.people import LONGEST_NAME

log = structlog.get_logger(__name__)

_RETRY_AFTER = "5"  # seconds that clients should wait after a 503
# The subject of a page, by the first part of its route.
_KINDS = {
    "player": "player",
    "match": "match",
    "embed": "match",
    "seek": "seek",
    "challenge": "challenge",
    "tournaments": "tournament",
    "groups": "group",
    "ratings": "game",
    "rules": "game",
    "analysis": "game",
}
_PLAIN = (
    "<!doctype html><title>Something broke</title><p>Something broke. <a href='/'>Try again</a>"
)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page("400.html", 400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Show the 403 page. Log the refusal if the player is known, at a limited rate."""
    # Reading `request.user` could make a query.
    player = getattr(getattr(request, "_cached_user", None), "pk", None)
    if player is not None and may_log_refusal(player):
        where = request.resolver_match.view_name if request.resolver_match else ""
        address = hash_address(get_request_network(request))
        log.warning("permission denied", player=player, address=address, view=where)
    return _page("403.html", 403)


def missing(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Show the 404 page, which repeats the requested name and path.

    Apart from the viewer's name, the page depends only on the URL: a hidden player and a player who
    does not exist look the same.
    """
    match = request.resolver_match
    context = {
        "kind": "" if match is None else _KINDS.get(match.route.split("/")[0], ""),
        "name": "" if match is None else str(match.kwargs.get("name", ""))[:LONGEST_NAME],
        "path": request.path[:LONGEST_NAME],
    }
    return _page("404.html", 404, **context, **_viewer(request))


def broken(request: HttpRequest) -> HttpResponse:
    """Show the 500 page, or the 503 page if the error means that the database is unavailable.

    Django calls this while it handles the exception. If rendering fails, send a plain sentence.
    """
    error = sys.exc_info()[1]
    try:
        if isinstance(error, Exception) and is_unavailable(error):
            return _unavailable(error)
        return _page("500.html", 500)
    except Exception:
        log.exception("error page failed")
        return HttpResponse(_PLAIN, status=500)


def _unavailable(error: Exception) -> HttpResponse:
    if not isinstance(error, Unavailable):  # `Unavailable` is counted where it is raised
        count_database_error(error)
    response = _page("503.html", 503)
    response.headers["Retry-After"] = _RETRY_AFTER
    return response


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return _page("403_csrf.html", 403)


def _viewer(request: HttpRequest) -> dict[str, object]:
    """Return the context of the header: the player of the session, or an anonymous user.

    The context is empty if the session cannot be read.
    """
    user: Any = getattr(request, "user", None)
    try:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or not user.is_authenticated:
            return {"user": AnonymousUser()}
    except (AttributeError, DatabaseError):  # render the page without a player
        return {}
    return {"user": user, "csrf_token": get_token(request)}


def _page(template: str, status: int, **context: object) -> HttpResponse:
    # The page is rendered without the request, so that the context processors make no query.
    words = render_to_string(template, {"site_name": settings.SITE_NAME, **context})
    return HttpResponse(words, status=status)
