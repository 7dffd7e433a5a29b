"""Signing up: a guest keeps the same row; logging in and out; available names."""

from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from lobby.accounts.guests import new_guest
from lobby.accounts.signup import guest_signed_in, signed_up
from lobby.models import Player
from tests.builders.matches import create_finished_match
from tests.builders.players import PASSWORD, create_player

pytestmark = pytest.mark.django_db


def form(name: str, password: str = PASSWORD, **more: str) -> dict[str, str]:
    return {"username": name, "password1": password, "password2": password, **more}


def guest_client() -> tuple[Client, Player]:
    client, guest = Client(), new_guest()
    client.force_login(guest)
    return client, guest


def me(client: Client) -> Player | None:
    key = client.session.get("_auth_user_id")
    return None if key is None else Player.objects.get(pk=key)


def test_a_visitor_makes_an_account_and_is_logged_in() -> None:
    client = Client()
    answer = client.post("/accounts/signup/", form("Anna Berg"))
    assert answer.status_code == 302, answer.content.decode()
    found = me(client)
    assert found is not None
    assert (found.username, found.is_guest, found.email) == ("Anna Berg", False, "")
    assert found.password.startswith("argon2")
    assert found.name_key


def test_a_guest_stays_the_very_row_with_every_match() -> None:
    client, guest = guest_client()
    match = create_finished_match("tic-tac-toe", guest, create_player("bob"))
    before, key = match.digest, client.session.session_key
    page = client.get("/accounts/signup/").content.decode()
    assert f'value="{guest.username}"' in page, "the guest's name is offered"
    answer = client.post("/accounts/signup/", form("Anna Berg"))
    assert answer.status_code == 302, answer.content.decode()
    assert me(client) == guest
    found = Player.objects.get(pk=guest.pk)
    assert (found.username, found.is_guest) == ("Anna Berg", False)
    assert found.check_password(PASSWORD)
    match.refresh_from_db()
    assert (match.first_id, match.digest) == (guest.pk, before)
    assert client.session.session_key != key, "cycled"
    assert not Session.objects.filter(pk=key).exists()


def test_a_guest_keeps_the_name() -> None:
    client, guest = guest_client()
    assert client.post("/accounts/signup/", form(guest.username)).status_code == 302
    assert me(client) == guest
    assert Player.objects.get(pk=guest.pk).username == guest.username


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (form("alice"), "or a similar one, is already taken"),
        (form("A L I C E"), "or a similar one, is already taken"),
        (form("admin"), "This name is reserved"),
        (form("a\N{RIGHT-TO-LEFT OVERRIDE}b"), "invisible character"),
        (form("\N{GRINNING FACE}"), "name"),
        (form("x" * 10_000), "at most"),
        (form("Anna", "password1"), "too common"),
        (form("Anna", "short7"), "at least 8"),
        (form("Anna Maria Berg", "annamariaberg"), "too similar"),
        ({**form("Anna"), "password2": "another one 8"}, "same password"),
    ],
)
def test_what_is_refused_is_said_and_nothing_is_lost(given: dict[str, str], told: str) -> None:
    create_player("alice")
    client, guest = guest_client()
    answer = client.post("/accounts/signup/", given)
    assert answer.status_code == 200
    assert told in answer.content.decode()
    assert me(client) == guest
    assert Player.objects.get(pk=guest.pk).username == guest.username
    assert Player.objects.count() == 2


def test_one_password_is_enough_and_one_error_is_shown_at_a_time() -> None:
    client, _ = guest_client()
    given = form("Anna Berg")
    del given["password2"]
    page = client.get("/accounts/signup/").content.decode()
    assert 'name="password1"' in page and 'name="password2"' not in page
    refused = client.post("/accounts/signup/", {"username": "x", "password1": "1"})
    assert refused.content.decode().count('role="alert"') == 1
    assert client.post("/accounts/signup/", given).status_code == 302
    assert me(client).username == "Anna Berg"


def test_the_hooks_are_told_in_the_transaction() -> None:
    heard: list[Any] = []

    def hear(sender: Any, signal: Any, **more: Any) -> None:
        more.pop("request")
        heard.append(more)

    signed_up.connect(hear)
    guest_signed_in.connect(hear)
    try:
        client, guest = guest_client()
        client.post("/accounts/signup/", form("Anna Berg"))
        anna = Player.objects.get(pk=guest.pk)
        other, second = guest_client()
        key = other.session.session_key
        answer = other.post("/accounts/login/", {"login": "anna berg", "password": PASSWORD})
        assert answer.status_code == 302, answer.content.decode()
    finally:
        signed_up.disconnect(hear)
        guest_signed_in.disconnect(hear)
    assert heard == [{"account": anna, "was_guest": True}, {"guest": second, "account": anna}]
    assert me(other) == anna
    assert not Session.objects.filter(pk=key).exists(), "the guest's session is over"


def test_a_login_that_a_hook_refuses_leaves_the_guest() -> None:
    def refuse(sender: Any, **more: Any) -> None:
        raise RuntimeError("no")

    bob = create_player("bob")
    bob.set_password(PASSWORD)
    bob.save()
    client, guest = guest_client()
    guest_signed_in.connect(refuse)
    try:
        with pytest.raises(RuntimeError):
            client.post("/accounts/login/", {"login": "bob", "password": PASSWORD})
    finally:
        guest_signed_in.disconnect(refuse)
    assert me(client) == guest


@pytest.mark.parametrize(
    ("wanted", "where"),
    [
        ("/rules/", "/rules/"),
        ("//evil.example/", None),
        ("https://evil.example/", None),
        ("javascript:alert(1)", None),
        ("/\\evil.example/", None),
    ],
)
def test_the_next_page_is_one_of_ours(wanted: str, where: str | None) -> None:
    client = Client()
    answer = client.post("/accounts/signup/", form("Anna", next=wanted))
    assert answer.status_code == 302
    assert "evil" not in answer.headers["Location"]
    assert "javascript" not in answer.headers["Location"]
    if where is not None:
        assert urlencode({"next": where}) in answer.headers["Location"]
