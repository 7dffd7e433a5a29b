"""Who may see which of the accounts' pages, and how often something may be tried there."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render, resolve_url

from games.messages import build_message
from games.messages import render as render_message
from games.runtime.metrics import count_refusal
from lobby.models import Player

View = Callable[..., HttpResponseBase]


def present_as_anonymous(view: View) -> View:
    """At the door a guest is nobody yet, and known by `guest_of`: allauth turns away whoever is
    logged in. The session stays the guest's."""

    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **more: Any) -> HttpResponseBase:
        if isinstance(request.user, Player) and request.user.is_guest:
            request.guest = request.user  # type: ignore[attr-defined]
            request.user = AnonymousUser()
        return counted(request, view(request, *args, **more))

    return shown


def require_account(view: View) -> View:
    """For accounts alone: visitors and guests are sent to the login."""

    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **more: Any) -> HttpResponseBase:
        if not isinstance(request.user, Player) or request.user.is_guest:
            return redirect_to_login(request.get_full_path(), resolve_url("account_login"))
        return counted(request, view(request, *args, **more))

    return shown


def limit_posts(may: Callable[[HttpRequest], bool], view: View) -> View:
    """Refuse a POST with 429 where `may` says so, which counts it."""

    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **more: Any) -> HttpResponseBase:
        if request.method == "POST" and not may(request):
            count_refusal("account-too-often")
            detail = render_message(build_message("login.too-often"))
            return render(request, "429.html", {"detail": detail}, status=429)
        return view(request, *args, **more)

    return shown


def get_guest(request: HttpRequest | None) -> Player | None:
    """The guest who came to the door."""
    found = getattr(request, "guest", None)
    return found if isinstance(found, Player) else None


def mark_too_often(request: HttpRequest) -> None:
    """Note that this try was one too many: the page is answered with 429."""
    request.too_often = True  # type: ignore[attr-defined]
    count_refusal("login-too-often")


def counted(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    if getattr(request, "too_often", False):
        response.status_code = 429
    return response
