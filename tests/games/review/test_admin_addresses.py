"""Every address of the admin, requested by everybody: shown, sent to the login, or refused."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.urls import get_resolver

from games.models import Decision, Match, Sign
from tests.builders.everything import list_patterns, log_in_as

ROLES = ("visitor", "guest", "player", "reviewer", "senior", "superuser")
# The answers to each of the six users.
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
    "review_search": ("/admin/games/case/search/?q=alice", STAFF),
    "review_entry": ("/admin/games/case/queue/{bob}/", STAFF),
    "games_bulkaction_changelist": ("/admin/games/bulkaction/", STAFF),
    "games_bulkaction_add": ("/admin/games/bulkaction/add/", NONE),
    "games_bulkaction_change": ("/admin/games/bulkaction/{bulk}/change/", STAFF),
    "games_bulkaction_delete": ("/admin/games/bulkaction/{bulk}/delete/", NONE),
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
    "lobby_protectionchange_changelist": ("/admin/lobby/protectionchange/", SENIOR),
    "lobby_protectionchange_add": ("/admin/lobby/protectionchange/add/", SENIOR),
    "lobby_protectionchange_change": (
        "/admin/lobby/protectionchange/{protection}/change/",
        SENIOR,
    ),
    "lobby_protectionchange_delete": ("/admin/lobby/protectionchange/{protection}/delete/", NONE),
    "lobby_protectionchange_history": (
        "/admin/lobby/protectionchange/{protection}/history/",
        SENIOR,
    ),
    "lobby_erasure_changelist": ("/admin/lobby/erasure/", SENIOR),
    "lobby_erasure_add": ("/admin/lobby/erasure/add/", SENIOR),
    "lobby_erasure_change": ("/admin/lobby/erasure/{erasure}/change/", SENIOR),
    "lobby_erasure_delete": ("/admin/lobby/erasure/{erasure}/delete/", NONE),
    "lobby_erasure_history": ("/admin/lobby/erasure/{erasure}/history/", SENIOR),
    "lobby_group_changelist": ("/admin/lobby/group/", ROOT),
    "lobby_group_add": ("/admin/lobby/group/add/", NONE),
    "lobby_group_change": ("/admin/lobby/group/{club}/change/", ROOT),
    "lobby_group_delete": ("/admin/lobby/group/{club}/delete/", NONE),
    "lobby_group_history": ("/admin/lobby/group/{club}/history/", ROOT),
    "lobby_tournament_changelist": ("/admin/lobby/tournament/", STAFF),
    "lobby_tournament_add": ("/admin/lobby/tournament/add/", NONE),
    "lobby_tournament_change": ("/admin/lobby/tournament/{event}/change/", STAFF),
    "lobby_tournament_delete": ("/admin/lobby/tournament/{event}/delete/", NONE),
    "lobby_tournament_history": ("/admin/lobby/tournament/{event}/history/", STAFF),
    "games_storedsheet_changelist": ("/admin/games/storedsheet/", ROOT),
    "games_storedsheet_add": ("/admin/games/storedsheet/add/", ROOT),
    "games_storedsheet_change": ("/admin/games/storedsheet/{sheet}/change/", ROOT),
    "games_storedsheet_delete": ("/admin/games/storedsheet/{sheet}/delete/", NONE),
    "games_storedsheet_history": ("/admin/games/storedsheet/{sheet}/history/", ROOT),
    "auth_group_changelist": ("/admin/auth/group/", ROOT),
    "auth_group_add": ("/admin/auth/group/add/", ROOT),
    "auth_group_change": ("/admin/auth/group/{group}/change/", ROOT),
    "auth_group_delete": ("/admin/auth/group/{group}/delete/", ROOT),
    "auth_group_history": ("/admin/auth/group/{group}/history/", ROOT),
}
# Addresses that only redirect, and those that accept only a POST.
ELSEWHERE = {"login", "logout", "password_change", "autocomplete", "view_on_site",
             "games_match_history", "games_decision_history", "games_case_history",
             "games_sign_history", "games_bulkaction_history"}  # fmt: skip
POSTS = {
    "review_decide": ("/admin/games/match/{match}/decide/", STAFF),
    "review_decide_player": ("/admin/games/match/player/{alice}/decide/", STAFF),
    "review_reverse": ("/admin/games/decision/{decision}/reverse/", (302, 302, 302, 403, 302, 302)),
    "review_bulk": ("/admin/games/case/bulk/", STAFF),
    "review_undo_bulk": ("/admin/games/bulkaction/{bulk}/undo/", STAFF),
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
    "erasure_undo": (
        "/admin/lobby/erasure/{erasure}/undo/",
        (302, 302, 302, 403, 302, 302),
    ),
    "review_set_aside": ("/admin/games/sign/{sign}/set-aside/", STAFF),
}


@pytest.mark.parametrize("role", ROLES)
def test_every_address_answers_everybody_as_it_should(there: dict[str, Any], role: str) -> None:
    client, column = log_in_as(role), ROLES.index(role)
    for name, (path, expected) in ADDRESSES.items():
        answer = client.get(path.format(**there))
        assert answer.status_code == expected[column], (name, role, answer.status_code)
        if answer.status_code == 302:
            assert answer.headers["Location"].startswith("/admin/login/"), name


@pytest.mark.parametrize("role", ROLES)
def test_every_post_answers_everybody_as_it_should(there: dict[str, Any], role: str) -> None:
    client, column = log_in_as(role), ROLES.index(role)
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
    found = {pattern.name for pattern in list_patterns(admin) if pattern.name}
    assert found == named


@pytest.mark.parametrize("role", ["reviewer", "senior", "superuser"])
def test_nobody_changes_the_log_through_the_site(there: dict[str, Any], role: str) -> None:
    client = log_in_as(role)
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
    client = log_in_as(role)
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
