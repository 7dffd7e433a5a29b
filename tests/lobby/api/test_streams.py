"""Streams of a real server: they are live, end with their token, and can be resumed."""

import http.client
import json
import signal
import threading
import time
from pathlib import Path

import pytest

from games.runtime.tasks import EXIT_SECONDS
from tests.builders.api import (
    Lines,
    create_client,
    create_token,
    send_move,
    send_request,
    start_game,
)
from tests.builders.sites import PATIENCE, Person, Site, until

IS_ALONE = True  # alice has no games or events from other modules

GAME = "tic-tac-toe"


@pytest.fixture(scope="module")
def alice_token(site: Site) -> str:
    return create_token(site, "alice")


@pytest.fixture(scope="module")
def bob_token(site: Site) -> str:
    return create_token(site, "bob")


def test_a_silent_stream_has_blank_lines(site: Site, alice_token: str) -> None:
    with Lines(site, "/api/stream/event", alice_token) as events:
        assert events.status == 200
        assert events.headers["Content-Type"] == "application/x-ndjson"
        assert events.headers["X-Accel-Buffering"] == "no"
        came = [events.blank() for _ in range(3)]
        # A line may come late on a busy machine, but not both.
        assert min(came[1] - came[0], came[2] - came[1]) <= 6.0


def test_a_game_stream_says_what_happens(site: Site, alice_token: str, bob_token: str) -> None:
    game = start_game(site, alice_token, bob_token)
    with (
        Lines(site, f"/api/board/game/stream/{game}", alice_token) as mine,
        Lines(site, f"/api/board/game/stream/{game}", bob_token) as theirs,
        Lines(site, f"/api/stream/game/{game}") as watched,
    ):
        full = mine.next("gameFull")
        assert full["white"]["id"] == "alice"
        assert full["white"]["role"] == "xplayer"
        assert full["state"]["moves"] == ""
        assert theirs.next("gameFull")["id"] == game
        first = watched.line()
        assert first is not None
        assert first["players"]["black"]["user"]["id"] == "bob"
        assert send_move(site, alice_token, game, "mark 1 1")[0] == 200
        for stream in (mine, theirs):
            state = stream.next("gameState")
            assert (state["moves"], state["turn"], state["ply"]) == ("mark 1 1", "oplayer", 1)
        # A repeated action is recognized.
        assert send_move(site, alice_token, game, "mark 1 1", "?ply=0")[0] == 200
        assert send_move(site, alice_token, game, "mark 1 1")[0] == 200
        assert send_move(site, bob_token, game, "mark 3 3")[0] == 200
        create_client(site, alice_token).board.post_message(game, "Good luck!")
        said = theirs.next("chatLine")
        assert (said["username"], said["phrase"]) == ("alice", "good-luck")
        status, refused = send_move(site, bob_token, game, "mark 2 2")
        assert (status, refused["error"]["code"]) == (409, "not-your-turn")
        for action in ("", "mark 9 9", "%00", "%ff%fe", "a" * 300, "%F0%9F%98%80", "../../x"):
            status, refused = send_move(site, alice_token, game, action)
            assert status in {400, 404, 405}, (action, status)
            assert refused["error"]["code"], action
        assert send_request(site, "POST", f"/api/board/game/{game}/resign", bob_token)[0] == 200
        last = mine.rest()[-1]
        assert (last["status"], last["winner"]) == ("resign", "white")
        assert theirs.rest()[-1]["status"] == "resign"
        ended = watched.rest()[-1]
        assert ended["status"]["name"] == "resign"
        assert ended["winner"] == "white"


