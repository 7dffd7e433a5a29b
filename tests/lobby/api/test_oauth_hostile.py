"""Hostile OAuth requests: repeated, truncated, altered, or sent at the wrong moment."""

import base64
from hashlib import sha256
from typing import Any
from urllib.parse import quote, unquote_to_bytes, urlencode, urlsplit

import pytest
from django.test import Client

from lobby.accounts import tokens
from lobby.models import AuthorizationCode, Player, Token
from lobby.players.bots import upgrade_to_bot
from lobby.privacy.account_deletion import delete_due_accounts, schedule_deletion
from tests.builders.oauth import (
    REDIRECT_URI,
    REQUEST,
    exchange_code,
    get_address,
    get_error,
    post_answer,
)
from tests.builders.players import PASSWORD, confirm_password, create_player, log_in

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "address",
    [
        "https://example.org/cb?code=mine", "https://example.org/cb?a=b&state=mine",
        "https://example.org/cb?%63ode=mine", "https://example.org/cb?iss=https://evil.org",
        "https://example.org/?error", "https://example.org:/", "https://example.org:0/",
        "http://127.0.0.1:/", "https://[v1.x]/", "https://[::1%25lo]/", "https://-/",
        "https://*.example.org/", "https://second.example:8443/", "https://SECOND.example:8443/x",
    ],
)  # fmt: skip
def test_no_answer_where_it_would_be_mixed_up(browser: Client, settings: Any, address: str) -> None:
    settings.ALLOWED_ORIGINS = ["http://testserver", "https://second.example:8443"]
    for answer in ("allow", "deny"):
        given = browser.post(get_address(redirect_uri=address), {"answer": answer})
        assert given.status_code == 400, address
    assert not AuthorizationCode.objects.exists()


def test_what_an_address_has_already_stays(browser: Client) -> None:
    address = f"{REDIRECT_URI}?a=b&a=%2F+c"
    given = browser.post(get_address(redirect_uri=address), {"answer": "allow"})
    assert given.headers["Location"].startswith(f"{REDIRECT_URI}?a=b&a=%2F")
    assert answered_code(given) in given.headers["Location"]


def answered_code(given: Any) -> str:
    parts = urlsplit(given.headers["Location"]).query.split("&")
    return next(part for part in parts if part.startswith("code="))


@pytest.mark.parametrize(
    "name",
    ["code_challenge", "code_challenge_method", "state", "scope", "client_id", "redirect_uri",
     "response_type", "response_mode"],
)  # fmt: skip
def test_what_is_asked_twice_is_not_answered(browser: Client, name: str) -> None:
    value = {"response_mode": "query", **REQUEST}[name]
    twice = f"{get_address()}&{urlencode([(name, value), (name, value)])}"
    for given in (browser.get(twice), browser.post(twice, {"answer": "allow"})):
        assert given.status_code == 400
    assert not AuthorizationCode.objects.exists()


@pytest.mark.parametrize("name", ["code", "code_verifier", "client_id", "redirect_uri"])
def test_a_field_that_is_there_twice_takes_no_code(browser: Client, name: str) -> None:
    code = post_answer(browser, get_address())["code"]
    good = {"grant_type": "authorization_code", "code": code, "client_id": "chess-club",
            "redirect_uri": REDIRECT_URI, "code_verifier": "v" * 43}  # fmt: skip
    body = urlencode([*good.items(), (name, good[name])])
    kind = "application/x-www-form-urlencoded"
    assert get_error(Client().post("/api/token", body, content_type=kind)) == "invalid_request"
    assert exchange_code(code).status_code == 200


STATES = [
    *(bytes([number]) for number in range(1, 128)),
    b" a  b ", b"a+b", b"%00", b"%", b"&error=x&code=y", b"#x", b"\r\nLocation: https://evil.org",
    "\u2028é😀\u202e".encode(), b"x" * 1000,
]  # fmt: skip


def test_the_state_comes_back_as_it_was(browser: Client) -> None:
    rest = urlencode({key: value for key, value in REQUEST.items() if key != "state"})
    for state in STATES:
        asked = f"/oauth?{rest}&state={quote(state, safe='')}"
        given = browser.post(asked, {"answer": "deny"})
        assert given.status_code == 303, state
        fields = [part.partition("=") for part in urlsplit(given["Location"]).query.split("&")]
        assert [key for key, _, _ in fields] == ["iss", "error", "state"]
        assert unquote_to_bytes(fields[2][2].replace("+", " ")) == state
    for state in (b"\xff", b"a\xc3", b"\xed\xa0\x80", b"a\0"):
        asked = f"/oauth?{rest}&state={quote(state, safe='')}"
        assert browser.post(asked, {"answer": "allow"}).status_code == 400, state
    assert not AuthorizationCode.objects.exists()


