"""Every page of the site, requested by every kind of user."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import URLResolver, get_resolver

from games.review import decisions
from lobby.accounts.urls import urlpatterns as accounts
from tests.builders.everything import list_patterns, log_in_as
from tests.builders.players import create_player

# The pages of the site: the answers to a GET and to a POST with the token. A tuple stands for
# visitor, guest, another player, a player of the match, a suspended one, reviewer, superuser.
VISITORS = ("visitor", "guest", "player", "alice", "suspended", "reviewer", "superuser")
# Neither the methods of a page nor its token depend on the visitor, but the order of the checks may
# differ. A visitor without a session tries some methods, and alice, with the most pages, the rest.
METHODS = {"visitor": ("PUT", "DELETE"), "alice": ("PATCH", "TRACE")}
# Account pages redirect everybody else to the login; they refuse a form without its fields.
# A group of alice's: visitors and guests get the login, others get a 404.
GROUP, GROUP_POST = (302, 302, 404, 200, 404, 404, 404), (302, 302, 404, 302, 404, 404, 404)
RUN = (302, 302, 404, 400, 404, 404, 404)
ACCOUNTS, NO_NAME = (302, 302, 200, 200, 200, 200, 200), (302, 302, 400, 400, 400, 400, 400)
HOOK = (302, 302, 404, 404, 404, 404, 404)  # not the user's own
PAGES: dict[str, tuple[str, int | tuple[int, ...], int | tuple[int, ...]]] = {
    "lobby": ("/", 200, 405),
    "tv": ("/tv/", 200, 405),
    "players": ("/players/?q=nobody", 200, 405),
    "player-names": ("/players/names.json?q=nobody", 200, 405),
    "guest": ("/guest/", 405, 204),
    "computer": ("/computer/", 405, 400),  # without a game
    "one-screen": ("/one-screen/", 405, 400),  # without a game
    "seek-new": ("/seek/", 405, 400),  # without a game
    "seek": ("/seek/{seek}/", 200, 405),
    "seek-picture": ("/seek/{seek}/picture.png", 200, 405),
    "seek-accept": ("/seek/{seek}/accept/", 405, 302),
    "seek-cancel": ("/seek/{seek}/cancel/", 405, 302),
    "match": ("/match/{match}/", 200, 405),
    "bring": ("/analysis/", 200, 400),  # without a record
    "look": ("/analysis/look.json", 404, 404),  # without a position
    "analysis-start": ("/analysis/six-in-a-row/", 302, 405),
    "analysis-game": ("/analysis/tic-tac-toe/game/1-1.2-2/", 200, 405),
    "analysis-position": ("/analysis/dots-and-boxes/0/0/0/x/", 200, 405),
    "ply-png": ("/match/{match}/position/1.png", 200, 405),
    "ply-svg": ("/match/{match}/position/0.svg", 200, 405),
    "game-svg": ("/match/{match}/game.svg", 200, 405),
    "embed-match": ("/embed/match/{match}/", 200, 405),
    "embed-tv": ("/embed/tv/", 200, 405),
    "oembed": ("/oembed", 404, 405),  # without an address
    "signed": ("/match/{match}/signed.json", 200, 405),
    "keys": ("/.well-known/parlour-keys.json", 200, 405),
    "log-checkpoint": ("/log/2/checkpoint", 200, 405),
    "log-entries": ("/log/2/tile/entries/000", 404, 405),  # nothing has been logged yet
    "log-tile": ("/log/2/tile/0/000", 404, 405),
    "former-log-checkpoint": ("/log/checkpoint", 404, 405),  # this site never had this log
    "former-log-entries": ("/log/tile/entries/000", 410, 405),
    "former-log-tile": ("/log/tile/0/000", 404, 405),
    "record": ("/match/{match}/record.json", 200, 405),
    "replay": ("/match/{match}/replay.json", 200, 405),
    "analysis-json": ("/match/{match}/analysis.json", 404, 405),  # nobody has requested it
    "analysis": ("/match/{match}/analysis/", 302, 302),
    "report": ("/match/{match}/report/", 405, 302),  # without a reason: back to the match
    "notice-read": ("/notice/999999/read/", 405, 302),  # not the user's own: back to the lobby
    "picture": ("/match/{match}/picture.png", 200, 405),
    "ratings": ("/ratings/", 200, 405),
    "bot-ratings": ("/ratings/bots/", 200, 405),
    "leaderboard": ("/ratings/six-in-a-row/", 200, 405),
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
    # The visitor is a guest by now, because they entered a name above.
    "block": ("/player/bob/block/", 405, 302),
    "unblock": ("/player/bob/unblock/", 405, 302),
    "report-player": ("/player/bob/report/", 405, 302),
    "own-games": ("/games/", 200, 405),
    "own-games-download": ("/games/mine.jsonl", 200, 405),
    "api-schema": ("/api/openapi.json", 200, 405),
    "api-docs": ("/api/docs/", 200, 405),
    "api-differences": ("/api/docs/differences/", 200, 405),
    # To the login, or to confirm one's identity again.
    "oauth": ("/oauth", 302, 302),
    "oauth-metadata": ("/.well-known/oauth-authorization-server", 200, 405),
    "groups": ("/groups/", ACCOUNTS, (302, 302, 403, 400, 403, 403, 400)),  # without a name
    "group-code": ("/groups/join/", ACCOUNTS, ACCOUNTS),
    "group-join": ("/groups/join/NOSUCHCODE/", (302, 302, *(404,) * 5), (302, 302, *(404,) * 5)),
    "group": ("/groups/{club}/", GROUP, 405),
    "group-accounts": ("/groups/{club}/accounts/", GROUP, RUN),  # without the form's token
    "group-new-code": ("/groups/{club}/code/", 405, GROUP_POST),
    "group-change": ("/groups/{club}/change/", 405, GROUP_POST),
    "group-dissolve": ("/groups/{club}/dissolve/", 405, GROUP_POST),
    "group-password": ("/groups/{club}/members/{bob}/password/", 405, RUN),
    "group-passwords": ("/groups/{club}/passwords/", 405, RUN),
    "group-remove": ("/groups/{club}/members/{bob}/remove/", GROUP, GROUP_POST),
    "group-care": (  # of bob, whose account is his own
        "/groups/{club}/members/{bob}/care/",
        (302, 302, 404, 404, 404, 404, 404),
        (302, 302, 404, 404, 404, 404, 404),
    ),
    "group-protection": (  # of bob, whose account is not protected
        "/groups/{club}/members/{bob}/protection/",
        (302, 302, 404, 404, 404, 404, 404),
        (302, 302, 404, 404, 404, 404, 404),
    ),
    "group-transfer": (  # of bob, who was removed above
        "/groups/{club}/members/{bob}/move/",
        (302, 302, 404, 404, 404, 404, 404),
        (302, 302, 404, 404, 404, 404, 404),
    ),
    "group-transfer-answer": ("/groups/{club}/transfers/1/", 405, GROUP_POST),
    "group-close": ("/groups/{club}/close/", GROUP, RUN),  # without a choice
    "group-reopen": ("/groups/{club}/reopen/", 405, GROUP_POST),  # it is open
    "group-export": ("/groups/{club}/export.zip", GROUP, 405),
    "class-code": ("/class/", 200, 400),  # without a code
    "class-login": ("/groups/{club}/login/", 403, 403),  # it is closed, also for the organiser
    "class-login-pictures": ("/groups/{club}/login/{bob}/", 403, 403),
    "class-login-open": ("/groups/{club}/login/open/", 405, GROUP_POST),
    "class-login-close": ("/groups/{club}/login/close/", 405, GROUP_POST),
    "class-login-board": (
        "/groups/{club}/login/board/",
        GROUP_POST,  # of the closed log-in: back to the group
        405,
    ),
    "member-logins": ("/groups/{club}/cards/", GROUP, RUN),  # without an action
    "real-names": ("/groups/{club}/names/", GROUP, GROUP_POST),
    "group-leave": ("/groups/{club}/leave/", 405, GROUP_POST),
    "group-tournament": ("/groups/{club}/tournament/", GROUP, RUN),  # without a game
    "tournaments": ("/tournaments/", 200, 405),
    "tournaments-feed": ("/tournaments/feed.atom", 200, 405),
    "tournaments-calendar": ("/tournaments/calendar.ics", 200, 405),
    "tournament-event": ("/tournaments/{event}/event.ics", 200, 405),
    "tournament-new": ("/tournaments/new/", ACCOUNTS, NO_NAME),
    "tournament": ("/tournaments/{event}/", 200, 405),
    "tournament-change": (
        "/tournaments/{event}/change/",
        (302, 302, 403, 200, 403, 200, 200),
        (302, 302, 403, 400, 403, 400, 400),  # without a name
    ),
    "tournament-do": (
        "/tournaments/{event}/do/new-code/",
        405,
        (403, 403, 403, 302, 403, 302, 302),
    ),
    "tournament-card": ("/tournaments/{event}/player/{entry}/", 200, 405),
    "tournament-pairing": ("/tournaments/{event}/pairing/999999/", 404, 405),
    "tournament-results": ("/tournaments/{event}/results.trf", 200, 405),
    "series": (
        "/tournaments/series/{series}/",
        200,
        (403, 403, 403, 302, 403, 302, 302),
    ),
    "webhooks": ("/accounts/webhooks/", 302, 302),  # it asks for the password first
    "webhook-remove": ("/accounts/webhooks/1/remove/", 405, HOOK),
    "webhook-on": ("/accounts/webhooks/1/on/", 405, HOOK),
    "preferences": ("/preferences/", 200, (403, 403, 302, 302, 302, 302, 302)),
    "language": ("/language/", 405, 400),  # without a language
    "forget": ("/forget/", 200, 302),  # last, because it removes the account that requests it
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
        held = create_player("some suspended")
        rita = create_player("rita too", "reviewer")
        decisions.suspend_player(rita, held.pk, "So.", 0, days=1)
        client.force_login(held)
        return client
    return log_in_as(role)


@pytest.mark.parametrize("role", VISITORS)
def test_every_page_answers_everybody_as_it_should(there: dict[str, Any], role: str) -> None:
    client = come(role)
    for name, (path, get, post) in PAGES.items():
        column = VISITORS.index(role)
        shown = get if isinstance(get, int) else get[column]
        # A HEAD request computes the same response. The suspended player sends it for every page,
        # and alice for pages that are not for everybody.
        show = client.head if role == "suspended" else client.get
        answer = show(path.format(**there))
        assert answer.status_code == shown, (name, role, answer.status_code)
        if role == "alice" and not isinstance(get, int):
            assert client.head(path.format(**there)).status_code == shown, name
        wanted = post if isinstance(post, int) else post[column]
        answer = client.post(path.format(**there))
        assert answer.status_code == wanted, (name, role, answer.status_code)
        for method in METHODS.get(role, ()):
            assert client.generic(method, path.format(**there)).status_code == 405, (name, method)
    for path, expected in PROBES.items():
        assert client.get(path).status_code == expected, (path, role)


@pytest.mark.parametrize("role", ["visitor", "alice"])
def test_no_page_takes_anything_without_the_token(there: dict[str, Any], role: str) -> None:
    known = come(role)
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = known.cookies
    for name, (path, _, post) in PAGES.items():
        if role == "visitor" and post not in (204, 302):
            continue  # what takes nothing from a visitor anyway is left to alice
        status = strict.post(path.format(**there)).status_code
        # The switch of the language has no token: see `lobby.views.preferences.language`.
        assert status == (400 if name == "language" else 403), (name, role, status)


def test_no_page_is_left_out() -> None:
    own = [p for p in get_resolver().url_patterns if getattr(p, "app_name", "") != "admin"]
    # tests/lobby/api/test_paths.py requests the operations of the API.
    found = {pattern.name for resolver in own if isinstance(resolver, URLResolver)
             for pattern in list_patterns(resolver)}  # fmt: skip
    # tests/lobby/accounts/test_pages.py requests the account pages.
    assert found - ({pattern.name for pattern in accounts} - set(PAGES)) == set(PAGES)
