"""Every operation, requested by every kind of client.

The clients are: anonymous, a guest's cookie, each scope, expired and revoked tokens, another
player's token, a suspended player, and a bot.
"""

import json
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import Client
from django.utils import timezone

import lobby.urls
from games.journal.opening import open_match
from games.match.setup import Setup
from games.models import StoredSheet
from games.review import decisions
from games.runtime.db import close_db_threads
from games.runtime.streaming import NdjsonResponse
from games.runtime.tasks import end_loops
from lobby.accounts import tokens
from lobby.accounts.guests import new_guest
from lobby.accounts.tokens import SCOPES
from lobby.api.operations import CALLS, api
from lobby.api.schema import described
from lobby.api.urls import OPERATIONS as MODULES
from lobby.models import Player, Token
from lobby.players.bots import upgrade_to_bot
from lobby.seeks.challenges import create_challenge
from tests.builders.players import create_player
from tests.builders.tournaments import create_tournament

pytestmark = pytest.mark.django_db(transaction=True)

# Paths and bodies of requests that need more than a name.
PARTS = {
    "{slug}": "tic-tac-toe",
    "{name}": "bob", "{perf}": "six-in-a-row", "{count}": "5", "{one}": "alice", "{other}": "bob",
    "{game_id}": "{game}", "{challenge_id}": "{challenge}", "{move}": "mark%201%201",
    "{answer}": "yes", "{channel}": "best", "{tournament_id}": "{event}",
    "{stream_id}": "mine",
}  # fmt: skip
BODIES = {
    "challenge-player": {"variant": "tic-tac-toe"},
    "challenge-computer": {"variant": "tic-tac-toe", "level": 1},
    "challenge-open": {"variant": "tic-tac-toe"},
    "seek": {"variant": "tic-tac-toe"},
    "make-tournament": {"system": "round-robin", "variant": "tic-tac-toe"},
    "board-say": {"text": "hello"},
    "bot-say": {"text": "hello"},
}
QUERIES = {"status": "?ids=alice,bob"}
OPERATIONS = [
    (operation["operationId"], method.upper(), address)
    for address, operations in described()["paths"].items()
    for method, operation in operations.items()
]
assert MODULES
assert len(OPERATIONS) > 50


@pytest.fixture(autouse=True)
def quiet() -> Any:
    yield
    async_to_sync(end_loops)()
    close_db_threads()


@pytest.fixture
def there() -> dict[str, Any]:
    """Alice and Bob play; Bob has challenged Alice and runs a tournament; Charlie takes no part."""
    alice, bob, charlie = create_player("alice"), create_player("bob"), create_player("charlie")
    match = open_match(Setup("tic-tac-toe"), alice.pk, bob.pk)
    asked = create_challenge(bob.pk, alice.pk, Setup("tic-tac-toe"))
    StoredSheet.objects.create(
        slug="tic-tac-toe", sheet="(role x)", network=b"", added_at=timezone.now()
    )
    return {
        "alice": alice,
        "bob": bob,
        "charlie": charlie,
        "game": match.pk,
        "challenge": asked.pk,
        "event": create_tournament(bob).pk,
    }


def made(player: Player, *scopes: str, **more: Any) -> str:
    return tokens.create_token(player.pk, "a test", scopes or SCOPES, **more).text


def ask(there: dict[str, Any], name: str, method: str, address: str, text: str | None) -> Any:
    for part, value in PARTS.items():
        address = address.replace(part, value)
    address = address.format(**there) + QUERIES.get(name, "")
    headers = {} if text is None else {"Authorization": f"Bearer {text}"}
    body = json.dumps(BODIES.get(name, {})) if method == "POST" else ""
    known = CALLS[name]
    kind = "text/plain" if known.takes is str else "application/json"
    given = Client().generic(
        method, address, "" if known.takes is str else body, content_type=kind, headers=headers
    )
    assert given.headers["Access-Control-Allow-Origin"] == "*"
    if given.status_code >= 400:
        told = json.loads(given.content)
        error = told["error"]
        if known.faults is not None and isinstance(error, str):
            assert told["error_description"], told
        else:
            assert set(error) == {"code", "detail", "params"}, error
            assert error["detail"], error
    assert given.status_code < 500, (name, given.content)
    return given


def test_no_address_is_left_out() -> None:
    """The operations below are left out of every description, for the given reasons."""
    hidden = {
        ("POST", "/api/board/game/{game_id}/claim-victory/"),  # an alias that lichess defines
        ("POST", "/api/bot/game/{game_id}/claim-victory/"),
    }
    found = {
        (method, f"/api{address}")
        for _, router in api._routers
        for address, path in router.path_operations.items()
        for operation in path.operations
        for method in operation.methods
    }
    described = {(method, address) for _, method, address in OPERATIONS}
    assert {(method, plain(address)) for method, address in found} - {
        (method, plain(address)) for method, address in described
    } == hidden
    assert len(found) == len(described) + len(hidden)
    # Django has only these other paths below /api/, which need no token.
    others = {
        str(each.pattern)
        for each in lobby.urls.urlpatterns
        if str(each.pattern).startswith("api/") and not hasattr(each, "url_patterns")
    }
    assert others == {"api/docs/", "api/docs/differences/", "api/openapi.json"}


