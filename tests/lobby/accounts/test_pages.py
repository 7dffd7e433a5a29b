"""Every page of the accounts, requested by all kinds of visitors, has the site's own design."""

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.template.loader import get_template
from django.test import Client
from django.urls import reverse

from lobby.accounts.guests import new_guest
from lobby.accounts.urls import urlpatterns
from tests.builders.players import create_player, log_in

pytestmark = pytest.mark.django_db
DOOR = {
    "account_signup", "account_login", "account_inactive", "account_reset_password",
    "account_reset_password_done", "account_reset_password_from_key_done", "recovery",
    "account_request_login_code", "account_email_verification_sent",
}  # fmt: skip
STEPS = {  # in a login that has begun; otherwise they redirect to its beginning
    "account_logout", "mfa_authenticate", "mfa_login_webauthn", "account_confirm_login_code",
}  # fmt: skip
KEYED = {"account_reset_password_from_key": {"uidb36": "1", "key": "x-y"},
         "account_confirm_email": {"key": "x"}}  # fmt: skip
OWN = {
    "account", "account_reauthenticate", "account_change_password", "recovery-words",
    "account_email", "mfa_index", "usersessions_list", "applications",
}  # fmt: skip
ELSEWHERE = {  # they require the password first, or redirect to another page
    "account_set_password", "mfa_reauthenticate", "mfa_activate_totp", "mfa_add_webauthn",
    "mfa_reauthenticate_webauthn", "mfa_generate_recovery_codes", "mfa_list_webauthn", "tokens",
}  # fmt: skip
MISSING = {"mfa_deactivate_totp", "mfa_view_recovery_codes"}  # for accounts that have none
POSTS = {
    "session-end": {"pk": 1}, "token-revoke": {"pk": 1}, "sign-ins-read": {},
    "application-revoke": {},
}  # fmt: skip
ROWS = {"mfa_remove_webauthn": {"pk": 1}}
# tests/games/review/test_addresses.py requests these as all kinds of visitors.
ELSE = {"account-name", "account-close", "account-download", "appeal"}


def paths(names: Any) -> list[str]:
    return [reverse(name) for name in sorted(names)]


def test_no_page_is_left_out() -> None:
    named = DOOR | STEPS | set(KEYED) | OWN | ELSEWHERE | MISSING | set(POSTS) | set(ROWS)
    assert {pattern.name for pattern in urlpatterns} == named | ELSE


def test_visitors_and_guests_see_the_door_and_nothing_else() -> None:
    visitor, guest = Client(), Client()
    guest.force_login(new_guest())
    for client in (visitor, guest):
        for path in paths(DOOR):
            answer = client.get(path)
            assert answer.status_code == 200, path
            assert 'class="account panel"' in answer.content.decode(), path
        for name, keys in KEYED.items():
            assert (
                "invalid or has expired" in client.get(reverse(name, kwargs=keys)).content.decode()
            )
        for path in paths(STEPS):
            assert client.get(path).status_code == 302, path
        own = [*paths(OWN | ELSEWHERE - {"mfa_list_webauthn"} | MISSING)]
        own += [reverse(name, kwargs=keys) for name, keys in (POSTS | ROWS).items()]
        for path in own:
            for answer in (client.get(path), client.post(path)):
                assert answer.status_code == 302, path
                assert answer.headers["Location"].startswith("/accounts/login/?next="), path


def test_an_account_sees_its_own() -> None:
    create_player("anna")
    client = log_in("anna")
    for path in paths(OWN):
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert 'class="account panel"' in answer.content.decode(), path
    for path in paths(ELSEWHERE):
        assert client.get(path).status_code == 302, path
    for path in paths(MISSING):
        assert client.get(path).status_code == 404, path
    for path in paths({"account_login", "account_signup"}):
        assert client.get(path).status_code == 302, path


def test_no_page_takes_anything_without_the_token() -> None:
    create_player("anna")
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = log_in("anna").cookies
    names = DOOR | STEPS | OWN | ELSEWHERE | MISSING
    keyed = [reverse(name, kwargs=keys) for name, keys in (KEYED | POSTS | ROWS).items()]
    for path in (*paths(names), *keyed):
        for client in (strict, Client(enforce_csrf_checks=True)):
            assert client.post(path).status_code == 403, path


def test_pages_and_mails_are_ours() -> None:
    assert "allauth" not in settings.INSTALLED_APPS, "whose pages would stand in for missing ones"
    (folder,) = settings.TEMPLATES[0]["DIRS"]
    for name in ("account/login.html", "mfa/index.html", "usersessions/usersession_list.html"):
        assert Path(get_template(name).origin.name).is_relative_to(folder)  # type: ignore[attr-defined]
