"""A redirect for players who must choose another name before they do anything else."""

from collections.abc import Callable
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from lobby.models import Player

_OPEN = (
    "/match/",
    "/game/export/",
    "/embed/",
    "/accounts/",
    "/notice/",
    "/static/",
    "/rules/",
    "/forget/",
    "/offline/",
    # The same for everybody, so the session is not read.
    "/api/",
    "/words/",
    "/log/",
    "/.well-known/",
    "/manifest.webmanifest",
    "/service-worker.js",
    "/tournaments/feed.atom",
    "/tournaments/calendar.ics",
)
"""Paths that stay open to these players: their matches and account pages."""


class ChooseNameMiddleware:
    """Redirects to the page of the name. Must come after the authentication middleware."""

    def __init__(self, further: Callable[[HttpRequest], HttpResponse]) -> None:
        self._further = further

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(_OPEN) and _must_rename(request):
            back = {"next": request.get_full_path()} if request.method == "GET" else {}
            return redirect(f"{reverse('account-name')}?{urlencode(back)}".rstrip("?"))
        return self._further(request)


def _must_rename(request: HttpRequest) -> bool:
    if not request.session.session_key:
        return False  # a visitor, without a query
    return isinstance(request.user, Player) and request.user.must_rename
