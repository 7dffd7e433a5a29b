"""OAuth: an application gets a token only with the player's consent."""

import json
import logging
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.utils import timezone

from games.review import decisions
from lobby.accounts import oauth, tokens
from lobby.accounts.guests import new_guest
from lobby.models import AuthorizationCode, Player, Token
from lobby.players.bots import upgrade_to_bot
from tests.builders.api import is_accepted
from tests.builders.oauth import (
    CHALLENGE,
    REDIRECT_URI,
    VERIFIER,
    exchange_code,
    get_address,
    get_error,
    post_answer,
)
from tests.builders.players import PASSWORD, confirm_password, create_player, log_in
from tests.builders.retention import delete_old

pytestmark = pytest.mark.django_db


def test_the_whole_way(browser: Client, alice: Player) -> None:
    shown = browser.get(get_address())
    text = shown.content.decode()
    for said in ("chess-club", "https://example.org", "Read your games.",
                 "Send and answer challenges."):  # fmt: skip
        assert said in text
    assert "Enter tournaments" not in text
    policy = shown.headers["Content-Security-Policy"]
    assert "form-action 'self' https://example.org;" in f"{policy};"
    assert "frame-ancestors 'none'" in policy
    assert shown.headers["X-Frame-Options"] == "DENY"
    assert "no-store" in shown.headers["Cache-Control"]
    assert "example.org" not in browser.get("/").headers["Content-Security-Policy"]
    learnt = post_answer(browser, get_address())
    assert (learnt["state"], learnt["iss"]) == ("s&=ü", "http://testserver")
    assert learnt["code"] not in str(AuthorizationCode.objects.values())
    given = exchange_code(learnt["code"])
    assert given.status_code == 200, given.content
    assert given.headers["Cache-Control"] == "no-store"
    assert given.headers["Access-Control-Allow-Origin"] == "*"
    made = given.json()
    assert tokens.PATTERN.fullmatch(made["access_token"])
    assert (made["token_type"], made["expires_in"]) == ("Bearer", 365 * 24 * 3600)
    assert made["scope"] == "games:read challenges"
    assert is_accepted(made["access_token"])
    row = Token.objects.get()
    assert (row.player_id, row.name, row.application) == (alice.pk, "chess-club", REDIRECT_URI[:19])
    assert row.expires_at is not None
    assert abs(row.expires_at - timezone.now() - timedelta(days=365)) < timedelta(minutes=1)


def test_one_revokes_an_application_with_all_it_has(browser: Client, alice: Player) -> None:
    texts = [
        exchange_code(post_answer(browser, get_address())["code"]).json()["access_token"]
        for _ in range(2)
    ]
    own = tokens.create_token(alice.pk, "a script", ("games:read",)).text
    pending = post_answer(browser, get_address())["code"]
    assert "chess-club" not in browser.get("/accounts/tokens/").content.decode()
    shown = browser.get("/accounts/applications/").content.decode()
    assert shown.count('name="where" value="https://example.org"') == 1
    asked = {"name": "chess-club", "where": "https://example.org"}
    bob = create_player("bob")
    assert log_in(bob.username).post("/accounts/applications/revoke/", asked).status_code == 404
    assert is_accepted(texts[0])
    missing = {"name": "a script", "where": ""}
    assert browser.post("/accounts/applications/revoke/", missing).status_code == 404
    assert browser.post("/accounts/applications/revoke/", asked).status_code == 302
    assert [is_accepted(text) for text in (*texts, own)] == [False, False, True]
    assert get_error(exchange_code(pending)) == "invalid_grant"


def test_a_player_may_say_no(browser: Client) -> None:
    learnt = post_answer(browser, get_address(), "deny")
    assert learnt["error"] == "access_denied"
    assert learnt["state"] == "s&=ü"
    assert post_answer(browser, get_address(), "")["error"] == "access_denied"
    assert not AuthorizationCode.objects.exists()


@pytest.mark.parametrize(
    "address",
    [
        "", "http://example.org/", "javascript:alert(1)", "data:text/html,x", "//example.org/",
        "https://example.org/#x", "https://example.org/#", "https://a@example.org/", "https:///x",
        "https://example.org:99999/", "https://example.org\\@evil.org/", "https://exa mple.org/",
        "https://example.org;script-src/", "https://example.org/\r\nx", "myapp://back",
        "http://127.0.0.1.evil.org/", "http://localhost@evil.org/", "https://ex\u00e4mple.org/",
        "https://testserver/", "https://TESTSERVER:443/x",
        "https://example.org/" + "x" * 500, "https://[::1/", "https://'self'/",
    ],
)  # fmt: skip
def test_no_other_address_gets_an_answer(browser: Client, address: str) -> None:
    page = get_address(redirect_uri=address)
    for answer in (
        browser.get(page),
        browser.post(page, {"answer": "allow"}),
        browser.post(page, {"answer": "deny"}),
    ):
        assert answer.status_code == 400, address
        assert "redirect address must start with" in answer.content.decode()
        assert "form-action 'self';" in answer.headers["Content-Security-Policy"] + ";"
    assert not AuthorizationCode.objects.exists()


