"""A general game player plays here: whole matches at a site, and the player's bad answers."""

import itertools
import random
import re
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from games.match.clock import LONGEST
from games.rules import Position
from lobby.api import ggp_bridge
from lobby.api.ggp_bridge import (
    GRACE,
    BridgedMatch,
    NoAnswer,
    PlayerServer,
    RequestRefused,
    Site,
    choose_clocks,
    render_kif,
)
from lobby.api.matches import render_kif as render_action
from tests.builders.api import create_client, create_token, send_move, send_request
from tests.builders.gdl_interpreter import Interpreter, parse, write
from tests.builders.gdl_sheets import PASSING, RACE, SHIPPED, load_text
from tests.builders.ggp_player import GgpPlayer, RawPlayer
from tests.builders.sites import ROOT, Program, until
from tests.builders.sites import Site as RunningSite

IS_ALONE = True  # alice has no games or events from other modules

SHEET = SHIPPED["connect-four"].read_text()
OK = b"HTTP/1.0 200 OK\r\nContent-Type: text/acl\r\n"


# -- at a site


@pytest.fixture(scope="module")
def alice(site: RunningSite) -> str:
    """Alice's token, at a site that offers the shipped games."""
    token = create_token(site, "alice")
    assert site.manage("add_game", "--shipped").returncode == 0
    ask = {"data": b'{"variant": "connect-four"}', "Content_Type": "application/json"}
    until(
        lambda: send_request(site, "POST", "/api/challenge/open", token, **ask)[0] == 200, "games"
    )
    return token


@pytest.fixture
def player() -> Iterator[GgpPlayer]:
    with GgpPlayer() as found:
        yield found


_numbers = itertools.count()


@pytest.fixture
def bot(site: RunningSite, player: GgpPlayer, alice: str, tmp_path: Path) -> Iterator[Program]:
    """The bridge. Its account is `bot.name`."""
    name = f"engine {next(_numbers)}"
    command = [sys.executable, str(ROOT / "lobby/api/ggp_bridge.py"), site.url, player.url]
    running = Program(command, tmp_path / "log", env={"TOKEN": create_token(site, name, "bot")})
    running.name = name  # type: ignore[attr-defined]
    users = create_client(site, alice).users
    until(lambda: users.get_public_data(name).get("title") == "BOT", "the bot")
    yield running
    running.must_run()
    running.must_be_calm()
    running.stop()


def challenge(site: RunningSite, alice: str, bot: Any, slug: str, **more: Any) -> str:
    """Challenge the bot, and return the id of the challenge."""
    asked = {"rated": False, "variant": slug, **more}
    return str(create_client(site, alice).challenges.create(bot.name, **asked)["id"])


def wait_for_game(site: RunningSite, alice: str, challenge_id: str) -> str:
    path = f"/api/challenge/{challenge_id}/show"
    return str(until(lambda: send_request(site, "GET", path, alice)[1].get("gameId"), "the game"))


def play_at_random(site: RunningSite, alice: str, game: str) -> int:
    """Play Alice's part to the end, and return the number of her actions."""
    chance, acted = random.Random(game), 0
    for line in create_client(site, alice).board.stream_game_state(game):
        if line["type"] == "gameFull":
            mine = line["white" if line["white"]["id"] == "alice" else "black"]["role"]
        if line.get("state", line).get("turn") == mine:
            _, legal, _ = send_request(site, "GET", f"/api/board/game/{game}/legal", alice)
            if legal["turn"] == mine:
                action = chance.choice(legal["actions"])
                assert send_move(site, alice, game, action, f"?ply={legal['ply']}")[0] == 200
                acted += 1
    return acted


@pytest.mark.parametrize("colour", ["white", "black"])
def test_a_player_plays_a_whole_match(
    site: RunningSite, alice: str, bot: Program, player: GgpPlayer, colour: str
) -> None:
    clock = {"clock_limit": 1800, "clock_increment": 0} if colour == "white" else {}
    asked = challenge(site, alice, bot, "connect-four", color=colour, **clock)
    game = wait_for_game(site, alice, asked)
    _, legal, _ = send_request(site, "GET", f"/api/board/game/{game}/legal", alice)
    if legal["ply"] == 0:
        assert legal["kif"] == [f"({action})" for action in legal["actions"]]
        assert legal["waiting"] == "noop"
    acted = play_at_random(site, alice, game)
    until(lambda: player.count("stop"), "STOP")
    assert player.faults == []
    found = send_request(site, "GET", f"/api/games/export/{game}?clocks=true")[1]
    assert found["ended"] == "rules"
    assert found["plies"] == player.count("play", game) >= 7
    assert acted == sum(each["role"] != role_of_bot(found) for each in found["times"])
    assert "instead" not in bot.output()
    # The exported steps are a match according to the rule sheet.
    text = send_request(site, "GET", f"/api/games/export/{game}/moves.kif")[1]
    rules = Interpreter(SHEET)
    state = rules.start()
    for line in text.splitlines():
        assert not rules.is_terminal(state)
        moves = dict(zip(rules.roles, map(bare, parse(line)), strict=True))
        assert all(move in rules.legal(state, role) for role, move in moves.items())
        state = rules.next(state, moves)
    assert rules.is_terminal(state)
    assert found["goals"] == {role: min(rules.goals(state, role)) for role in rules.roles}