def test_a_draw_is_offered_declined_and_agreed(
    site: Site, alice_token: str, bob_token: str
) -> None:
    game = start_game(site, alice_token, bob_token, "dots-and-boxes")
    who = {"white": alice_token, "black": bob_token}

    def play_on() -> str:
        _, legal, _ = send_request(site, "GET", f"/api/board/game/{game}/legal", alice_token)
        assert send_move(site, who[legal["color"]], game, legal["actions"][-1])[0] == 200
        return str(
            send_request(site, "GET", f"/api/board/game/{game}/legal", alice_token)[1]["color"]
        )

    for _ in range(20):  # a short game has no draw by agreement
        mine = play_on()
    other = {"white": "black", "black": "white"}[mine]
    with Lines(site, f"/api/board/game/stream/{game}", who[other]) as stream:
        stream.next("gameFull")
        draw = f"/api/board/game/{game}/draw"
        assert send_request(site, "POST", f"{draw}/yes", who[mine])[0] == 200
        assert send_request(site, "POST", f"{draw}/yes", who[mine])[0] == 200  # no second offer
        assert stream.next("gameState")[f"{mine[0]}draw"] is True
        assert send_request(site, "POST", f"{draw}/no", who[other])[0] == 200
        assert stream.next("gameState")[f"{mine[0]}draw"] is False
        assert play_on()
        offers = send_request(site, "GET", f"/api/board/game/{game}/legal", alice_token)[1]["color"]
        answers = {"white": "black", "black": "white"}[offers]
        assert send_request(site, "POST", f"{draw}/yes", who[offers])[0] == 200
        assert send_request(site, "POST", f"{draw}/yes", who[answers])[0] == 200
        assert stream.rest()[-1]["status"] == "draw"


def test_a_dropped_stream_is_taken_up_again(site: Site, alice_token: str, bob_token: str) -> None:
    game = start_game(site, alice_token, bob_token)
    with Lines(site, f"/api/board/game/stream/{game}", alice_token) as dropped:
        dropped.next("gameFull")
    assert send_move(site, alice_token, game, "mark 1 1")[0] == 200
    assert send_move(site, bob_token, game, "mark 2 2")[0] == 200
    with Lines(site, f"/api/board/game/stream/{game}", alice_token) as again:
        state = again.next("gameFull")["state"]
        assert state["moves"] == "mark 1 1, mark 2 2"
        assert send_move(site, alice_token, game, "mark 1 2")[0] == 200
        assert again.next("gameState")["moves"] == "mark 1 1, mark 2 2, mark 1 2"
        send_request(site, "POST", f"/api/board/game/{game}/resign", alice_token)
        again.rest()
    with Lines(site, f"/api/board/game/stream/{game}", bob_token) as late:
        lines = late.rest()
        assert [line["type"] for line in lines] == ["gameFull"]
        assert lines[0]["state"]["status"] == "resign"


def test_a_person_in_a_browser_and_a_program_play(site: Site, alice_token: str) -> None:
    """An action committed by a socket appears on the stream, and vice versa."""
    carol = Person(site).be_guest()
    status, made, _ = send_request(
        site, "POST", "/api/challenge/open", alice_token, b'{"variant": "tic-tac-toe"}',
        Content_Type="application/json",
    )  # fmt: skip
    assert status == 200
    with Lines(site, "/api/stream/event", alice_token) as events:
        carol.post(f"/seek/{made['id']}/accept/")
        game = events.next("gameStart", lambda e: e["game"]["opponent"]["id"] != "bob")["game"]
        where = f"/api/board/game/stream/{game['gameId']}"
        with Lines(site, where, alice_token) as mine, carol.match(game["gameId"]) as theirs:
            mine.next("gameFull")
            theirs.next("state")
            if game["isMyTurn"]:
                assert send_move(site, alice_token, game["gameId"], "mark 1 1")[0] == 200
                theirs.ply(1)
            else:
                theirs.play("mark 1 1")
            assert mine.next("gameState")["moves"] == "mark 1 1"
            theirs.send("resign")
            assert mine.rest()[-1]["status"] == "resign"
        assert events.next("gameFinish")["game"]["status"]["name"] == "resign"


