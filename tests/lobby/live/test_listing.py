"""The contents of the lobby, in full and as changes."""

import json
from collections.abc import Callable
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from games.live.frames import encode_text
from games.rules import GAMES
from lobby.live.listing import (
    LobbySnapshot,
    build_changes_frame,
    build_lobby_frame,
    list_board_changes,
)
from lobby.live.live_matches import PlayedMatch, choose_matches
from lobby.live.protocol import ListedMatch, ListedSeek
from lobby.live.thumbnails import Thumbnail
from tests.builders.sites import Person, Site, pair

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def match(name: str, began: float, acted: float, is_people: bool = True) -> dict[str, PlayedMatch]:
    """Return a match that began, and had its last action, this many seconds ago."""
    made, played = NOW - timedelta(seconds=began), NOW - timedelta(seconds=acted)
    return {name: PlayedMatch(made, played, is_people)}


def test_a_match_keeps_its_place_while_it_is_played() -> None:
    known = {
        **match("mine", 300, 20),
        **match("resting", 900, 100),
        **match("livelier", 300, 1),
        **match("liveliest", 300, 0),
    }
    assert choose_matches(["mine", "resting"], known, NOW, 2) == ["mine", "liveliest"]
    assert choose_matches([], known, NOW, 2) == ["liveliest", "livelier"]


def test_a_match_that_has_just_begun_is_shown_first_and_three_at_the_most_push_others_out() -> None:
    known: dict[str, PlayedMatch] = {}
    for i in range(10):
        known |= match(f"new{i}", i / 10, i / 10)
    before = [f"shown{i}" for i in range(5)]
    for name in before:
        known |= match(name, 100, 1)
    assert choose_matches(before, known, NOW, 5) == ["new0", "new1", "new2", "shown0", "shown1"]


def test_a_match_that_is_over_gives_its_place_away() -> None:
    known = match("left", 300, 30)
    assert choose_matches(["over", "left"], known, NOW, 5) == ["left"]


def apply(frame: dict[str, Any], lobby: dict[str, dict[str, Any]]) -> None:
    """Apply a frame of changes as a page does (static/js/lobby/lobby.js, matches.js)."""
    for name, gone, key in (("seeks", "gone", "seek"), ("matches", "over", "match")):
        for pk in frame.get(gone, ()):
            del lobby[name][pk]
        for entry in frame.get(name, ()):
            lobby[name][entry[key]] = entry
    for pk in frame.get("over", ()):
        lobby["boards"].pop(pk, None)
    for drawing in frame.get("boards", ()):
        start = GAMES[lobby["matches"][drawing["match"]]["game"]].start.diagram
        board = lobby["boards"].setdefault(drawing["match"], {"marks": list(start), "line": []})
        for index, mark in drawing["marks"].items():
            board["marks"][int(index)] = mark
        board.update({k: v for k, v in drawing.items() if k not in {"marks", "match"}})
    for count in ("online", "playing", "seeking"):
        if count in frame:
            lobby["counts"][count] = frame[count]


def lobby_of(frame: dict[str, Any]) -> dict[str, dict[str, Any]]:
    lobby: dict[str, dict[str, Any]] = {"seeks": {}, "matches": {}, "boards": {}, "counts": {}}
    apply(frame, lobby)
    return lobby


def test_the_changes_make_the_lobby_that_somebody_who_comes_now_is_shown(
    site: Site, alice_online: Person, bob_online: Person, charlie_online: Person
) -> None:
    def shown() -> dict[str, dict[str, Any]]:
        with charlie_online.socket("/ws/lobby/?shows=changes") as fresh:
            return lobby_of(fresh.next("lobby"))

    with charlie_online.socket("/ws/lobby/?shows=changes") as socket:
        first = socket.next("lobby")
        assert first["boards"] == [] or first["matches"]
        seen = lobby_of(first)

        def follow(until: Callable[[], object]) -> None:
            while not until():
                frame = socket.frame()
                assert frame["type"] == "changes"
                assert len(frame) > 1, "a frame that tells of nothing"
                before = deepcopy(seen)
                apply(frame, seen)
                assert seen != before, f"a frame without news: {frame}"

        def listed(seek: str) -> Callable[[], bool]:
            return lambda: seek in seen["seeks"]

        with alice_online.lobby() as a:
            for clock in ("1+0", "3+2"):
                a.send("seek", game="six-in-a-row", clock=clock)
                seek = a.next("seeking")["seek"]
            follow(listed(seek))
            a.send("cancel", seek=seek)
            follow(lambda: seek not in seen["seeks"])
        match_id, roles = pair(alice_online, bob_online, "dots-and-boxes")
        follow(lambda: match_id in seen["matches"] and match_id in seen["boards"])
        with roles["xplayer"].match(match_id) as x:
            x.next("state")
            x.play("draw 1 1 1 2")
            follow(lambda: "-" in seen["boards"][match_id]["marks"])
            follow(lambda: not seen["seeks"])  # the seeks of players in a match have ended
            # A page that opens now may know one change more, which then arrives here.
            follow(lambda: shown() == seen)
            x.send("abort")
            follow(lambda: match_id not in seen["matches"])
        follow(lambda: seen["counts"]["online"] == 0)
        follow(lambda: shown() == seen)


def test_a_frame_of_changes_is_small_and_empty_without_changes() -> None:
    start = GAMES["six-in-a-row"].start.diagram
    seeks = {f"seek{i}": ListedSeek(f"seek{i}", "six-in-a-row", None, "A B", 0) for i in range(50)}
    board = Thumbnail(start, (), (), "player1", {})
    matches = {"m": ListedMatch("m", "six-in-a-row", None, {})}
    before = LobbySnapshot(seeks, matches, {"m": board}, 5, 1, 50)
    assert encode_text(build_changes_frame(before, before)) == '{"type":"changes"}'
    moved = replace(board, diagram="b" + start[1:], fresh=(0,), turn="player2")
    after = LobbySnapshot(seeks, matches, {"m": moved}, 6, 1, 50)
    assert json.loads(encode_text(build_changes_frame(before, after))) == {
        "type": "changes",
        "online": 6,
        "boards": [{"match": "m", "marks": {"0": "b"}, "fresh": [0], "turn": "player2"}],
    }
    assert "diagram" not in encode_text(build_lobby_frame(after))
    assert [drawing.marks for drawing in list_board_changes(after)] == [{0: "b"}]


@pytest.mark.parametrize("shows", ["", "?shows=lobby", "?shows=nonsense", "?shows=%ff", "?x"])
def test_other_clients_get_the_whole_lobby_each_time(
    site: Site, alice_online: Person, charlie_online: Person, shows: str
) -> None:
    with charlie_online.socket(f"/ws/lobby/{shows}") as socket, alice_online.lobby() as a:
        socket.next("lobby")
        a.send("seek", game="tic-tac-toe", clock=None)
        seek = a.next("seeking")["seek"]
        seeks: list[str] = []
        while seek not in seeks:
            frame = socket.frame()
            assert frame["type"] == "lobby"
            assert {"seeks", "matches", "online"} <= frame.keys()
            seeks = [entry["seek"] for entry in frame["seeks"]]
        a.send("cancel")
        a.next("cancelled")
