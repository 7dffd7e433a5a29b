"""What the site does its own way where allauth asks."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.contrib.auth import update_session_auth_hash
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from lobby.accounts.arriving import arrive
from lobby.accounts.door import guest_of, too_often
from lobby.accounts.ending import end_sessions
from lobby.accounts.limits import may_log_in
from lobby.accounts.login import address_of
from lobby.models import Player


class Adapter(DefaultAccountAdapter):
    """allauth's account adapter."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": _("The name or the password is not right."),
        "incorrect_password": _("This is not your password."),
        "enter_current_password": _("This is not your password."),
        "too_many_login_attempts": _(
            "There were too many attempts. Please wait a few minutes, then try again."
        ),
        "rate_limited": _(
            "There were too many attempts. Please wait a few minutes, then try again."
        ),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The name as it is stored, if the visitor may have it. Raises ValidationError."""
        guest = guest_of(self.request)
        asked = Player(pk=None if guest is None else guest.pk, username=username)
        try:
            asked.clean()
        except ValidationError as error:  # of a field that the form calls otherwise
            raise ValidationError(error.messages) from None
        return asked.username

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count one more try of a password. Raises ValidationError over the limits."""
        if not may_log_in(str(credentials.get("username", "")), address_of(request)):
            too_often(request)
            raise self.validation_error("too_many_login_attempts")

    def login(self, request: HttpRequest, user: Any) -> None:
        """Log in. The key of the session changes; a guest's own session goes on under the new one,
        and that of a guest who turns out to be somebody else ends."""
        guest, former = guest_of(request), request.session.session_key
        if guest is not None and guest.pk == user.pk:
            update_session_auth_hash(request, user)
        elif guest is not None:
            arrive(request, guest, user)
        super().login(request, user)
        # The sockets of one who is an alias now begin anew by themselves.
        if guest is not None and guest.pk != user.pk and former:
            guest.refresh_from_db(fields=["alias_of"])
            if guest.alias_of_id is None:
                transaction.on_commit(lambda: end_sessions([former]))

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return True

    def get_client_ip(self, request: HttpRequest) -> str:
        """No address: allauth would store it. Limits and logs have their own way to count it."""
        return "0.0.0.0"  # nosec B104  # noqa: S104  # stands for none

    def should_send_confirmation_mail(self, *args: Any, **more: Any) -> bool:
        return bool(settings.SENDS_MAIL)