def test_challenges_are_told_declined_and_cancelled(
    site: Site, alice_token: str, bob_token: str
) -> None:
    with (
        Lines(site, "/api/stream/event", alice_token) as mine,
        Lines(site, "/api/stream/event", bob_token) as theirs,
    ):
        alice, bob = create_client(site, alice_token), create_client(site, bob_token)
        made = alice.challenges.create("bob", rated=False, variant=GAME, clock_limit=180)
        asked = theirs.next("challenge", lambda e: e["challenge"]["id"] == made["id"])
        assert asked["challenge"]["timeControl"]["limit"] == 180
        assert [each["id"] for each in bob.challenges.get_mine()["in"]] == [made["id"]]
        bob.challenges.decline(made["id"], reason="later")
        told = mine.next("challengeDeclined", lambda e: e["challenge"]["id"] == made["id"])
        assert told["challenge"]["declineReasonKey"] == "later"
        made = alice.challenges.create("bob", rated=False, variant=GAME)
        theirs.next("challenge", lambda e: e["challenge"]["id"] == made["id"])
        alice.challenges.cancel(made["id"])
        theirs.next("challengeCanceled", lambda e: e["challenge"]["id"] == made["id"])


def test_two_seeks_meet(site: Site, alice_token: str, bob_token: str) -> None:
    seconds: list[float] = []

    def look(text: str) -> None:
        found = create_client(site, text).board.seek(3, 2, variant="dots-and-boxes")
        seconds.append(found)

    seekers = [threading.Thread(target=look, args=[each]) for each in (alice_token, bob_token)]
    for seeker in seekers:
        seeker.start()
    for seeker in seekers:
        seeker.join(30)
    assert len(seconds) == 2
    (game,) = create_client(site, alice_token).games.get_ongoing()
    assert game["variant"]["key"] == "dots-and-boxes"
    assert game["opponent"]["id"] == "bob"
    create_client(site, alice_token).board.resign_game(game["gameId"])


def test_a_seek_lasts_as_long_as_its_stream(site: Site, alice_token: str) -> None:
    watcher = Person(site)
    with watcher.lobby() as lobby:
        with Lines(site, "/api/board/seek", alice_token, "POST", '{"variant": "tic-tac-toe"}'):
            lobby.next("lobby", lambda frame: [s for s in frame["seeks"] if s["player"] == "alice"])
        lobby.next("lobby", lambda frame: not frame["seeks"])


def test_a_token_has_one_stream_of_events(site: Site, alice_token: str) -> None:
    with Lines(site, "/api/stream/event", alice_token) as former:
        former.blank()
        with Lines(site, "/api/stream/event", alice_token) as later:
            later.blank()
            former.rest()  # it has ended
            later.blank()


def test_a_revoked_token_ends_its_streams_and_no_others(
    site: Site, alice_token: str, bob_token: str
) -> None:
    spare = create_token(site, "alice")
    game = start_game(site, alice_token, bob_token)
    where = f"/api/board/game/stream/{game}"
    with (
        Lines(site, "/api/stream/event", spare) as events,
        Lines(site, where, spare) as mine,
        Lines(site, where, alice_token) as other,
    ):
        events.blank()
        mine.next("gameFull")
        other.next("gameFull")
        status, found, _ = send_request(
            site, "POST", "/api/token/found", data=f"see {spare}!".encode()
        )
        assert (status, found) == (200, {"revoked": 1})
        began = time.monotonic()
        events.rest()
        mine.rest()
        assert time.monotonic() - began < 3
        assert send_request(site, "GET", "/api/account", spare)[0] == 401
        assert send_move(site, alice_token, game, "mark 1 1")[0] == 200
        assert other.next("gameState")["ply"] == 1
    status, found, _ = send_request(site, "POST", "/api/token/found", data=spare.encode())
    assert found == {"revoked": 0}
    create_client(site, alice_token).board.resign_game(game)