def bare(term: Any) -> str:
    return term if isinstance(term, str) else " ".join(map(write, term))


def role_of_bot(game: dict[str, Any]) -> str:
    (role,) = (seat["role"] for seat in game["players"].values() if seat["user"]["id"] != "alice")
    return str(role)


def test_several_matches_are_played_at_once(
    site: RunningSite, alice: str, bot: Program, player: GgpPlayer
) -> None:
    slugs = ("connect-four", "nine-board-tic-tac-toe", "hex-7")
    games = [wait_for_game(site, alice, challenge(site, alice, bot, slug)) for slug in slugs]
    until(lambda: player.count("start") == 3, "three matches")
    for game in reversed(games):
        play_at_random(site, alice, game)
    until(lambda: player.count("stop") == 3, "STOP")
    assert player.faults == []
    for game in games:
        plies = send_request(site, "GET", f"/api/games/export/{game}")[1]["plies"]
        assert player.count("play", game) == plies


@pytest.mark.parametrize(
    ("slug", "clock", "status", "reason"),
    [
        ("tic-tac-toe", {}, "available", "game"),
        ("connect-four", {"clock_limit": 60, "clock_increment": 0}, "available", "clock"),
        ("connect-four", {}, "busy", "later"),
    ],
)
def test_other_challenges_are_declined(
    site: RunningSite, alice: str, bot: Program, player: GgpPlayer,
    slug: str, clock: dict[str, int], status: str, reason: str,
) -> None:  # fmt: skip
    player.status = status
    path = f"/api/challenge/{challenge(site, alice, bot, slug, **clock)}/show"
    shown = until(
        lambda: (
            (found := send_request(site, "GET", path, alice)[1])["status"] != "created" and found
        ),
        "an answer",
    )
    assert (shown["status"], shown["declineReasonKey"]) == ("declined", reason)
    assert player.count("start") == 0


@pytest.mark.parametrize("how", ["abort", "resign"])
def test_a_match_that_does_not_end_by_the_rules_is_aborted(
    site: RunningSite, alice: str, bot: Program, player: GgpPlayer, how: str
) -> None:
    game = wait_for_game(site, alice, challenge(site, alice, bot, "connect-four", color="white"))
    if how == "resign":
        assert send_move(site, alice, game, "drop 1", "?ply=0")[0] == 200
        until(lambda: player.count("play", game) == 3, "the bot's action")
    until(lambda: player.count("start", game), "START")
    assert send_request(site, "POST", f"/api/board/game/{game}/{how}", alice)[0] == 200
    until(lambda: player.count("abort", game), "ABORT")
    assert player.count("stop") == 0
    assert player.faults == []


# -- without a site: a game that is played according to the API


