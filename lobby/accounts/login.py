"""The staff's login. Tries are limited by account and by address, and are logged.

Neither the answer nor the time that it takes tells whether an account exists.
"""

from typing import Any

import structlog
from django.conf import settings
from django.contrib.admin import site
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.core.exceptions import ValidationError
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse

from games.runtime.metrics import refused
from games.store.audit import hashed
from games.words import say, words
from lobby.accounts.limits import logged_in, may_log_in
from lobby.models import Player

log = structlog.get_logger(__name__)


class LoginForm(AdminAuthenticationForm):
    """Checks no password after too many attempts."""

    def clean(self) -> dict[str, Any]:
        name = self.cleaned_data.get("username", "")
        assert self.request is not None
        if name and not may_log_in(name, address_of(self.request)):
            self.request.too_often = True  # type: ignore[attr-defined]
            refused("login-too-often")
            raise ValidationError(say(words("login.too-often")), code="too-often")
        return super().clean()

    def confirm_login_allowed(self, user: Any) -> None:
        """Raises ValidationError for people who are not staff, as for a wrong password."""
        try:
            super().confirm_login_allowed(user)
        except ValidationError:
            _log_failure(user.pk, self.request)
            raise


def admin_login(request: HttpRequest) -> HttpResponse:
    """The admin's login page; 429 after too many attempts."""
    response = site.login(request)
    if getattr(request, "too_often", False):
        response.status_code = 429
    return response


def address_of(request: HttpRequest | None) -> str:
    """The household of the request's address."""
    return "" if request is None else str(request.META.get("REMOTE_ADDR", ""))


@receiver(user_logged_in)
def _logged_in(sender: Any, request: HttpRequest, user: Any, **kwargs: Any) -> None:
    if user.is_staff:
        request.session.set_expiry(settings.STAFF_SESSION_SECONDS)
        logged_in(user.get_username(), address_of(request))
    address = hashed(address_of(request))
    log.info("logged in", player=user.pk, guest=user.is_guest, staff=user.is_staff, address=address)


@receiver(user_logged_out)
def _logged_out(sender: Any, request: HttpRequest, user: Any, **kwargs: Any) -> None:
    if user is not None:
        log.info("logged out", player=user.pk, address=hashed(address_of(request)))


@receiver(user_login_failed)
def _failed(
    sender: Any, credentials: dict[str, Any], request: HttpRequest | None = None, **kwargs: Any
) -> None:
    # Asked whether or not the account exists, so that both cases take the same time.
    name = str(credentials.get("username", ""))
    _log_failure(Player.objects.filter(username=name).values_list("pk", flat=True).first(), request)


def _log_failure(player_id: int | None, request: HttpRequest | None) -> None:
    # Never the name: people sometimes type their password into the wrong field.
    log.warning("login failed", player=player_id, address=hashed(address_of(request)))