@pytest.mark.parametrize("verifier", ["x", "v" * 42, "v" * 129, "v" * 42 + " ", "v" * 42 + "ü"])
def test_a_verifier_that_could_be_guessed_is_none(browser: Client, verifier: str) -> None:
    digest = sha256(verifier.encode()).digest()
    challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
    code = post_answer(browser, get_address(code_challenge=challenge))["code"]
    assert get_error(exchange_code(code, code_verifier=verifier)) == "invalid_grant"
    assert not Token.objects.exists()


def test_the_verifiers_length_at_its_bounds(browser: Client) -> None:
    for length in (43, 128):
        verifier = "~" * length
        digest = sha256(verifier.encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        code = post_answer(browser, get_address(code_challenge=challenge))["code"]
        assert exchange_code(code, code_verifier=verifier).status_code == 200


def test_a_form_of_another_account_in_this_browser_allows_nothing(alice: Player) -> None:
    """Alice opened the page; Bob has logged in since then, in another tab."""
    create_player("bob")
    strict = Client(enforce_csrf_checks=True)
    enter(strict, "alice")
    shown = strict.get(get_address())
    assert "You are logged in as <b><bdi>alice" in shown.content.decode()
    form = str(shown.context["csrf_token"])
    strict.post("/accounts/logout/", {"csrfmiddlewaretoken": form})
    enter(strict, "bob")
    asked = {"answer": "allow", "csrfmiddlewaretoken": form}
    assert strict.post(get_address(), asked).status_code == 403
    assert not AuthorizationCode.objects.exists()
    fresh = str(strict.get(get_address()).context["csrf_token"])
    asked["csrfmiddlewaretoken"] = fresh
    assert strict.post(get_address(), asked).status_code == 303
    assert AuthorizationCode.objects.get().player.username == "bob"


def enter(client: Client, name: str) -> None:
    form = str(client.get("/accounts/login/").context["csrf_token"])
    asked = {"login": name, "password": PASSWORD, "csrfmiddlewaretoken": form}
    assert client.post("/accounts/login/", asked).status_code == 302


def test_two_answers_are_two_codes_for_the_same_application(browser: Client) -> None:
    first, second = (post_answer(browser, get_address())["code"] for _ in range(2))
    assert first != second
    texts = [exchange_code(each).json()["access_token"] for each in (first, second)]
    assert len(set(texts)) == 2
    shown = browser.get("/accounts/applications/").content.decode()
    assert shown.count('name="where"') == 1


def test_a_code_of_an_account_that_closes_or_changes_is_worth_nothing(alice: Player) -> None:
    browser = log_in("alice")
    code = post_answer(browser, get_address())["code"]
    Player.objects.update(is_active=False)
    assert get_error(exchange_code(code)) == "invalid_grant"
    Player.objects.update(is_active=True)
    code = post_answer(browser, get_address())["code"]
    new = "another long pass phrase"
    confirm_password(browser)
    form = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    browser.post("/accounts/password/", form)
    assert get_error(exchange_code(code)) == "invalid_grant"
    browser = log_in("alice", new)
    code = post_answer(browser, get_address())["code"]
    schedule_deletion(alice.pk)
    Player.objects.update(closing_at=alice.date_joined)
    delete_due_accounts()
    assert get_error(exchange_code(code)) == "invalid_grant"
    assert not Token.objects.exists() and not AuthorizationCode.objects.exists()


def test_a_persons_code_does_not_grow_when_the_account_becomes_a_bots(
    browser: Client, alice: Player
) -> None:
    code = post_answer(browser, get_address())["code"]
    upgrade_to_bot(alice.pk)
    assert exchange_code(code, scope="bot games:play").json()["scope"] == "games:read challenges"


def test_pages_with_a_secret_are_kept_by_nobody(browser: Client) -> None:
    shown = browser.get(get_address())
    allowed = browser.post(get_address(), {"answer": "allow"})
    confirm_password(browser)
    made = browser.post("/accounts/tokens/", {"name": "x", "scope": "games:read", "days": "30"})
    assert tokens.PATTERN.search(made.content.decode())
    for given in (shown, allowed, made):
        assert "no-store" in given.headers["Cache-Control"]
        assert given.headers["Referrer-Policy"] == "same-origin"
        assert "frame-ancestors 'none'" in given.headers["Content-Security-Policy"]
        assert "Access-Control-Allow-Origin" not in given.headers