class _Script:
    """Stands for the site, and plays the other role at random.

    The stream skips states and repeats the first line, as after a lost connection.
    """

    clock: dict[str, int] | None = None
    left = 2**31 - 1

    def __init__(self, sheet: str, seat: int, seed: int) -> None:
        self.sheet = sheet
        self.position: Position = load_text(sheet).game.start
        self.role = self.position.roles[seat]
        self.chance = random.Random(seed)
        self.steps: list[tuple[str, str]] = []
        self.posted: list[str] = []

    @property
    def game(self) -> dict[str, Any]:
        colour = "white" if self.role == self.position.roles[0] else "black"
        return {"id": "AbC", "role": self.role, "color": colour, "variant": {"key": "race"}}

    def get_sheet(self, slug: str) -> str:
        return render_kif(self.sheet)

    def follow(self, path: str) -> Iterator[dict[str, Any]]:
        while True:
            yield {"type": "gameFull", "clock": self.clock, "state": self._state()}
            if self.position.turn in (self.role, None):
                continue
            self._play(self.chance.choice(self.position.legal()))
            if self.chance.random() < 0.5 and self.position.turn not in (self.role, None):
                self._play(self.chance.choice(self.position.legal()))
            yield self._state()

    def _state(self) -> dict[str, Any]:
        is_over = self.position.is_over
        return {
            "type": "gameState", "status": "draw" if is_over else "started",
            "wtime": self.left, "btime": self.left, "ended": "rules" if is_over else None,
            "goals": {},
        }  # fmt: skip

    def _play(self, action: str) -> None:
        self.steps.append(self.position.get_step(action))
        self.position = self.position.play(action)

    def get_text(self, path: str) -> str:
        assert path == "/api/games/export/AbC/moves.kif"
        return "".join(f"({' '.join(map(render_action, step))})\n" for step in self.steps)

    def get_json(self, path: str) -> Any:
        assert path == "/api/bot/game/AbC/legal"
        actions, turn = self.position.legal(), self.position.turn
        mover = self.position.roles.index(turn or self.role)
        steps = [[*map(render_action, self.position.get_step(each))] for each in actions]
        return {
            "ply": len(self.steps), "turn": turn, "actions": actions,
            "kif": [step[mover] for step in steps],
            "waiting": steps[0][1 - mover] if steps else None,
        }  # fmt: skip

    def ask(self, method: str, path: str, **body: str) -> None:
        where = urlsplit(path)
        action = unquote(where.path.removeprefix("/api/bot/game/AbC/move/"))
        assert (method, where.query) == ("POST", f"ply={len(self.steps)}")
        self.posted.append(action)
        self._play(action)


_CONTROL = "(<= (next (control ?p)) (other ?p ?q) (true (control ?q)))"
AGAIN = RACE.replace(
    _CONTROL,
    "(<= (next (control ?p)) (does ?p (take 1)))"
    "(<= (next (control ?p)) (other ?p ?q) (does ?q (take 2)))",
)
"""As `RACE`, but who takes one stone moves again."""
SHEETS = {
    "a race": RACE,
    "passes": PASSING,
    "the same role again": AGAIN,
    "another word for waiting": RACE.replace("noop", "(rest (a ?p))"),
    "upper case": RACE.replace("noop", "(NOOP)").replace("left", "Left"),
}


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("name", SHEETS)
def test_the_player_gets_every_step_of_any_sheet(
    name: str, seat: int, caplog: pytest.LogCaptureFixture
) -> None:
    assert AGAIN != RACE
    for seed in range(8):
        site = _Script(SHEETS[name], seat, seed)
        with GgpPlayer(random.Random(seed).choice) as player:
            BridgedMatch(site, PlayerServer(player.url), site.game).play()  # type: ignore[arg-type]
            assert player.faults == []
            assert player.count("play") == len(site.steps)
            assert player.count("stop") == 1
        assert site.position.is_over
    assert caplog.text == ""  # no answer was replaced


@pytest.mark.parametrize("answer", ["", "(take 9)", "take 1", "((take 1)", "noop", "\N{SNOWMAN}"])
def test_an_illegal_answer_is_replaced_by_the_first_action(
    answer: str, caplog: pytest.LogCaptureFixture
) -> None:
    site = _Script(RACE, 0, 1)
    with GgpPlayer(lambda legal: "noop" if legal == ["noop"] else answer) as player:
        BridgedMatch(site, PlayerServer(player.url), site.game).play()  # type: ignore[arg-type]
        assert player.faults == [] or answer == "\N{SNOWMAN}"
    assert set(site.posted) == {"take 1"}
    assert "(take 1) is played instead" in caplog.text


@pytest.mark.parametrize("answer", ["(TAKE 2)", " ( take\n2 ) ", "(take 2)\r\n"])
def test_an_answer_may_be_spelt_in_any_way(answer: str) -> None:
    site = _Script(AGAIN, 0, 1)
    with GgpPlayer(lambda legal: answer if "(take 2)" in legal else legal[0]) as player:
        BridgedMatch(site, PlayerServer(player.url), site.game).play()  # type: ignore[arg-type]
    assert site.posted[0] == "take 2"


def test_an_answer_while_waiting_must_be_the_waiting_action(
    caplog: pytest.LogCaptureFixture,
) -> None:
    site = _Script(RACE, 0, 1)
    with GgpPlayer(lambda legal: "(take 1)") as player:
        BridgedMatch(site, PlayerServer(player.url), site.game).play()  # type: ignore[arg-type]
        assert player.faults == []
    assert set(site.posted) == {"take 1"}
    assert "noop is played instead" in caplog.text


