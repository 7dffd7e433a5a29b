"""Limits of the API on rates and slow clients, and headers for browsers and caches."""

import http.client
import json
import socket
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import Client, override_settings

from games.journal.batch import journal
from games.journal.opening import open_match
from games.journal.requests import Request
from games.match.commands import Resign
from games.match.setup import Setup
from games.runtime.db import close_db_threads
from games.runtime.tasks import end_loops
from lobby.accounts import tokens
from lobby.models import Player
from tests.bench.load.script import SIX, make_script
from tests.builders.api import create_token, send_move, start_game
from tests.builders.matches import create_match
from tests.builders.players import create_player
from tests.builders.sites import PATIENCE, Site, until


@pytest.mark.django_db
def test_who_asks_too_often_is_told_when_to_ask_again() -> None:
    alice = create_player("alice")
    texts = [tokens.create_token(alice.pk, "a script", ("games:read",)).text for _ in range(2)]
    with override_settings(RATE_LIMITS=True, API_REQUESTS_PER_MINUTE=3):
        first, second = ({"Authorization": f"Bearer {text}"} for text in texts)
        for _ in range(3):
            assert Client().get("/api/account", headers=first).status_code == 200
        refused = Client().get("/api/account", headers=first)
        assert refused.status_code == 429
        assert refused.headers["Retry-After"] == "60"
        assert refused.json()["error"] == {
            "code": "too-often",
            "detail": "Too many requests. Please wait 60 s.",
            "params": {"seconds": 60},
        }
        assert Client().get("/api/account", headers=second).status_code == 200


@pytest.mark.django_db
def test_who_guesses_or_may_not_is_counted_too() -> None:
    alice = create_player("alice")
    reads = tokens.create_token(alice.pk, "a script", ("games:read",)).text
    with override_settings(RATE_LIMITS=True, API_REQUESTS_PER_MINUTE=3):
        for text, status in ((f"prl_{'x' * 40}", 401), ("", 401), (reads, 403)):
            where = {"REMOTE_ADDR": f"192.0.2.{status - 400 + len(text)}"}
            headers = {"Authorization": f"Bearer {text}"}
            seen = [
                Client(**where).get("/api/account/email", headers=headers).status_code
                for _ in range(4)
            ]
            assert seen == [status] * 3 + [429]


@pytest.mark.django_db
@pytest.mark.parametrize("length", ["\xb2", "9" * 5000, "-1", "+5", "1e3", " ", "0x5", "1_0"])
def test_a_length_that_is_none_is_refused(length: str) -> None:
    given = Client().post("/api/users", b"x", content_type="text/plain", CONTENT_LENGTH=length)
    assert (given.status_code, given.json()["error"]["code"]) == (413, "too-large")


@pytest.mark.django_db
def test_what_a_token_is_given_is_kept_by_no_cache() -> None:
    text = tokens.create_token(create_player("alice").pk, "a script", ("account:read",)).text
    headers = {"Authorization": f"Bearer {text}"}
    for path in ("/api/account", "/api/account/email", "/api/user/alice", "/api/account/playing"):
        assert Client().get(path, headers=headers).headers["Cache-Control"] == "private, no-store"
    public = Client().get("/api/openapi.json", headers=headers)
    assert public.headers["Cache-Control"] == "public, max-age=300"


@pytest.mark.django_db
@pytest.mark.parametrize("moment", [2**47 + 1, 2**53, 2**63, 10**30, -1])
def test_a_moment_that_no_calendar_has_is_refused(moment: int) -> None:
    create_player("alice")
    for name in ("since", "until"):
        given = Client().get(f"/api/games/user/alice?{name}={moment}")
        assert given.status_code == 400
        last = Client().get(f"/api/games/user/alice?{name}={2**47}")
        assert b"".join(last) == b""


@pytest.mark.django_db
def test_no_other_way_leads_to_a_method() -> None:
    """Browsers' forms can send these headers and fields; the server ignores them."""
    text = tokens.create_token(create_player("alice").pk, "a script", ("account:read",)).text
    headers = {"Authorization": f"Bearer {text}", "X-HTTP-Method-Override": "DELETE"}
    given = Client().post("/api/token?_method=DELETE", {"_method": "DELETE"}, headers=headers)
    assert given.status_code == 400
    assert Client().get("/api/account", headers=headers).status_code == 200
    for method in ("HEAD", "OPTIONS", "PUT", "PATCH", "TRACE"):
        given = Client().generic(method, "/api/account", headers=headers)
        assert given.status_code == 405
        assert given.headers["Allow"] == "GET"