@pytest.mark.parametrize(
    ("address", "policy"),
    [
        ("http://127.0.0.1:8912/cb", "http://127.0.0.1:8912"),
        ("http://localhost:4/", "http://localhost:4"),
        ("http://[::1]:8912/cb", "http:"),
        ("https://Example.org:8443/a?b=c", "https://example.org:8443"),
    ],
)
def test_other_safe_addresses(browser: Client, address: str, policy: str) -> None:
    shown = browser.get(get_address(redirect_uri=address))
    assert f"form-action 'self' {policy};" in f"{shown.headers['Content-Security-Policy']};"
    given = exchange_code(
        post_answer(browser, get_address(redirect_uri=address))["code"], redirect_uri=address
    )
    assert given.status_code == 200
    place = Token.objects.get().application
    assert place == oauth.get_place(address)
    assert oauth.is_on_own_device(place) == address.startswith("http:")


@pytest.mark.parametrize(
    "changed",
    [
        {"response_type": ""}, {"response_type": "token"}, {"response_type": "code token"},
        {"code_challenge": ""}, {"code_challenge_method": ""}, {"code_challenge_method": "plain"},
        {"code_challenge": "x"}, {"code_challenge": "=" * 43}, {"scope": ""}, {"scope": "root"},
        {"scope": "games:read root"}, {"scope": "bot"}, {"response_mode": "fragment"},
        {"state": "x" * 1001},
    ],
)  # fmt: skip
def test_a_wrong_question_is_not_answered(browser: Client, changed: dict[str, str]) -> None:
    for answer in (
        browser.get(get_address(**changed)),
        browser.post(get_address(**changed), {"answer": "allow"}),
    ):
        assert answer.status_code == 400
        assert "sent an invalid request" in answer.content.decode()
    assert not AuthorizationCode.objects.exists()


def test_names_and_repetitions(browser: Client) -> None:
    for name in ("", "two words", "x" * 61, "caf\u00e9", "x\u202ey", "x\0y"):
        assert browser.get(get_address(client_id=name)).status_code == 400
    for name, value in (
        ("redirect_uri", "https://evil.org/"),
        ("client_id", "x"),
        ("scope", "bot"),
    ):
        assert browser.get(f"{get_address()}&{urlencode({name: value})}").status_code == 400
    shown = browser.get(get_address(client_id="<b>x</b>")).content.decode()
    assert "<b>x</b>" not in shown
    # Nothing in the address identifies a player; only the session does.
    learnt = post_answer(browser, f"{get_address()}&user=1&scopes=bot")
    assert exchange_code(learnt["code"]).json()["scope"] == "games:read challenges"


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"code_verifier": "w" * 43}, "invalid_grant"),
        ({"code_verifier": CHALLENGE}, "invalid_grant"),
        ({"code_verifier": ""}, "invalid_request"),
        ({"client_id": "other"}, "invalid_grant"),
        ({"client_id": ""}, "invalid_client"),
        ({"redirect_uri": REDIRECT_URI + "/"}, "invalid_request"),
        ({"redirect_uri": ""}, "invalid_request"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"grant_type": ""}, "unsupported_grant_type"),
        ({"grant_type": "refresh_token"}, "unsupported_grant_type"),
        ({"code": "x"}, "invalid_grant"),
        ({"code": ""}, "invalid_request"),
    ],
)
def test_no_token_without_all_that_belongs_to_the_code(
    browser: Client, changed: dict[str, str], code: str
) -> None:
    good = post_answer(browser, get_address())["code"]
    assert get_error(exchange_code(good, **changed)) == code
    assert not Token.objects.exists()


def test_who_guesses_has_one_try(browser: Client) -> None:
    code = post_answer(browser, get_address())["code"]
    assert get_error(exchange_code(code, code_verifier="w" * 43)) == "invalid_grant"
    assert get_error(exchange_code(code)) == "invalid_grant"


def test_a_second_use_ends_the_token_of_the_first(browser: Client) -> None:
    code = post_answer(browser, get_address())["code"]
    text = exchange_code(code).json()["access_token"]
    assert is_accepted(text)
    assert get_error(exchange_code(code)) == "invalid_grant"
    assert not is_accepted(text)
    assert not Token.objects.exists()


def test_a_code_is_good_for_a_minute(browser: Client) -> None:
    code = post_answer(browser, get_address())["code"]
    row = AuthorizationCode.objects.get()
    assert timedelta(seconds=50) < row.expires_at - timezone.now() <= timedelta(seconds=60)
    AuthorizationCode.objects.update(expires_at=timezone.now())
    assert get_error(exchange_code(code)) == "invalid_grant"
    delete_old(AuthorizationCode)
    assert AuthorizationCode.objects.exists()
    AuthorizationCode.objects.update(expires_at=timezone.now() - timedelta(days=2))
    delete_old(AuthorizationCode)
    assert not AuthorizationCode.objects.exists()


