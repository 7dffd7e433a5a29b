"""The admin is for staff with a second factor. They come in by the door that is everybody's."""

from typing import Any

from allauth.mfa.models import Authenticator
from django.contrib.admin import AdminSite
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.urls import reverse
from django.utils.http import urlencode

from games.runtime.next_page import get_next_page
from lobby.models import Player


class StaffSite(AdminSite):
    """Django's own, but for its logins and passwords."""

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and has_second_factor(request.user)

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Send visitors to the login, and staff without a second factor to where they get one."""
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


def has_second_factor(user: Any) -> bool:
    """Whether the account has a passkey or an authenticator app. Codes on paper alone do not do."""
    if not isinstance(user, Player) or user.pk is None:
        return False
    known: bool | None = getattr(user, "_has_second_factor", None)
    if known is None:
        kinds = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
        known = Authenticator.objects.filter(user_id=user.pk, type__in=kinds).exists()
        user._has_second_factor = known  # type: ignore[attr-defined]  # asked twice for a page
    return known