def test_what_is_on(site: Site, alice_token: str, bob_token: str) -> None:
    game = start_game(site, alice_token, bob_token, "six-in-a-row")
    assert send_move(site, alice_token, game, "place 8 8")[0] == 200
    until(
        lambda: "six-in-a-row" in create_client(site, bob_token).tv.get_current_games(), "a channel"
    )
    channels = create_client(site, bob_token).tv.get_current_games()
    assert channels["six-in-a-row"]["gameId"] == game
    with Lines(site, "/api/tv/six-in-a-row/feed") as feed:
        on = feed.next("featured")["d"]
        assert on["id"] == game
        feed.next("fen")
        assert send_move(site, alice_token, game, "place 7 7")[0] == 200
        assert feed.next("fen")["d"]["lm"] == "place 7 7"
    (best,) = create_client(site, bob_token).tv.get_best_ongoing("six-in-a-row")
    assert best["moves"] == "place 8 8, place 7 7"
    create_client(site, alice_token).board.resign_game(game)


def test_no_token_is_in_a_log_or_taken_from_an_address(tmp_path: Path) -> None:
    site = Site(tmp_path, {"LOG_FORMAT": "json"}).wait()
    try:
        text = create_token(site, "alice")
        with Lines(site, "/api/stream/event", text) as events:
            events.blank()
            for path in (f"/api/account?token={text}", f"/api/user/{text}",
                         f"/api/account?x={text}", "/api/account?access_token=x"):  # fmt: skip
                status, refused, _ = send_request(site, "GET", path)
                assert (status, refused["error"]["code"]) == (400, "token-in-address"), path
            send_request(site, "POST", "/api/challenge/ai", text, b"{broken")
            send_request(site, "GET", "/api/no-such-thing", text)
            send_request(site, "POST", "/api/token/test", data=text.encode())
        send_request(site, "DELETE", "/api/token", text)
    finally:
        site.stop(signal.SIGTERM)
    for log in tmp_path.glob("*.log"):
        assert "prl_" not in log.read_text(), log


def test_large_bodies_are_refused(site: Site, alice_token: str) -> None:
    for size in (20_000, 10_000_000):
        connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)
        connection.putrequest("POST", "/api/challenge/ai")
        connection.putheader("Authorization", f"Bearer {alice_token}")
        connection.putheader("Content-Length", str(size))
        connection.endheaders(b" " * 20_000)
        answer = connection.getresponse()
        refused = json.loads(answer.read())
        assert (answer.status, refused["error"]["code"]) == (413, "too-large"), size
        connection.close()


def test_streams_end_with_their_server(tmp_path: Path) -> None:
    site = Site(tmp_path).wait()
    text = create_token(site, "alice")
    with Lines(site, "/api/stream/event", text) as events, Lines(site, "/api/tv/feed") as feed:
        events.blank()
        feed.blank()
        began = time.monotonic()
        site.stop(signal.SIGTERM)
        assert events.rest() == []
        assert feed.rest() == []
        assert time.monotonic() - began < EXIT_SECONDS


ARENA = """
from datetime import timedelta
from django.utils import timezone
from games.match.setup import Setup
from lobby.models import Player
from lobby.tournaments.draft import Draft, create_tournament
olga, _ = Player.objects.get_or_create(username="Olga Arena", defaults={"is_guest": False})
made = create_tournament(olga, Draft("Programs", "arena", Setup("tic-tac-toe", "3+2"),
                        timezone.now() + timedelta(seconds=3), minutes=5, bots=True))
print(made.pk)
"""


def test_programs_with_open_event_streams_are_paired_once_they_have_joined(site: Site) -> None:
    tokens = [create_token(site, "alice"), create_token(site, "gearwheel", "bot", "tournaments")]
    assert send_request(site, "POST", "/api/bot/account/upgrade", tokens[1])[0] == 200
    done = site.manage("shell", "-c", ARENA)
    assert done.returncode == 0, done.stderr
    arena = done.stdout.split()[-1]
    for text in tokens:
        assert send_request(site, "POST", f"/api/tournament/{arena}/join", text)[0] == 200
    with (
        Lines(site, "/api/stream/event", tokens[0]) as mine,
        Lines(site, "/api/stream/event", tokens[1]) as theirs,
    ):
        game = mine.next("gameStart")["game"]["gameId"]
        assert theirs.next("gameStart")["game"]["gameId"] == game
