"""Whoever must choose another name does so before anything else; their games go on."""

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
    # What is the same for everybody: who asks is not looked up.
    "/api/",
    "/words/",
    "/log/",
    "/.well-known/",
    "/manifest.webmanifest",
    "/service-worker.js",
    "/tournaments/feed.atom",
    "/tournaments/calendar.ics",
)
"""Where one may be meanwhile: in games, and at the account's own pages."""


class ChooseNameMiddleware:
    """Leads to the page of the name. Must come after the authentication's middleware."""

    def __init__(self, further: Callable[[HttpRequest], HttpResponse]) -> None:
        self._further = further

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(_OPEN) and _must_rename(request):
            back = {"next": request.get_full_path()} if request.method == "GET" else {}
            return redirect(f"{reverse('account-name')}?{urlencode(back)}".rstrip("?"))
        return self._further(request)


def _must_rename(request: HttpRequest) -> bool:
    if not request.session.session_key:
        return False  # nobody, without a query
    return isinstance(request.user, Player) and request.user.must_rename