def test_a_late_answer_is_replaced_and_then_ignored(caplog: pytest.LogCaptureFixture) -> None:
    site = _Script(RACE, 0, 1)

    def choose(legal: list[str]) -> str:
        if legal != ["noop"]:
            until(lambda: site.posted, "the action that replaces the first answer")
        return legal[-1]

    site.clock = {"initial": 60_000, "increment": 2000}  # a playclock of one second
    with GgpPlayer(choose) as player:
        BridgedMatch(site, PlayerServer(player.url), site.game).play()  # type: ignore[arg-type]
        assert player.faults == []
    assert "nothing in time" in caplog.text
    assert site.posted[:2] == ["take 1", "take 2"]


def test_the_player_is_not_waited_for_until_the_match_clock_runs_out() -> None:
    waits = []

    class Noted(PlayerServer):
        def choose(self, message: str, seconds: float, allowed: Mapping[str, str]) -> str:
            waits.append((len(allowed) > 1, seconds))
            return list(allowed.values())[-1]

        def tell(self, message: str, seconds: float) -> str:
            return ""

    for left, seconds in ((600_000, 6), (9_000, 3), (2_000, 1)):
        site = _Script(AGAIN, 0, 1)
        site.clock, site.left = {"initial": 600_000, "increment": 0}, left
        waits.clear()
        BridgedMatch(site, Noted("http://player"), site.game).play()  # type: ignore[arg-type]
        assert waits[0] == (True, seconds)
        assert all(each == 6 for has_choice, each in waits[1:2])


def test_a_player_that_is_busy_with_the_match_starts_it_again() -> None:
    heard = []

    def serve(connection: socket.socket, request: str) -> None:
        heard.append(request)
        connection.sendall(OK + b"\r\nBUSY")

    site = _Script(RACE, 0, 1)
    with RawPlayer(serve) as player:
        BridgedMatch(site, PlayerServer(player.url), site.game).play()  # type: ignore[arg-type]
    assert [each.split()[0] for each in heard[:4]] == ["(START", "(ABORT", "(START", "(PLAY"]
    assert heard[0] == heard[2]
    assert heard[1] == "(ABORT race.AbC)"
    assert heard[3] == "(PLAY race.AbC nil)"


# -- pure functions, and answers that are no answers


def test_kif_is_one_line_without_comments() -> None:
    assert render_kif("; a (comment\n(role X) ; more)\r\n(<= (terminal)\n\t( not open ) )") == (
        "(role x) (<= terminal (not open))"
    )
    for path in SHIPPED.values():
        line = render_kif(path.read_text())
        assert line.isascii() and ";" not in line and "\n" not in line
        assert parse(f"({line})") == parse(f"({path.read_text()})")


def test_the_clocks_of_the_player_leave_time_on_the_match_clock() -> None:
    playable = 0
    for minutes in range(LONGEST + 1):
        for increment in range(LONGEST + 1):
            initial = 60 * minutes or increment
            start, play = choose_clocks(initial, increment)
            if initial and play:
                playable += 1
                assert start >= 1
                # Up to the second action: START, PLAY while the opponent acts at once, PLAY.
                assert start + 2 * play + 3 * GRACE <= initial
                assert start + play + 2 * GRACE < 60  # the time for the first action of a match
    assert playable > 30_000
    assert choose_clocks(60)[1] == 0
    assert choose_clocks(300) == (20, 2)
    assert choose_clocks(None) == ggp_bridge.UNTIMED


def _send(*parts: bytes, pause: float = 0) -> Callable[[socket.socket, str], None]:
    def serve(connection: socket.socket, request: str) -> None:
        for part in parts:
            connection.sendall(part)
            time.sleep(pause)

    return serve


def _be_silent(connection: socket.socket, request: str) -> None:
    connection.settimeout(20)
    connection.recv(1)  # until the client gives up


def _drip(first: bytes, byte: bytes) -> Callable[[socket.socket, str], None]:
    return _send(first, *[byte] * 200, pause=0.1)


