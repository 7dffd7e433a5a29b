"""The site's account adapter for allauth."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import translation
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.runtime.addresses import get_request_network
from lobby.accounts.access import get_guest, mark_too_often
from lobby.accounts.audit_events import log_event
from lobby.accounts.devices import SHARED_DEVICE, remember_device
from lobby.accounts.limits import may_log_in
from lobby.accounts.recovery import WORDS_DUE
from lobby.accounts.second_factors import has_second_factor
from lobby.accounts.sessions import end_sessions
from lobby.accounts.signup import log_in_guest
from lobby.models import Member, Player

_TOO_OFTEN = _("Too many attempts. Please wait a few minutes and try again.")


class Adapter(DefaultAccountAdapter):
    """The account adapter, with the site's messages, limits and redirects."""

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
        """Return the name as stored. Raise `ValidationError` if it is refused or taken."""
        guest = get_guest(self.request)
        asked = Player(pk=None if guest is None else guest.pk, username=username)
        try:
            asked.clean()
        except ValidationError as error:
            # Keep only the messages, because the errors name a field of the model, not of the form.
            raise ValidationError(error.messages) from None
        return asked.username

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a password attempt. Raise `ValidationError` if there are too many attempts."""
        if not may_log_in(str(credentials.get("username", "")), get_request_network(request)):
            mark_too_often(request)
            raise self.validation_error("too_many_login_attempts")

    # -- logging in

    def login(self, request: HttpRequest, user: Any) -> None:
        """Log in under a new session key.

        A guest who has signed up as this account keeps the data of the session. The session of any
        other guest ends.
        """
        guest, former = get_guest(request), request.session.session_key
        if guest is not None and guest.pk == user.pk:
            update_session_auth_hash(request, user)
        elif guest is not None:
            log_in_guest(request, guest, user)
        super().login(request, user)
        # A guest who has become an alias is left out, because merging restarts the guest's sockets.
        if guest is not None and guest.pk != user.pk and former:
            guest.refresh_from_db(fields=["alias_of"])
            if guest.alias_of_id is None:
                end_sessions([former])

    def post_login(self, request: HttpRequest, user: Any, **more: Any) -> HttpResponse:
        """Return the redirect after a login, and remember the browser unless it is shared.

        If the browser is new to an account that has other browsers, the owner is notified. New
        accounts without an e-mail address, and owners who have used their recovery words, are
        redirected to new recovery words. Staff without a second factor are always redirected to the
        page that sets one up.
        """
        response = super().post_login(request, user, **more)
        where = response.url
        arguments = more["signal_kwargs"] or {}
        new = None if arguments.get(SHARED_DEVICE) else remember_device(request, response, user)
        if new is not None:
            log_event("logged in by a new device", request, user.pk)
            self.send_notification_mail("sign-in", user, {"device": new.device})
        has_address = EmailAddress.objects.filter(user=user).exists()
        if (more["signup"] and not has_address) or arguments.get(WORDS_DUE):
            request.session[WORDS_DUE] = True
            where = f"{reverse('recovery-words')}?{urlencode({'next': where})}"
        if user.is_staff and not has_second_factor(user):
            where = reverse("mfa_index")
        answer = HttpResponseRedirect(where)
        answer.cookies = response.cookies
        return answer

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Return the page to show after a login if the request does not name one.

        For protected players, this is the page of the class that they joined last, or the list of
        their groups.
        """
        if not isinstance(request.user, Player) or not request.user.is_protected:
            return str(super().get_login_redirect_url(request))
        own = Member.objects.filter(player=request.user, group__for_minors=True)
        last = own.select_related("group").order_by("-joined_at", "-pk").first()
        return reverse("groups") if last is None else last.group.get_absolute_url()

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return a placeholder, because allauth would store the address.

        Limits and logs use `get_request_network` instead.
        """
        return "0.0.0.0"  # nosec B104  # noqa: S104  # a stored placeholder; nothing is bound to it

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        messages.success(
            request,
            gettext(
                "Your password has been changed. You have been logged out on all other devices."
            ),
        )
        return reverse("account")

    # -- e-mail

    def should_send_confirmation_mail(self, *args: Any, **more: Any) -> bool:
        return bool(settings.SENDS_MAIL)

    def format_email_subject(self, subject: str) -> str:
        return f"{settings.SITE_NAME}: {subject}"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send an e-mail in the language of the recipient, if the site can send any.

        An e-mail to an unknown address is rendered but not sent, so that the response takes the
        same time.
        """
        words = {"site_name": settings.SITE_NAME, "request": self.request, **context}
        recipient = context.get("user")
        language = getattr(recipient, "language", "") or translation.get_language()
        with translation.override(language):
            message = self.render_mail(template_prefix, email, words)
        if settings.SENDS_MAIL and template_prefix != "account/email/unknown_account":
            message.send()

    def send_notification_mail(
        self, template_prefix: str, user: Any, context: Any = None, email: str | None = None
    ) -> None:
        """Send a notice about the account to `email`, or to its confirmed address, if any."""
        if email is None:
            found = EmailAddress.objects.filter(user=user, verified=True)
            email = found.values_list("email", flat=True).first()
        if email:
            what = template_prefix.rpartition("/")[2]
            words = {"what": what, "user": user, **(context or {})}
            self.send_mail("account/email/account_notice", email, words)