def test_only_a_form_is_taken(browser: Client) -> None:
    code = post_answer(browser, get_address())["code"]
    fields = {"grant_type": "authorization_code", "code": code, "client_id": "chess-club",
              "redirect_uri": REDIRECT_URI, "code_verifier": VERIFIER}  # fmt: skip
    given = Client().post("/api/token", json.dumps(fields), content_type="application/json")
    assert get_error(given) == "invalid_request"
    twice = urlencode([*fields.items(), ("client_id", "chess-club")])
    kind = "application/x-www-form-urlencoded"
    assert get_error(Client().post("/api/token", twice, content_type=kind)) == "invalid_request"
    given = Client().post(f"/api/token?{urlencode(fields)}", "", content_type=kind)
    assert get_error(given) == "invalid_request"
    for body in (b"\xff\xfe=%ff", b"%", b"code=%00&grant_type=authorization_code", b"&&=&"):
        assert Client().post("/api/token", body, content_type=kind).status_code in {400, 401}
    assert exchange_code(code).status_code == 200


def test_who_may_allow(alice: Player, browser: Client) -> None:
    guest = Client()
    guest.force_login(new_guest(), backend="django.contrib.auth.backends.ModelBackend")
    for client in (Client(), guest):
        for answer in (client.get(get_address()), client.post(get_address(), {"answer": "allow"})):
            assert answer.status_code == 302
            assert answer.headers["Location"].startswith("/accounts/login/?next=/oauth%3F")
    code = post_answer(browser, get_address())["code"]
    rita = create_player("rita too", "reviewer")
    decisions.suspend_player(rita, alice.pk, "So.", 0, days=1)
    assert get_error(exchange_code(code)) == "invalid_grant"
    assert browser.get(get_address()).status_code == 403
    assert browser.post(get_address(), {"answer": "allow"}).status_code == 403
    assert AuthorizationCode.objects.count() == 1


def test_the_login_leads_back(alice: Player) -> None:
    client = Client()
    asked = {"login": "alice", "password": PASSWORD, "next": get_address()}
    given = client.post("/accounts/login/", asked)
    assert given.headers["Location"] == get_address()
    assert client.get(get_address()).status_code == 200


def test_who_logged_in_long_ago_gives_the_password_again(browser: Client) -> None:
    session = browser.session
    for each in session["account_authentication_methods"]:
        each["at"] -= 3600
    session.save()
    for given in (browser.get(get_address()), browser.post(get_address(), {"answer": "allow"})):
        assert given.status_code == 302
        assert given.headers["Location"].startswith("/accounts/reauthenticate/?next=%2Foauth%3F")
    assert not AuthorizationCode.objects.exists()
    confirm_password(browser)
    assert browser.get(get_address()).status_code == 200


def test_a_bots_account_may_allow_what_is_for_bots(alice: Player, browser: Client) -> None:
    upgrade_to_bot(alice.pk)
    given = exchange_code(post_answer(browser, get_address(scope="bot"))["code"])
    assert given.json()["scope"] == "bot"


def test_consent_needs_the_forms_token(browser: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = browser.cookies
    assert strict.post(get_address(), {"answer": "allow"}).status_code == 403
    assert not AuthorizationCode.objects.exists()


def test_bounds(browser: Client, alice: Player, settings: Any) -> None:
    settings.TOKENS_PER_ACCOUNT = 12
    own = tokens.create_token(alice.pk, "chess-club", ("games:read",)).text
    texts = [
        exchange_code(post_answer(browser, get_address())["code"]).json()["access_token"]
        for _ in range(11)
    ]
    assert [is_accepted(text) for text in texts] == [False, *[True] * 10]
    assert is_accepted(own)
    settings.TOKENS_PER_ACCOUNT = 10
    code = post_answer(browser, get_address(client_id="another"))["code"]
    assert get_error(exchange_code(code, client_id="another")) == "invalid_grant"


def test_both_are_limited(browser: Client, settings: Any) -> None:
    settings.RATE_LIMITS = True
    seen = [browser.post(get_address(), {"answer": "deny"}).status_code for _ in range(31)]
    assert seen == [*[303] * 30, 429]
    tried = [exchange_code("x") for _ in range(31)]
    assert [each.status_code for each in tried] == [*[400] * 30, 429]
    assert tried[-1].headers["Retry-After"] == "60"


def test_nothing_secret_is_logged(browser: Client, caplog: Any, capsys: Any) -> None:
    caplog.set_level(logging.INFO)
    code = post_answer(browser, get_address())["code"]
    text = exchange_code(code).json()["access_token"]
    exchange_code(code)
    out = capsys.readouterr()
    told = caplog.text + out.out + out.err
    for secret in (code, text, VERIFIER):
        assert secret not in told
    assert logging.getLogger("oauthlib").getEffectiveLevel() >= logging.WARNING


def test_the_metadata() -> None:
    given = Client().get("/.well-known/oauth-authorization-server")
    told = given.json()
    assert told["issuer"] == "http://testserver"
    assert told["authorization_endpoint"] == "http://testserver/oauth"
    assert told["token_endpoint"] == "http://testserver/api/token"
    assert told["code_challenge_methods_supported"] == ["S256"]
    assert told["token_endpoint_auth_methods_supported"] == ["none"]
    assert given.headers["Access-Control-Allow-Origin"] == "*"
