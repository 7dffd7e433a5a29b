"""What the site does its own way where allauth asks."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.runtime.addresses import get_request_network
from lobby.accounts.access import get_guest, mark_too_often
from lobby.accounts.audit_events import log_event
from lobby.accounts.devices import remember_device
from lobby.accounts.limits import may_log_in
from lobby.accounts.recovery import WORDS_DUE
from lobby.accounts.second_factors import has_second_factor
from lobby.accounts.sessions import end_sessions
from lobby.accounts.signup import log_in_guest
from lobby.models import Player

_TOO_OFTEN = _("Too many attempts. Please wait a few minutes and try again.")


class Adapter(DefaultAccountAdapter):
    """allauth's account adapter."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": _("Wrong name or password."),
        "incorrect_password": _("Wrong password."),
        "enter_current_password": _("Wrong password."),
        "incorrect_code": _("The code is wrong or has expired."),
        "duplicate_email": _("This is already your address."),
        "too_many_login_attempts": _TOO_OFTEN,
        "rate_limited": _TOO_OFTEN,
    }

    # -- names and passwords

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The name as it is stored, if the visitor may have it. Raises ValidationError."""
        guest = get_guest(self.request)
        asked = Player(pk=None if guest is None else guest.pk, username=username)
        try:
            asked.clean()
        except ValidationError as error:  # of a field that the form calls otherwise
            raise ValidationError(error.messages) from None
        return asked.username

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count one more try of a password. Raises ValidationError over the limits."""
        if not may_log_in(str(credentials.get("username", "")), get_request_network(request)):
            mark_too_often(request)
            raise self.validation_error("too_many_login_attempts")

    # -- logging in

    def login(self, request: HttpRequest, user: Any) -> None:
        """Log in. The key of the session changes; a guest's own session goes on under the new one,
        and that of a guest who turns out to be somebody else ends."""
        guest, former = get_guest(request), request.session.session_key
        if guest is not None and guest.pk == user.pk:
            update_session_auth_hash(request, user)
        elif guest is not None:
            log_in_guest(request, guest, user)
        super().login(request, user)
        # The sockets of one who is an alias now begin anew by themselves.
        if guest is not None and guest.pk != user.pk and former:
            guest.refresh_from_db(fields=["alias_of"])
            if guest.alias_of_id is None:
                end_sessions([former])

    def post_login(self, request: HttpRequest, user: Any, **more: Any) -> HttpResponse:
        """Where to go now: on; but staff get a second factor first, and who has only just come, or
        has used their recovery words up, is shown new ones."""
        response = super().post_login(request, user, **more)
        where = response.url
        new = remember_device(request, response, user)
        if new is not None:
            log_event("logged in by a new device", request, user.pk)
            self.send_notification_mail("sign-in", user, {"device": new.device})
        has_address = EmailAddress.objects.filter(user=user).exists()
        if (more["signup"] and not has_address) or (more["signal_kwargs"] or {}).get(WORDS_DUE):
            request.session[WORDS_DUE] = True
            where = f"{reverse('recovery-words')}?{urlencode({'next': where})}"
        if user.is_staff and not has_second_factor(user):
            where = reverse("mfa_index")
        answer = HttpResponseRedirect(where)
        answer.cookies = response.cookies
        return answer

    def get_client_ip(self, request: HttpRequest) -> str:
        """No address: allauth would store it. Limits and logs have their own way to count it."""
        return "0.0.0.0"  # nosec B104  # noqa: S104  # stands for none

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        messages.success(
            request,
            gettext(
                "Your password has been changed. You have been logged out on all other devices."
            ),
        )
        return reverse("account")

    # -- mail

    def should_send_confirmation_mail(self, *args: Any, **more: Any) -> bool:
        return bool(settings.SENDS_MAIL)

    def format_email_subject(self, subject: str) -> str:
        return f"{settings.SITE_NAME}: {subject}"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail, if the site can. To somebody unknown one is written too, for the time that
        it takes, and not sent."""
        words = {"site_name": settings.SITE_NAME, "request": self.request, **context}
        message = self.render_mail(template_prefix, email, words)
        if settings.SENDS_MAIL and template_prefix != "account/email/unknown_account":
            message.send()

    def send_notification_mail(
        self, template_prefix: str, user: Any, context: Any = None, email: str | None = None
    ) -> None:
        """Tell the account what was changed, at an address that was confirmed."""
        if email is None:
            found = EmailAddress.objects.filter(user=user, verified=True)
            email = found.values_list("email", flat=True).first()
        if email:
            what = template_prefix.rpartition("/")[2]
            self.send_mail("account/email/happened", email, {"what": what, **(context or {})})
