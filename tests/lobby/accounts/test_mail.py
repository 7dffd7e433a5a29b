"""Mail through a real server on a loopback port, and pages of a site without mail."""

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from allauth.account.models import EmailAddress
from django.test import Client, override_settings

from config.environment import Environment
from lobby.accounts.mail import flush
from lobby.models import Player
from tests.builders.players import (
    NEW_PASSWORD,
    PASSWORD,
    confirm_password,
    create_player,
    is_logged_in,
    log_in,
)
from tests.builders.ports import free_port
from tests.builders.second_factors import give_factor

pytestmark = pytest.mark.django_db


class Letters:
    """The messages that the server has accepted."""

    def __init__(self) -> None:
        self.taken: list[Message] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        self.taken.append(message_from_bytes(envelope.content))
        return "250 OK"

    def last(self) -> tuple[str, str]:
        """Return the recipients and the text of the last message."""
        flush()
        letter = self.taken[-1]
        return str(letter["To"]), letter.get_payload(decode=True).decode()  # type: ignore[union-attr]

    def count(self) -> int:
        flush()
        return len(self.taken)


@pytest.fixture
def letters() -> Iterator[Letters]:
    held, port = Letters(), free_port()
    server = Controller(held, hostname="127.0.0.1", port=port)
    server.start()
    mail = Environment({"EMAIL_URL": f"smtp://127.0.0.1:{port}"}).mail()
    try:
        with override_settings(
            SENDS_MAIL=True,
            EMAIL_BACKEND="lobby.accounts.mail.QueuedEmailBackend",
            DEFAULT_FROM_EMAIL="parlour@example.org",
            EMAIL_HOST=mail["EMAIL_HOST"],
            EMAIL_PORT=mail["EMAIL_PORT"],
        ):
            yield held
    finally:
        server.stop()


def link(text: str) -> str:
    (found,) = re.findall(r"http://testserver(/\S+)", text)
    return found


def with_address(name: str, address: str, verified: bool = True) -> Player:
    made = create_player(name, email=address)
    EmailAddress.objects.create(user=made, email=address, primary=True, verified=verified)
    return made


def test_an_address_is_confirmed_by_its_link_once(letters: Letters) -> None:
    client = Client()
    form = {"username": "anna", "password1": PASSWORD, "password2": PASSWORD}
    assert client.post("/accounts/signup/", {**form, "email": "A@Example.org"}).status_code == 302
    to, text = letters.last()
    assert to == "a@example.org"
    address = EmailAddress.objects.get()
    assert not address.verified
    elsewhere = Client()  # any browser may open the link; it does not log in
    assert "Confirm that a@example.org is the address" in elsewhere.get(link(text)).content.decode()
    elsewhere.post(link(text))
    address.refresh_from_db()
    assert address.verified
    assert not is_logged_in(elsewhere)
    assert "invalid or has expired" in elsewhere.get(link(text)).content.decode()
    assert (
        "invalid or has expired"
        in elsewhere.get("/accounts/confirm-email/forged:1:x/").content.decode()
    )


def test_another_accounts_link_logs_nobody_out(letters: Letters) -> None:
    client = Client()
    form = {"username": "anna", "password1": PASSWORD, "password2": PASSWORD}
    client.post("/accounts/signup/", {**form, "email": "a@example.org"})
    where = link(letters.last()[1])
    create_player("bob")
    bob, guest = log_in("bob"), Client()
    guest.post("/guest/")
    for each in (bob, guest):
        key = each.session.session_key
        each.get(where)
        assert each.session.session_key == key
    assert is_logged_in(bob)


def test_an_address_that_is_another_accounts_is_not_told(letters: Letters) -> None:
    with_address("anna", "a@example.org")
    form = {"username": "bob", "password1": PASSWORD, "password2": PASSWORD}
    answer = Client().post("/accounts/signup/", {**form, "email": "a@example.org"})
    assert answer.status_code == 302
    answer = Client().get(link(letters.last()[1]))
    assert "already in use by another account" in answer.content.decode()


@pytest.mark.parametrize("path", ["/accounts/password/reset/", "/accounts/login/code/"])
def test_what_is_asked_for_is_answered_alike(letters: Letters, path: str) -> None:
    with_address("anna", "a@example.org")
    with_address("bob", "b@example.org", verified=False)
    pages = []
    for address, mails in (("b@example.org", 0), ("c@example.org", 0), ("A@example.org", 1)):
        answer = Client().post(path, {"email": address}, follow=True)
        page = re.sub(r'name="csrf.*?>', "", answer.content.decode())
        pages.append(page.replace(address.lower(), "…"))
        assert letters.count() == mails, address
    assert len(set(pages)) == 1


