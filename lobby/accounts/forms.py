"""The forms of the accounts' pages, in the site's own words."""

from typing import Any

from allauth.account import forms
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from lobby.accounts.door import guest_of
from lobby.accounts.naming import stored_name
from lobby.accounts.signing_up import sign_up
from lobby.models import Player


def _plain(form: Any, **labels: Any) -> None:
    """Have labels beside the fields, and nothing written into them."""
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)
    for name, label in labels.items():
        if name in form.fields:
            form.fields[name].label = label


class LoginForm(forms.LoginForm):
    """A name and a password."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        _plain(self, login=_("Name"), password=_("Password"))
        self.fields["password"].help_text = ""

    def clean_login(self) -> str:
        """The name as it is stored, however it was typed; asked in the same way for any name."""
        typed = super().clean_login()
        return stored_name(typed) or typed


class SignupForm(forms.SignupForm):
    """A name, a password, and an address if the site can send mail."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        _plain(
            self,
            username=_("Name"),
            email=_("E-mail address (if you like)"),
            password1=_("Password"),
            password2=_("The same password again"),
        )
        self.fields["password1"].help_text = _("At least 8 characters. A few words are fine.")
        if "email" in self.fields:
            self.fields["email"].help_text = _(
                "Only for getting back in, should you forget the password."
            )
        if not settings.SENDS_MAIL:
            self.fields.pop("email", None)

    def save(self, request: HttpRequest) -> Player:
        """Make the account. Raises `Refused`."""
        data = self.cleaned_data
        password = make_password(data["password1"])  # takes long: before the transaction
        return sign_up(
            request, guest_of(request), data["username"], password, data.get("email") or ""
        )
