"""Every address of the admin, asked for by everybody: seen, sent to the login, or refused."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from games.match.setup import Setup
from games.models import Decision, Match, Sign
from games.review import decisions, reports
from lobby.accounts.urls import urlpatterns as accounts
from lobby.models import Appeal, FactorReset, Seek
from lobby.seeks.challenges import challenge
from tests.games.review.conftest import over, player

ROLES = ("visitor", "guest", "player", "reviewer", "senior", "superuser")
# What each of the six is answered.
IN, STAFF, SENIOR, ROOT, NONE = (
    (302, 302, 302, 200, 200, 200),
    (302, 302, 302, 200, 200, 200),
    (302, 302, 302, 403, 200, 200),
    (302, 302, 302, 403, 403, 200),
    (302, 302, 302, 403, 403, 403),
)
ADDRESSES = {
    "index": ("/admin/", IN),
    "jsi18n": ("/admin/jsi18n/", IN),
    "password_change_done": ("/admin/password_change/done/", IN),
    "app_list": ("/admin/games/", STAFF),
    "games_match_changelist": ("/admin/games/match/", STAFF),
    "games_match_add": ("/admin/games/match/add/", NONE),
    "games_match_change": ("/admin/games/match/{match}/change/", STAFF),
    "games_match_delete": ("/admin/games/match/{match}/delete/", NONE),
    "review_record": ("/admin/games/match/{match}/record.json", STAFF),
    "review_picture": ("/admin/games/match/{match}/picture.svg", STAFF),
    "review_player": ("/admin/games/match/player/{alice}/", STAFF),
    "games_decision_changelist": ("/admin/games/decision/", STAFF),
    "games_decision_add": ("/admin/games/decision/add/", NONE),
    "games_decision_change": ("/admin/games/decision/{decision}/change/", STAFF),
    "games_decision_delete": ("/admin/games/decision/{decision}/delete/", NONE),
    "games_case_changelist": ("/admin/games/case/", STAFF),
    "review_queue": ("/admin/games/case/queue/", STAFF),
    "review_entry": ("/admin/games/case/queue/{bob}/", STAFF),
    "games_case_add": ("/admin/games/case/add/", NONE),
    "games_case_change": ("/admin/games/case/{case}/change/", STAFF),
    "games_case_delete": ("/admin/games/case/{case}/delete/", NONE),
    "games_sign_changelist": ("/admin/games/sign/", STAFF),
    "games_sign_add": ("/admin/games/sign/add/", NONE),
    "games_sign_change": ("/admin/games/sign/{sign}/change/", STAFF),
    "games_sign_delete": ("/admin/games/sign/{sign}/delete/", NONE),
    "lobby_player_changelist": ("/admin/lobby/player/", ROOT),
    "lobby_player_add": ("/admin/lobby/player/add/", ROOT),
    "lobby_player_change": ("/admin/lobby/player/{alice}/change/", ROOT),
    "lobby_player_delete": ("/admin/lobby/player/{alice}/delete/", ROOT),
    "lobby_player_history": ("/admin/lobby/player/{alice}/history/", ROOT),
    "auth_user_password_change": ("/admin/lobby/player/{alice}/password/", ROOT),
    "lobby_seek_changelist": ("/admin/lobby/seek/", ROOT),
    "lobby_seek_add": ("/admin/lobby/seek/add/", NONE),
    "lobby_seek_change": ("/admin/lobby/seek/{seek}/change/", ROOT),
    "lobby_seek_delete": ("/admin/lobby/seek/{seek}/delete/", NONE),
    "lobby_seek_history": ("/admin/lobby/seek/{seek}/history/", ROOT),
    "lobby_appeal_changelist": ("/admin/lobby/appeal/", STAFF),
    "lobby_appeal_add": ("/admin/lobby/appeal/add/", NONE),
    "lobby_appeal_change": ("/admin/lobby/appeal/{appeal}/change/", STAFF),
    "lobby_appeal_delete": ("/admin/lobby/appeal/{appeal}/delete/", NONE),
    "lobby_appeal_history": ("/admin/lobby/appeal/{appeal}/history/", STAFF),
    "lobby_factorreset_changelist": ("/admin/lobby/factorreset/", SENIOR),
    "lobby_factorreset_add": ("/admin/lobby/factorreset/add/", SENIOR),
    "lobby_factorreset_change": ("/admin/lobby/factorreset/{reset}/change/", SENIOR),
    "lobby_factorreset_delete": ("/admin/lobby/factorreset/{reset}/delete/", NONE),
    "lobby_factorreset_history": ("/admin/lobby/factorreset/{reset}/history/", SENIOR),
    "auth_group_changelist": ("/admin/auth/group/", ROOT),
    "auth_group_add": ("/admin/auth/group/add/", ROOT),
    "auth_group_change": ("/admin/auth/group/{group}/change/", ROOT),
    "auth_group_delete": ("/admin/auth/group/{group}/delete/", ROOT),
    "auth_group_history": ("/admin/auth/group/{group}/history/", ROOT),
}
# Those that only send elsewhere, and those that take nothing but a POST.
ELSEWHERE = {"login", "logout", "password_change", "autocomplete", "view_on_site",
             "games_match_history", "games_decision_history", "games_case_history",
             "games_sign_history"}  # fmt: skip
POSTS = {
    "review_decide": ("/admin/games/match/{match}/decide/", STAFF),
    "review_decide_player": ("/admin/games/match/player/{alice}/decide/", STAFF),
    "review_reverse": ("/admin/games/decision/{decision}/reverse/", (302, 302, 302, 403, 302, 302)),
    "review_next": ("/admin/games/case/queue/next/", STAFF),
    "review_take": ("/admin/games/case/queue/{bob}/take/", STAFF),
    "review_release": ("/admin/games/case/queue/{bob}/release/", STAFF),
    "review_note": ("/admin/games/case/queue/{bob}/note/", STAFF),
    "review_handle": ("/admin/games/case/queue/{bob}/handle/", STAFF),
    "review_analyse": ("/admin/games/match/{match}/analyse/", STAFF),
    "factor_confirm": (
        "/admin/lobby/factorreset/{reset}/confirm/",
        (302, 302, 302, 302, 302, 302),
    ),
    "review_set_aside": ("/admin/games/sign/{sign}/set-aside/", STAFF),
}


@pytest.fixture
def there(db: None) -> dict[str, Any]:
    alice, bob = player("alice"), player("bob")
    match = over("tic-tac-toe", alice, bob)
    reviewer = player("rita", "reviewer")
    decision = decisions.void(reviewer, match.pk, "So.", 0)
    return {
        "match": match.pk,
        "alice": alice.pk,
        "bob": bob.pk,
        "decision": decision.pk,
        "appeal": Appeal.objects.create(
            decision=decision, player=alice, words="Why?", at=timezone.now()
        ).pk,
        "case": reports.report(alice.pk, match.pk, bob.pk, "name", "").case_id,
        "sign": Sign.objects.create(
            key="k", kind="pair", match=match, player=alice, words="So.", at=timezone.now()
        ).pk,
        "seek": Seek.objects.create(
            player=alice, game="tic-tac-toe", created_at=timezone.now(), seen_at=timezone.now()
        ).pk,
        "reset": FactorReset.objects.create(
            account=bob, reason="So.", asked_by=alice, asked_at=timezone.now()
        ).pk,
        "challenge": challenge(bob.pk, alice.pk, Setup("tic-tac-toe")).pk,
        "group": Group.objects.get(name="reviewer").pk,
    }


def log_in(role: str) -> Client:
    client = Client()
    if role == "guest":
        client.force_login(player("some guest", is_guest=True))
    elif role == "player":
        client.force_login(player("some player"))
    elif role == "reviewer":
        client.force_login(player("some reviewer", "reviewer"))
    elif role == "senior":
        client.force_login(player("some senior", "senior reviewer"))
    elif role == "superuser":
        client.force_login(player("root", "none", is_superuser=True))
    return client


@pytest.mark.parametrize("role", ROLES)
def test_every_address_answers_everybody_as_it_should(there: dict[str, Any], role: str) -> None:
    client, column = log_in(role), ROLES.index(role)
    for name, (path, expected) in ADDRESSES.items():
        answer = client.get(path.format(**there))
        assert answer.status_code == expected[column], (name, role, answer.status_code)
        if answer.status_code == 302:
            assert answer.headers["Location"].startswith("/admin/login/"), name


@pytest.mark.parametrize("role", ROLES)
def test_every_post_answers_everybody_as_it_should(there: dict[str, Any], role: str) -> None:
    client, column = log_in(role), ROLES.index(role)
    before = state()
    for name, (path, expected) in POSTS.items():
        assert client.get(path.format(**there)).status_code in {302, 405}, name
        answer = client.post(path.format(**there), {"kind": "warn", "player": there["alice"]})
        told = {200: (302, 409), 302: (302,), 403: (403,)}[expected[column]]
        assert answer.status_code in told, (name, role, answer.status_code)
    if column < 3:
        assert state() == before


def state() -> list[Any]:
    return [
        list(model._default_manager.order_by("pk").values())
        for model in (Match, Decision, Sign, get_user_model())
    ]


def test_no_address_of_the_admin_is_left_out() -> None:
    named = set(ADDRESSES) | set(POSTS) | ELSEWHERE
    (admin,) = [p for p in get_resolver().url_patterns if getattr(p, "app_name", "") == "admin"]
    found = {pattern.name for pattern in _all(admin) if pattern.name}
    assert found == named


def _all(resolver: Any) -> list[URLPattern]:
    found: list[URLPattern] = []
    for pattern in resolver.url_patterns:
        found += _all(pattern) if isinstance(pattern, URLResolver) else [pattern]
    return found


@pytest.mark.parametrize("role", ["reviewer", "senior", "superuser"])
def test_nobody_changes_the_log_through_the_site(there: dict[str, Any], role: str) -> None:
    client = log_in(role)
    before = list(Decision.objects.values())
    one = f"/admin/games/decision/{there['decision']}"
    for path in (f"{one}/change/", f"{one}/delete/", "/admin/games/decision/add/"):
        client.post(path, {"reason": "Otherwise.", "post": "yes"})
    client.post(
        "/admin/games/decision/",
        {"action": "delete_selected", "_selected_action": [there["decision"]], "post": "yes"},
    )
    who = Decision.objects.get(pk=there["decision"]).by
    client.post(f"/admin/lobby/player/{who.pk}/delete/", {"post": "yes"})
    assert list(Decision.objects.values()) == before


@pytest.mark.parametrize("role", ["reviewer", "senior"])
def test_forged_ids_change_nothing(there: dict[str, Any], role: str) -> None:
    client = log_in(role)
    before = state()
    form = {"kind": "void", "reason": "So.", "seen": "0"}
    for path in (
        "/admin/games/match/nosuch/decide/",
        "/admin/games/match/player/999999/decide/",
        "/admin/games/decision/999999/reverse/",
        "/admin/games/case/queue/999999/take/",
        "/admin/games/case/queue/999999/handle/",
        "/admin/games/match/nosuch/analyse/",
        "/admin/games/sign/999999/set-aside/",
    ):
        answer = client.post(path, form, follow=True)
        assert answer.status_code in {200, 403, 404, 409}, path
    for path in ("/admin/games/match/nosuch/change/", "/admin/games/decision/x/change/"):
        assert client.get(path).status_code == 404
    for forged in (
        {"kind": "nosuch", "reason": "So."},
        {"kind": "warn", "reason": "So.", "player": "999999", "seen-999999": "0"},
        {"kind": "warn", "reason": "So.", "player": "1'; DROP TABLE", "seen-1": "0"},
        {"kind": "void", "reason": "So.", "seen": "-1"},
        {"kind": "correct", "reason": "So.", "seen": "1", "first_goal": "x", "second_goal": "0"},
        {"kind": "suspend", "reason": "So.", "player": there["alice"],
         f"seen-{there['alice']}": "0", "days": "99999"},
    ):  # fmt: skip
        answer = client.post(f"/admin/games/match/{there['match']}/decide/", forged)
        assert answer.status_code == 409, forged
        assert 'class="error"' in answer.content.decode()
    assert state() == before


# The pages of the site: what a GET and what a POST with the token is answered. A tuple stands for
# visitor, guest, another player, a player of the match, a suspended one, reviewer, superuser.
VISITORS = ("visitor", "guest", "player", "alice", "suspended", "reviewer", "superuser")
# The accounts' own pages send everybody else to the login; a form without its fields is refused.
ACCOUNTS, NO_NAME = (302, 302, 200, 200, 200, 200, 200), (302, 302, 400, 400, 400, 400, 400)
PAGES: dict[str, tuple[str, int | tuple[int, ...], int | tuple[int, ...]]] = {
    "lobby": ("/", 200, 405),
    "tv": ("/tv/", 200, 405),
    "guest": ("/guest/", 405, 204),
    "computer": ("/computer/", 405, 400),  # without a game
    "one-screen": ("/one-screen/", 405, 400),  # without a game
    "seek-new": ("/seek/", 405, 400),  # without a game
    "seek": ("/seek/{seek}/", 200, 405),
    "seek-picture": ("/seek/{seek}/picture.png", 200, 405),
    "seek-accept": ("/seek/{seek}/accept/", 405, 302),
    "seek-cancel": ("/seek/{seek}/cancel/", 405, 302),
    "match": ("/match/{match}/", 200, 405),
    "record": ("/match/{match}/record.json", 200, 405),
    "replay": ("/match/{match}/replay.json", 200, 405),
    "analysis-json": ("/match/{match}/analysis.json", 404, 405),  # nobody asked for it
    "analysis": ("/match/{match}/analysis/", 405, 302),
    "report": ("/match/{match}/report/", 405, 302),  # without a reason: back to the match
    "notice-read": ("/notice/999999/read/", 405, 302),  # none of one's own: to the lobby
    "picture": ("/match/{match}/picture.png", 200, 405),
    "rules-index": ("/rules/", 200, 405),
    "words": ("/words/en.0.js", 200, 405),
    "rules": ("/rules/six-in-a-row/", 200, 405),
    "another-name": ("/another-name/", 405, 302),
    "account-name": ("/accounts/name/", ACCOUNTS, NO_NAME),
    "account-close": ("/accounts/close/", ACCOUNTS, NO_NAME),
    "account-download": ("/accounts/download/", ACCOUNTS, 405),
    "appeal": ("/accounts/appeal/", 200, 400),
    "player": ("/player/bob/", 200, 405),
    "player-games": ("/player/bob/games.json", 200, 405),
    "challenge-new": ("/player/bob/challenge/", 200, 400),  # without a game
    "challenge": ("/challenge/{challenge}/", (404, 404, 404, 200, 404, 404, 404), 405),
    "challenge-accept": (
        "/challenge/{challenge}/accept/",
        405,
        (404, 404, 404, 302, 404, 404, 404),
    ),
    "challenge-decline": (
        "/challenge/{challenge}/decline/",
        405,
        (404, 404, 404, 302, 404, 404, 404),
    ),
    "challenge-withdraw": ("/challenge/{challenge}/withdraw/", 405, 302),
    # A visitor is a guest by now: they have asked for a name above.
    "block": ("/player/bob/block/", 405, 302),
    "unblock": ("/player/bob/unblock/", 405, 302),
    "report-player": ("/player/bob/report/", 405, 302),
    "own-games": ("/games/", 200, 405),
    "own-games-download": ("/games/mine.jsonl", 200, 405),
    "preferences": ("/preferences/", 200, (403, 403, 302, 302, 302, 302, 302)),
    "forget": ("/forget/", 200, 302),  # the last: who has asked for it is nobody then
}
PROBES = {
    "/healthz": 200,
    "/readyz": 200,
    "/metrics": 404,
    "/favicon.ico": 302,
    "/nowhere/": 404,
    "/offline/": 200,
    "/service-worker.js": 200,
    "/manifest.webmanifest": 200,
}


def come(role: str) -> Client:
    if role == "alice":
        client = Client()
        client.force_login(get_user_model()._default_manager.get(username="alice"))
        return client
    if role == "suspended":
        client = Client()
        held = player("some suspended")
        rita = player("rita too", "reviewer")
        decisions.suspend(rita, held.pk, "So.", 0, days=1)
        client.force_login(held)
        return client
    return log_in(role)


@pytest.mark.parametrize("role", VISITORS)
def test_every_page_answers_everybody_as_it_should(there: dict[str, Any], role: str) -> None:
    client = come(role)
    for name, (path, get, post) in PAGES.items():
        column = VISITORS.index(role)
        shown = get if isinstance(get, int) else get[column]
        answer = client.get(path.format(**there))
        assert answer.status_code == shown, (name, role, answer.status_code)
        assert client.head(path.format(**there)).status_code == shown, name
        wanted = post if isinstance(post, int) else post[column]
        answer = client.post(path.format(**there))
        assert answer.status_code == wanted, (name, role, answer.status_code)
        for method in ("PUT", "PATCH", "DELETE", "TRACE"):
            assert client.generic(method, path.format(**there)).status_code == 405, (name, method)
    for path, expected in PROBES.items():
        assert client.get(path).status_code == expected, (path, role)


@pytest.mark.parametrize("role", VISITORS)
def test_no_page_takes_anything_without_the_token(there: dict[str, Any], role: str) -> None:
    known = come(role)
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = known.cookies
    for name, (path, _, _) in PAGES.items():
        status = strict.post(path.format(**there)).status_code
        assert status == 403, (name, role, status)


def test_no_page_is_left_out() -> None:
    own = [p for p in get_resolver().url_patterns if getattr(p, "app_name", "") != "admin"]
    found = {pattern.name for resolver in own if isinstance(resolver, URLResolver)
             for pattern in _all(resolver)}  # fmt: skip
    # The accounts' own are asked for in tests/lobby/accounts/test_pages.py.
    assert found - ({pattern.name for pattern in accounts} - set(PAGES)) == set(PAGES)