@pytest.mark.django_db
def test_scripts_of_other_sites_may_ask() -> None:
    asked = {
        "Origin": "https://club.example.org",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization",
    }
    told = Client().options("/api/challenge/ai", headers=asked)
    assert told.status_code == 204
    assert told.headers["Access-Control-Allow-Origin"] == "*"
    assert "Authorization" in told.headers["Access-Control-Allow-Headers"]
    assert "Access-Control-Allow-Credentials" not in told.headers
    page = Client().get("/api/docs/", headers={"Origin": "https://club.example.org"})
    assert "Access-Control-Allow-Origin" not in page.headers
    assert "Access-Control-Allow-Origin" not in Client().get("/").headers


@pytest.mark.django_db
def test_every_error_has_the_one_shape() -> None:
    for method, path, status, code in (
        ("GET", "/api/nothing/here", 404, "not-found"),
        ("GET", "/api/user/nobody-of-that-name", 404, "not-found"),
        ("PUT", "/api/account", 405, "wrong-method"),
        ("GET", "/api/user/%00", 400, "malformed"),
        ("GET", "/api/games/user/alice?max=x", 400, "malformed"),
        ("GET", "/api/games/export/" + "x" * 900, 404, "not-found"),
        ("POST", "/api/users", 400, "malformed"),
    ):
        body = b"\xff\0" if method == "POST" else b""
        given = Client().generic(method, path, body, content_type="text/plain")
        assert (given.status_code, given.json()["error"]["code"]) == (status, code), path


@pytest.mark.django_db
def test_the_actions_of_both_roles_are_exported_in_gdl(alice: Player, bob: Player) -> None:
    match = create_match("tic-tac-toe", alice, bob, plies=2)
    given = Client().get(f"/api/games/export/{match.pk}/moves.kif")
    assert given.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert given.content.decode() == "((mark 1 1) noop)\n(noop (mark 1 2))\n"
    assert Client().get("/api/games/export/none/moves.kif").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_a_game_that_is_over_is_not_sent_again() -> None:
    alice, bob = create_player("alice"), create_player("bob")
    match = open_match(Setup("tic-tac-toe"), alice.pk, bob.pk)
    live = Client().get(f"/api/games/export/{match.pk}")
    assert "ETag" not in live.headers

    async def resign() -> Any:
        return await journal().ask(Request(match.pk, bob.pk, Resign()))

    async_to_sync(resign)()
    over = Client().get(f"/game/export/{match.pk}")
    assert over.json()["winner"] == "white"
    seen = {"If-None-Match": over.headers["ETag"]}
    again = Client().get(f"/game/export/{match.pk}", headers=seen)
    assert (again.status_code, again.content) == (304, b"")
    other = Client().get(f"/game/export/{match.pk}?clocks=true", headers=seen)
    assert other.status_code == 200
    Player.objects.filter(pk=bob.pk).update(username="robert", name_key="robert")
    renamed = Client().get(f"/game/export/{match.pk}", headers=seen)
    assert renamed.json()["players"]["black"]["user"]["name"] == "robert"
    async_to_sync(end_loops)()
    close_db_threads()


def test_who_reads_nothing_is_cut_off(tmp_path: Path) -> None:
    env = {
        "MAX_SEND_BUFFER_BYTES": "8192",
        "PRESENCE_TIMEOUT_SECONDS": "600",  # not the time-out, but the buffer ends it
        "METRICS_TOKEN": "m" * 20,
    }
    site = Site(tmp_path, env).wait()
    try:
        one, other = create_token(site, "alice"), create_token(site, "bob")
        game = start_game(site, one, other, SIX)
        with socket.socket() as slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            slow.connect(("127.0.0.1", site.port))
            slow.sendall(
                f"GET /api/board/game/stream/{game} HTTP/1.1\r\nHost: localhost\r\n"
                f"Authorization: Bearer {one}\r\n\r\n".encode()
            )
            until(lambda: _open(site) == 1, "the stream")
            # Each line has all moves so far. The game must not end, because the stream would, too.
            for ply, (seat, action) in enumerate(make_script(SIX)[:-5]):
                if ply % 20 == 0 and _open(site) == 0:
                    return
                assert send_move(site, (one, other)[seat], game, action)[0] == 200
            talk = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)
            headers = {"Authorization": f"Bearer {other}", "Content-Type": "application/json"}
            said, body = 0, json.dumps({"text": "well-played"})
            while _open(site) == 1:
                for _ in range(100):
                    talk.request("POST", f"/api/board/game/{game}/chat", body, headers)
                    answer = talk.getresponse()
                    assert answer.status == 200, answer.read()
                    answer.read()
                    said += 1
                assert said < 20_000  # two megabytes
    finally:
        site.stop()


def _open(site: Site) -> int:
    """Return the number of game streams that the server has open."""
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)
    connection.request("GET", "/metrics", headers={"Authorization": f"Bearer {'m' * 20}"})
    text = connection.getresponse().read().decode()
    connection.close()
    found = [line for line in text.splitlines() if 'kind="game-stream"' in line or
             '"game-stream"' in line]  # fmt: skip
    return int(float(found[0].split()[-1])) if found else 0
