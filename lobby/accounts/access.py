"""Access to the account pages and the admin, and limits on attempts."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils.http import urlencode

from games.messages import build_message
from games.messages import render as render_message
from games.messages.refusal import Refused
from games.runtime.metrics import count_refusal
from games.runtime.next_page import get_next_page
from lobby.accounts.second_factors import has_second_factor
from lobby.models import Player
from lobby.privacy.protection import must_be_open_to_programs

View = Callable[..., HttpResponseBase]


def present_as_anonymous(view: View) -> View:
    """Present guests to the view as anonymous visitors. `get_guest` returns the hidden guest.

    allauth refuses logged-in users on its login and sign-up pages. The session is still that of the
    guest. The status is 429 if the view has called `mark_too_often`.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **more: Any) -> HttpResponseBase:
        if isinstance(request.user, Player) and request.user.is_guest:
            request.guest = request.user  # type: ignore[attr-defined]
            request.user = AnonymousUser()
        return _apply_too_often(request, view(request, *args, **more))

    return wrapped


def require_account(view: View) -> View:
    """Redirect visitors and guests to the login page.

    The status is 429 if the view has called `mark_too_often`.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **more: Any) -> HttpResponseBase:
        if not isinstance(request.user, Player) or request.user.is_guest:
            return redirect_to_login(request.get_full_path(), resolve_url("account_login"))
        return _apply_too_often(request, view(request, *args, **more))

    return wrapped


def refuse_minors(view: View) -> View:
    """Redirect protected players to their account page, because no program may act for them.

    Visitors and guests must have been redirected before (see `require_account`).
    """

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **more: Any) -> HttpResponseBase:
        assert isinstance(request.user, Player)
        try:
            must_be_open_to_programs(request.user)
        except Refused as refusal:
            messages.error(request, render_message(refusal.words))
            return redirect("account")
        return view(request, *args, **more)

    return wrapped


def limit_posts(may: Callable[[HttpRequest], bool], view: View) -> View:
    """Respond to a POST with 429 if `may` returns False. `may` also counts the attempt."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **more: Any) -> HttpResponseBase:
        if request.method == "POST" and not may(request):
            count_refusal("account-too-often")
            detail = render_message(build_message("login.too-often"))
            return render(request, "429.html", {"detail": detail}, status=429)
        return view(request, *args, **more)

    return wrapped


def get_guest(request: HttpRequest | None) -> Player | None:
    """Return the guest that `present_as_anonymous` has hidden from the view, or None."""
    found = getattr(request, "guest", None)
    return found if isinstance(found, Player) else None


def mark_too_often(request: HttpRequest) -> None:
    """Count a refused attempt to log in or to request an e-mail.

    If the view is decorated with `present_as_anonymous` or `require_account`, the response then has
    the status 429.
    """
    request.too_often = True  # type: ignore[attr-defined]
    count_refusal("login-too-often")


def _apply_too_often(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    if getattr(request, "too_often", False):
        response.status_code = 429
    return response


class StaffSite(AdminSite):
    """Django's admin for staff with a second factor, with the site's login and password pages."""

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and has_second_factor(request.user)

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Redirect to the requested page of the admin, or to a page that must be used first.

        The latter is the login page for visitors and guests, and the page of second factors for
        staff who have no second factor. Raise `PermissionDenied` for other accounts.
        """
        wanted = get_next_page(request) or reverse("admin:index")
        if self.has_permission(request):
            return redirect(wanted)
        if not isinstance(request.user, Player) or request.user.is_guest:
            return redirect_to_login(wanted, resolve_url("account_login"))
        if super().has_permission(request):
            return redirect(f"{reverse('mfa_index')}?{urlencode({'next': wanted})}")
        raise PermissionDenied

    def logout(self, request: HttpRequest, extra_context: Any = None) -> Any:
        return redirect("account_logout")

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> Any:
        return redirect("account_change_password")