def test_a_password_is_reset_by_mail_once_and_ends_the_sessions(letters: Letters) -> None:
    with_address("anna", "a@example.org")
    there = log_in("anna")
    client = Client()
    client.post("/accounts/password/reset/", {"email": "a@example.org"})
    where = link(letters.last()[1])
    page = client.get(where, follow=True)
    (form,) = page.redirect_chain[-1:]
    assert "set-password" in form[0], "the key does not stay in the address"
    answer = client.post(
        form[0], {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD}, follow=True
    )
    assert "Your password has been changed" in answer.content.decode()
    assert not is_logged_in(there)
    assert not is_logged_in(client), "one logs in, with the second step if there is one"
    assert is_logged_in(log_in("anna", NEW_PASSWORD))
    assert "invalid or has expired" in Client().get(where, follow=True).content.decode()
    flush()
    assert any("was changed" in str(letter) for letter in letters.taken)


def test_a_code_logs_in_and_a_second_factor_is_still_asked_for(letters: Letters) -> None:
    anna = with_address("anna", "a@example.org")
    for has_factor in (False, True):
        if has_factor:
            give_factor(anna)
        client = Client()
        client.post("/accounts/login/code/", {"email": "a@example.org"})
        (code,) = re.findall(r"^([A-Z]{4}-[A-Z]{4})\s*$", letters.last()[1], re.MULTILINE)
        wrong = client.post("/accounts/login/code/confirm/", {"code": "AAAA-AAAA"})
        assert "The code is wrong or has expired" in wrong.content.decode()
        answer = client.post("/accounts/login/code/confirm/", {"code": code})
        assert answer.status_code == 302
        assert is_logged_in(client) is not has_factor
    assert "2fa/authenticate" in answer.headers["Location"]


def test_three_wrong_codes_and_it_is_over(letters: Letters) -> None:
    with_address("anna", "a@example.org")
    client = Client()
    client.post("/accounts/login/code/", {"email": "a@example.org"})
    (code,) = re.findall(r"^([A-Z]{4}-[A-Z]{4})\s*$", letters.last()[1], re.MULTILINE)
    for _ in range(3):
        client.post("/accounts/login/code/confirm/", {"code": "AAAA-AAAA"})
    client.post("/accounts/login/code/confirm/", {"code": code})
    assert not is_logged_in(client)


def test_changing_the_address_asks_for_the_password_and_ends_the_others(letters: Letters) -> None:
    with_address("anna", "a@example.org")
    here, there = log_in("anna"), log_in("anna")
    letters.last()
    form = {"email": "new@example.org", "action_add": ""}
    assert (
        here.post("/accounts/email/", form)
        .headers["Location"]
        .startswith("/accounts/reauthenticate/")
    )
    confirm_password(here)
    assert here.post("/accounts/email/", form).status_code == 302
    assert not is_logged_in(there)
    assert is_logged_in(here)
    assert EmailAddress.objects.get(verified=True).email == "a@example.org"
    here.post(link(letters.last()[1]))
    assert EmailAddress.objects.get().email == "new@example.org"
    flush()
    assert any("from a@example.org to new@example.org" in str(m) for m in letters.taken)


def test_a_new_browser_is_mailed_to_a_confirmed_address(letters: Letters) -> None:
    with_address("anna", "a@example.org")
    with_address("bob", "b@example.org", verified=False)
    for name, mails in (("bob", 0), ("anna", 1)):
        log_in(name)
        log_in(name, client=Client(HTTP_USER_AGENT="Firefox Linux"))
        assert letters.count() == mails, name
    assert "Firefox on Linux" in letters.last()[1]


def test_a_site_without_mail_says_so_and_asks_for_no_address() -> None:
    page = Client().get("/accounts/signup/").content.decode()
    assert 'name="email"' not in page
    assert "This site does not send email" in page
    assert (
        "This site does not send email"
        in Client().get("/accounts/password/reset/").content.decode()
    )
    assert 'name="email"' not in Client().get("/accounts/password/reset/").content.decode()
    create_player("anna")
    assert "does not send email" in log_in("anna").get("/accounts/email/").content.decode()