BAD_ANSWERS: dict[str, tuple[Any, str]] = {
    "nothing": (_send(), "nothing"),
    "nothing for long": (_be_silent, "nothing in time"),
    "a body that drips": (_drip(OK + b"\r\n", b" "), "nothing in time"),
    "a status line that drips": (_drip(b"HTTP/1.0 ", b"2"), "nothing in time"),
    "headers that drip": (_drip(OK, b"A: b\r\n"), "nothing in time"),
    "more to come forever": (_drip(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), "nothing in time"),
    "10 MB": (_send(OK + b"\r\n", b"(" * 10_000_000), "more than 4,096 bytes"),
    "10 MB in one header": (_send(OK + b"A: ", b"b" * 10_000_000), "nothing: LineTooLong"),
    "10 MB of headers": (_send(OK, b"A: b\r\n" * 1_600_000), "nothing: HTTPException"),
    "a body without end": (
        _send(
            OK + b"Transfer-Encoding: chunked\r\n\r\n", *[b"1000\r\n" + b"(" * 4096 + b"\r\n"] * 99
        ),
        "more than 4,096 bytes",
    ),
    "a wrong length": (_send(OK + b"Content-Length: 99999999\r\n\r\n" + b"(" * 5000), "more than"),
    "wrong chunks": (_send(OK + b"Transfer-Encoding: chunked\r\n\r\n-1\r\nx"), "nothing"),
    "no HTTP": (_send(b"(drop 4)\r\n\r\n"), "nothing: BadStatusLine"),
    "binary": (_send(bytes(range(256)) * 40), "nothing"),
    "an error": (_send(b"HTTP/1.0 500 Oh\r\n\r\n(drop 4)"), "with the status 500"),
    "a redirect": (
        _send(b"HTTP/1.0 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n"),
        "with the status 302",
    ),
}


@pytest.mark.parametrize("name", BAD_ANSWERS)
def test_a_bad_answer_is_none_within_its_time(name: str) -> None:
    serve, sentence = BAD_ANSWERS[name]
    seconds = 0.2 if sentence == "nothing in time" else 10
    with RawPlayer(serve) as player:
        begun = time.monotonic()
        with pytest.raises(NoAnswer, match=sentence):
            PlayerServer(player.url).ask("(INFO)", seconds)
        assert time.monotonic() - begun < 10
        assert player.requests == 1


def test_a_player_that_is_not_there_is_not_available() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    assert not PlayerServer(url).is_available()
    for wrong in ("file:///etc/passwd", "https://player", "localhost:9147", ""):
        with pytest.raises(ValueError, match="http://"):
            PlayerServer(wrong)


@pytest.mark.parametrize(
    ("answer", "is_available"),
    [
        ("((name x) (status available))", True), ("( (Name x) (Status Busy) )", False),
        ("busy", False), ("ready", True), ("", True), ("((name busybee) (status available))", True),
    ],
)  # fmt: skip
def test_info_says_whether_the_player_is_available(answer: str, is_available: bool) -> None:
    with RawPlayer(_send(OK + b"\r\n" + answer.encode())) as player:
        assert PlayerServer(player.url).is_available() == is_available


def test_what_the_player_says_cannot_write_to_the_terminal(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with RawPlayer(_send(OK + b"\r\n\x1b]0;x\x07\x1b[2J" + b"x" * 1000)) as player:
        assert PlayerServer(player.url).choose("(PLAY m nil)", 5, {"noop": "x"}) == "x"
        assert PlayerServer(player.url).is_available()
    assert "\x1b" not in caplog.text and "\x07" not in caplog.text
    assert max(len(record.getMessage()) for record in caplog.records) < 400


# -- the site is away


def test_a_stream_that_breaks_is_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ggp_bridge, "PAUSE", 0.01)
    ok = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    answers = iter(
        [
            b"HTTP/1.0 503 Busy\r\nRetry-After: 0\r\n\r\n",
            ok + b'8\r\n{"a": 1}\r\n1\r\n\n\r\n1\r\n\n\r\n5\r\n{"a":',  # in the middle of a line
            b"",
            ok + b'9\r\n{"a": 2}\n\r\n0\r\n\r\n',  # a server that stops ends its streams
            ok + b'9\r\n{"a": 3}\n\r\n',
            b"HTTP/1.0 401 No\r\n\r\n",
        ]
    )
    with RawPlayer(lambda connection, _: connection.sendall(next(answers))) as server:
        lines = Site(server.url, "prl_x").follow("/api/stream/event")
        assert [next(lines)["a"] for _ in range(3)] == [1, 2, 3]
        with pytest.raises(RequestRefused, match="/api/stream/event"):
            next(lines)
        assert server.requests == 6


def test_a_match_that_is_hidden_is_aborted() -> None:
    site = _Script(RACE, 0, 1)

    def refuse(path: str) -> str:
        raise RequestRefused("not-found")

    site.get_text = refuse  # type: ignore[method-assign]
    with GgpPlayer() as player:
        with pytest.raises(RequestRefused):
            BridgedMatch(site, PlayerServer(player.url), site.game).play()  # type: ignore[arg-type]
        assert [each.split()[0] for each in player.heard] == ["start", "abort"]
        assert player.faults == []


def test_the_program_needs_nothing() -> None:
    text = (ROOT / "lobby/api/ggp_bridge.py").read_text()
    imported = set(re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE))
    assert imported <= sys.stdlib_module_names
