"""Recovery words: shown once, valid once, hashed, and no substitute for a second factor."""

import re

import pytest
from django.test import Client

from lobby.accounts.recovery import WORDS, create_words, word_list
from lobby.models import Player, RecoveryWords
from tests.builders.players import (
    NEW_PASSWORD,
    PASSWORD,
    confirm_password,
    create_player,
    is_logged_in,
    log_in,
)
from tests.builders.second_factors import get_code, give_factor

pytestmark = pytest.mark.django_db


def shown(page: str) -> str:
    (found,) = re.findall(r'<ol class="codes words"[^>]*>(.*?)</ol>', page, re.DOTALL)
    return " ".join(re.findall(r"<li>(\w+)</li>", found))


def get_back(name: str, words: str, client: Client | None = None) -> tuple[Client, int, str]:
    client = client or Client()
    form = {"name": name, "words": words, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    answer = client.post("/accounts/recovery/", form)
    return client, answer.status_code, answer.content.decode()


def test_there_are_eighty_bits_in_them() -> None:
    assert len(set(word_list())) == 2048
    assert WORDS * 11 >= 80


def test_who_signs_up_without_an_address_is_shown_them_once() -> None:
    client = Client()
    form = {"username": "anna", "password1": PASSWORD, "password2": PASSWORD}
    answer = client.post("/accounts/signup/", form, follow=True)
    words = shown(answer.content.decode())
    assert len(words.split()) == WORDS
    assert set(words.split()) <= set(word_list())
    assert "codes words" not in client.get("/accounts/words/").content.decode()
    row = RecoveryWords.objects.get()
    assert not any(word in row.hash for word in words.split())
    assert row.hash.startswith("argon2")


def test_they_get_back_in_once_and_new_ones_are_shown() -> None:
    words = create_words(create_player("anna"))
    elsewhere = log_in("anna")
    client, status, _ = get_back("Anna", f"  {words.upper()} ")
    assert status == 302
    page = client.get("/accounts/words/").content.decode()
    again = shown(page)
    assert again != words
    assert is_logged_in(client)
    assert not is_logged_in(elsewhere)
    assert not is_logged_in(log_in("anna", PASSWORD))
    assert is_logged_in(log_in("anna", NEW_PASSWORD))
    _, status, page = get_back("anna", words)
    assert status == 200
    assert "have already been used" in page
    assert get_back("anna", again)[1] == 302


@pytest.mark.parametrize("name", ["anna", "bob", "nobody"])
def test_wrong_ones_are_answered_alike(name: str) -> None:
    create_words(create_player("anna"))
    create_player("bob")
    _, status, page = get_back(name, "abandon ability able about above absent absorb abstract")
    assert status == 200
    assert "Wrong name or words, or these words have already been used." in page


def test_they_are_no_way_around_a_second_factor() -> None:
    anna = create_player("anna")
    give_factor(anna)
    client, status, _ = get_back("anna", create_words(anna))
    assert status == 302
    assert not is_logged_in(client)
    answer = client.post("/accounts/2fa/authenticate/", {"code": get_code()})
    assert answer.status_code == 302, answer.content.decode()
    assert is_logged_in(client)


def test_a_guest_gets_back_in_too() -> None:
    words = create_words(create_player("anna"))
    client = Client()
    client.post("/guest/")
    client, status, _ = get_back("anna", words, client)
    assert status == 302
    assert is_logged_in(client)
    assert Player.objects.get(pk=client.session["_auth_user_id"]).username == "anna"


def test_new_ones_ask_for_the_password() -> None:
    create_player("anna")
    client = log_in("anna")
    answer = client.post("/accounts/words/")
    assert answer.headers["Location"].startswith("/accounts/reauthenticate/")
    assert not RecoveryWords.objects.exists()
    confirm_password(client)
    assert shown(client.post("/accounts/words/").content.decode())
