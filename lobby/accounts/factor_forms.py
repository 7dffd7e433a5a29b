"""allauth's adapter and forms for second factors, adapted to the site."""

from typing import Any

from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.forms import BooleanField, HiddenInput
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from lobby.accounts import encryption
from lobby.accounts.forms import simplify_fields
from lobby.accounts.qr_codes import draw_qr_code
from lobby.accounts.second_factors import KINDS, accept_code

_MOST = 10  # maximum number of passkeys per account


class FactorAdapter(DefaultMFAAdapter):
    """The site's adapter for allauth's second factors."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": _("Wrong or already used code. Please try again."),
        "cannot_delete_authenticator": _(
            "Moderators need two-step login: add another factor first."
        ),
    }

    def get_totp_issuer(self) -> str:
        return str(settings.SITE_NAME)

    def get_totp_label(self, user: Any) -> str:
        return str(user.username)

    def _get_user_identifier(self, user: Any) -> str:
        return str(user.username)

    def _get_site_name(self) -> str:
        return str(settings.SITE_NAME)

    def encrypt(self, text: str) -> str:
        return encryption.encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        return encryption.decrypt(encrypted_text)

    def can_delete_authenticator(self, authenticator: Authenticator) -> bool:
        """Return whether the factor may be removed: staff must keep at least one."""
        others = Authenticator.objects.filter(user_id=authenticator.user_id, type__in=KINDS)
        return not authenticator.user.is_staff or others.exclude(pk=authenticator.pk).exists()

    def generate_authenticator_name(self, user: Any, type: Any) -> str:  # noqa: A002  # named by allauth
        number = Authenticator.objects.filter(user=user, type=type).count() + 1
        return gettext("Passkey {number}").format(number=number)

    def build_totp_svg(self, url: str) -> SafeString:
        label = gettext("QR code for the authenticator app. The same key is shown as text below.")
        return draw_qr_code(url, label)


class _CodeMixin:
    """The code field of a form. It accepts a code from the app, once, or a recovery code."""

    user: Any
    cleaned_data: dict[str, Any]
    authenticator: Authenticator

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        simplify_fields(self, code=_("Code from your app, or a recovery code"))

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        mine = Authenticator.objects.filter(user=self.user).exclude(
            type=Authenticator.Type.WEBAUTHN
        )
        tried = None
        for each in mine.order_by("-type"):  # the app comes before the recovery codes
            tried = tried or each
            is_app = each.type == Authenticator.Type.TOTP
            if accept_code(each, code) if is_app else each.wrap().validate_code(code):
                each.refresh_from_db()
                each.user = self.user
                self.authenticator = each
                return code
        if tried is not None:
            self._emit_authentication_failed(tried)  # type: ignore[attr-defined]
        raise FactorAdapter(context.request).validation_error("incorrect_code")


class CodeForm(_CodeMixin, AuthenticateForm):
    """The form for the second step of a login."""


class CodeAgainForm(_CodeMixin, ReauthenticateForm):
    """The form that asks for the second factor again before a change."""


class AppForm(ActivateTOTPForm):
    """The form that sets up an authenticator app."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        simplify_fields(self, code=_("Code from the app"))


class PasskeyForm(AddWebAuthnForm):
    """The form for a new passkey.

    A passkey must always verify its user, so it counts as two factors.
    """

    passwordless = BooleanField(widget=HiddenInput, initial=True)

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        simplify_fields(self, name=_("Name of the passkey"))
        self.fields["name"].validators.append(MaxLengthValidator(60))

    def clean(self) -> dict[str, Any]:
        """Raise `ValidationError` if the account has too many passkeys."""
        kind = Authenticator.Type.WEBAUTHN
        if Authenticator.objects.filter(user=self.user, type=kind).count() >= _MOST:
            raise ValidationError(_("You have too many passkeys. Remove one first."))
        return super().clean()