def plain(address: str) -> str:
    return address.replace("{path:", "{")


def code(given: Any) -> str:
    error = json.loads(given.content)["error"]
    return str(
        error if isinstance(error, str) else error["code"]
    )  # OAuth errors, in the format of RFC 6749


def test_nobody_gets_only_what_is_public(there: dict[str, Any]) -> None:
    for name, method, address in OPERATIONS:
        given = ask(there, name, method, address, None)
        if CALLS[name].faults is not None:  # there is no code to exchange
            assert (given.status_code, code(given)) == (400, "invalid_request"), name
        elif CALLS[name].needs is None:
            assert given.status_code == 200, (name, given.content)
        else:
            assert (given.status_code, code(given)) == (401, "no-token"), name
            assert given.headers["WWW-Authenticate"] == "Bearer"


def test_cookies_are_worth_nothing(there: dict[str, Any]) -> None:
    client = Client()
    client.force_login(there["alice"], backend="django.contrib.auth.backends.ModelBackend")
    assert client.get("/api/account").status_code == 401
    guest = Client()
    guest.force_login(new_guest(), backend="django.contrib.auth.backends.ModelBackend")
    assert guest.get("/api/account").status_code == 401


def test_each_scope_opens_what_names_it_and_nothing_else(there: dict[str, Any]) -> None:
    each = {scope: made(there["alice"], scope) for scope in SCOPES}
    for name, method, address in OPERATIONS:
        needs = CALLS[name].needs
        if not needs:
            continue
        for scope, text in each.items():
            if scope in needs:
                continue
            given = ask(there, name, method, address, text)
            assert (given.status_code, code(given)) == (403, "scope-missing"), (name, scope)


@pytest.mark.parametrize("kind", ["revoked", "expired", "closed", "nonsense", "empty"])
def test_a_token_that_is_not_good_opens_nothing_at_all(there: dict[str, Any], kind: str) -> None:
    text = made(there["alice"])
    if kind == "revoked":
        tokens.revoke_tokens(Token.objects.all())
    elif kind == "expired":
        Token.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    elif kind == "closed":
        Player.objects.filter(pk=there["alice"].pk).update(is_active=False)
    elif kind == "nonsense":
        text = "prl_" + "x" * 40
    else:
        text = ""
    # An operation without the check would take a token of any kind.
    for name, method, address in OPERATIONS if kind == "revoked" else OPERATIONS[::8]:
        given = ask(there, name, method, address, text)
        assert (given.status_code, code(given)) == (401, "token-unknown"), name


def test_a_suspended_player_does_nothing(there: dict[str, Any]) -> None:
    text, alice = made(there["alice"]), there["alice"].pk
    seen = decisions.get_number(player_id=alice)
    decisions.suspend_player(create_player("rita", "senior reviewer"), alice, "Unfair.", seen, None)
    for name, method, address in OPERATIONS:
        if CALLS[name].needs is not None:
            given = ask(there, name, method, address, text)
            assert (given.status_code, code(given)) == (403, "suspended"), name


def test_anothers_token_does_nothing_in_ones_games(there: dict[str, Any]) -> None:
    text = made(there["charlie"])
    for name, method, address in OPERATIONS:
        needs = CALLS[name].needs
        if "{game_id}" in address and needs:
            given = ask(there, name, method, address, text)
            assert given.status_code == 403, (name, given.content)
            assert code(given) in {"not-a-player", "bots-only"}, name
        if "{challenge_id}" in address:
            given = ask(there, name, method, address, text)
            assert (given.status_code, code(given)) == (404, "not-found"), name


def test_a_player_may_do_all_that_is_not_for_bots(there: dict[str, Any]) -> None:
    for name, method, address in OPERATIONS:
        text = made(there["alice"])
        given = ask(there, name, method, address, text)
        if name.startswith(("bot-", "stream-bot")):
            assert (given.status_code, code(given)) == (403, "bots-only"), name
        elif given.status_code >= 400:
            # Too late or too early: it was just answered or resigned, or is Alice's own.
            assert given.status_code in {400, 403, 404, 409}, (name, given.content)
            assert code(given) not in {"scope-missing", "no-token", "token-unknown"}, name
        Token.objects.all().delete()


def test_a_bot_may_do_all_but_seek(there: dict[str, Any]) -> None:
    upgrade_to_bot(create_player("tinker").pk)
    tinker = Player.objects.get(username="tinker")
    match = open_match(Setup("tic-tac-toe"), tinker.pk, there["bob"].pk)
    asked = create_challenge(there["charlie"].pk, tinker.pk, Setup("tic-tac-toe"))
    own = {**there, "game": match.pk, "challenge": asked.pk}
    for name, method, address in OPERATIONS:
        if name in {"revoke-token", "found-tokens"}:
            continue
        given = ask(own, name, method, address, made(tinker))
        Token.objects.all().delete()
        if name == "join-tournament":
            assert (given.status_code, code(given)) == (403, "event-bot")
        if name == "seek":
            assert (given.status_code, code(given)) == (403, "not-for-bots")
        elif name.startswith("stream-"):
            assert given.status_code == 200, (name, given.content)
            assert isinstance(given, NdjsonResponse)
