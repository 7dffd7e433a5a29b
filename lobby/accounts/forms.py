"""The site's versions of allauth's forms, and its adapter for second factors."""

from typing import Any

from allauth.account import forms
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.base.forms import ReauthenticateForm as FactorReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django import forms as django_forms
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.forms import BooleanField, HiddenInput
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.messages.names import LONGEST, SHORTEST
from lobby.accounts import encryption
from lobby.accounts.access import get_guest
from lobby.accounts.names import find_stored_name
from lobby.accounts.qr_codes import draw_qr_code
from lobby.accounts.second_factors import KINDS, accept_code
from lobby.accounts.signup import sign_up
from lobby.models import Player

_PASSWORD_HELP = _("At least 8 characters. A few words are fine.")


class LoginForm(forms.LoginForm):
    """The login form, with a name and a password."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        simplify_fields(self, login=_("Name"), password=_("Password"))
        self.fields["password"].help_text = ""

    def clean_login(self) -> str:
        """Return the stored spelling of the name, or the typed name if no player has it."""
        typed = super().clean_login()
        return find_stored_name(typed) or typed


class SignupForm(forms.SignupForm):
    """The sign-up form. It has an e-mail field only if the site can send e-mails."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        simplify_fields(
            self,
            username=_("Name"),
            email=_("Email address (optional)"),
            password1=_("Password"),
        )
        self.fields["username"].help_text = format_lazy(
            _("{least} to {most} characters. Visible to everyone."), least=SHORTEST, most=LONGEST
        )
        self.fields["password1"].help_text = _PASSWORD_HELP
        if "email" in self.fields:
            self.fields["email"].help_text = _("Only used to reset a forgotten password.")
        if not settings.SENDS_MAIL:
            self.fields.pop("email", None)

    def clean(self) -> dict[str, Any]:
        """Check the repeated password, if any.

        The page does not have this field, but other clients may send it.
        """
        data: dict[str, Any] = super().clean()
        repeated = self.data.get("password2")
        if repeated and "password1" in data and repeated != data["password1"]:
            self.add_error("password1", _("You must type the same password each time."))
        return data

    def full_clean(self) -> None:
        """Clean the form, and keep only the first error, as people correct one thing at a time."""
        super().full_clean()
        for name in list(self._errors)[1:]:
            del self._errors[name]
        for messages in self._errors.values():
            del messages[1:]

    def save(self, request: HttpRequest) -> Player:
        """Create the account. Raise `Refused` if `sign_up` does."""
        data = self.cleaned_data
        # Hashing is slow, so it is done before the transaction.
        password = make_password(data["password1"])
        return sign_up(
            request, get_guest(request), data["username"], password, data.get("email") or ""
        )


class ReauthenticateForm(forms.ReauthenticateForm):
    """The form that confirms the password before a change."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        simplify_fields(self, password=_("Your password"))
        self.fields["password"].help_text = ""


class ChangePasswordForm(forms.ChangePasswordForm):
    """The form for a new password, which also asks for the current one."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        _new_password(self)
        simplify_fields(self, oldpassword=_("Current password"))
        self.fields["oldpassword"].help_text = ""


class SetPasswordForm(forms.SetPasswordForm):
    """The form for the first password of an account without one."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        _new_password(self)


class ResetPasswordKeyForm(forms.ResetPasswordKeyForm):
    """The form for a new password on the page that a link in an e-mail opens."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        _new_password(self)


class AddressForm(forms.AddEmailForm):
    """The form for the account's e-mail address."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        simplify_fields(self, email=_("Email address"))


class ResetPasswordForm(forms.ResetPasswordForm):
    """The form that requests a password link, which is sent to a confirmed address."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        simplify_fields(self, email=_("Email address"))

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        owner = _owner(email)
        self.users = [] if owner is None else [owner]
        return email


class RequestLoginCodeForm(forms.RequestLoginCodeForm):
    """The form that requests a login code, which is sent to a confirmed address."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        simplify_fields(self, email=_("Email address"))

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        self._user = _owner(email)
        return email


class ConfirmLoginCodeForm(forms.ConfirmLoginCodeForm):
    """The form for the login code from the e-mail."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        simplify_fields(self, code=_("Code from the email"))


class RecoveryForm(forms.SetPasswordForm):
    """The form for an account's name, its recovery words, and a new password."""

    name = django_forms.CharField(
        label=_("Name"),
        max_length=100,
        widget=django_forms.TextInput({"autocomplete": "username"}),
    )
    words = django_forms.CharField(
        label=_("Your recovery words"),
        max_length=400,
        widget=django_forms.Textarea(
            {"rows": 3, "autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}
        ),
    )
    field_order = ("name", "words", "password1", "password2")

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(None, *args, **more)
        _new_password(self)


def _new_password(form: Any) -> None:
    simplify_fields(form, password1=_("New password"), password2=_("Repeat password"))
    form.fields["password1"].help_text = _PASSWORD_HELP


def _owner(email: str) -> Player | None:
    """Return the active account with this confirmed address, or None."""
    found = EmailAddress.objects.filter(
        email=email.lower(), verified=True, user__is_active=True
    ).select_related("user")
    first = found.first()
    return None if first is None else first.user


def simplify_fields(form: Any, **labels: Any) -> None:
    """Set the labels of a form's fields, and remove allauth's placeholders."""
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)
    for name, label in labels.items():
        if name in form.fields:
            form.fields[name].label = label


_MAX_PASSKEYS = 10  # per account


class FactorAdapter(DefaultMFAAdapter):
    """The site's adapter for allauth's second factors."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": _("Wrong or already used code. Please try again."),
        "cannot_delete_authenticator": _("Staff need two-step login: add another factor first."),
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
        """Return whether the factor may be removed. Staff must keep an app or a passkey."""
        others = Authenticator.objects.filter(user_id=authenticator.user_id, type__in=KINDS)
        return not authenticator.user.is_staff or others.exclude(pk=authenticator.pk).exists()

    def generate_authenticator_name(self, user: Any, type: Any) -> str:  # noqa: A002  # named by allauth
        number = Authenticator.objects.filter(user=user, type=type).count() + 1
        return gettext("Passkey {number}").format(number=number)

    def build_totp_svg(self, url: str) -> SafeString:
        label = gettext("QR code for the authenticator app. The same key is shown as text below.")
        return draw_qr_code(url, label)


class _CodeMixin:
    """The code field of a form. It accepts each code of the app and each recovery code once."""

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


class CodeAgainForm(_CodeMixin, FactorReauthenticateForm):
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
        if Authenticator.objects.filter(user=self.user, type=kind).count() >= _MAX_PASSKEYS:
            raise ValidationError(_("You have too many passkeys. Remove one first."))
        return super().clean()
