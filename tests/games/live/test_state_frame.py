"""The state frame of the match socket: its exact text, and what each viewer sees in it."""

import contextlib
import json
import random
import re
import time
from datetime import timedelta
from typing import Any

import pytest
from django.test import override_settings
from msgspec.structs import replace

from games.boards import BOARDS
from games.live.frames import Ping
from games.live.protocol import (
    MatchPeople,
    StateFrame,
    build_shared_state,
    build_viewer_state,
    encode_match_pong,
    encode_phrase,
)
from games.match.commands import Abort, OfferDraw, Rematch, Resign
from games.match.state import MatchState
from games.messages.refusal import Refused
from games.rules import GAMES
from tests.builders.match_states import ALICE, BOB, START, apply_command, create_state, play_actions

NAMES = ("Alice", "Bob")
AROUND = MatchPeople(NAMES)
LINE = ("mark 1 1", "mark 2 1", "mark 1 2", "mark 2 2", "mark 1 3")


def text(state: MatchState, seat: int | None = None, around: MatchPeople = AROUND) -> str:
    """The text of the frame, with 0 as its `now`."""
    seats = () if seat is None else (seat,)
    return re.sub(r'"now":[\d.]+', '"now":0', StateFrame(state, around).for_seats(seats).text)


def frame(
    state: MatchState, seat: int | None = None, around: MatchPeople = AROUND
) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text(state, seat, around))
    return found


# -- the text


def test_an_untimed_match_has_exactly_this_frame() -> None:
    state = replace(play_actions(create_state(), "mark 1 1"), version=3)
    around = MatchPeople(NAMES, (True, False), 2, epoch="e")
    assert text(state, 1, around) == (
        '{"type":"state","match":"match","game":"tic-tac-toe","ply":1,"version":3,'
        '"turn":"oplayer","diagram":"x........","last":"mark 1 1",'
        '"said":{"code":"said.action","action":"A1"},"fresh":[0],"line":[],'
        '"status":"live","ended":null,"goals":null,"verdict":null,"prompt":null,"hand":"o",'
        '"closing":[],"open":"7f8",'
        '"buttons":[],"seats":{"xplayer":{"name":"Alice","here":true,"mark":"x","score":null},'
        '"oplayer":{"name":"Bob","here":false,"mark":"o","score":null}},"draw":null,'
        '"rematch":null,"clock":null,"watchers":2,"epoch":"e","now":0,'
        '"you":"oplayer","can":["resign","abort"],"yours":["oplayer"]}'
    )


def test_a_timed_match_that_nobody_has_begun_has_exactly_this_clock() -> None:
    at = START.timestamp()
    with override_settings(LAG_ALLOWANCE_MS=250):
        assert (
            '"clock":{"control":"3+2","increment_ms":2000,'
            '"remaining_ms":{"xplayer":180000,"oplayer":180000},"running":"xplayer",'
            f'"since":{at},"deadline":{at + 60},"started":false,"lag_ms":250}}'
        ) in text(create_state(clock="3+2"))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("clock", ["", "3+2"])
def test_load_clients_find_ply_version_and_turn_side_by_side(game: str, clock: str) -> None:
    state = create_state(game, clock)
    first = state.rules.roles[0]
    pattern = rf'"ply":0,"version":{state.version},"turn":"{first}"'
    for seat in (None, 0, 1):
        assert len(re.findall(pattern, text(state, seat))) == 1
    over = apply_command(state, ALICE, Abort()).state
    assert f'"ply":0,"version":{over.version},"turn":null' in text(over)


def test_the_moment_is_now_and_a_frame_is_made_once() -> None:
    before = time.time()
    made = StateFrame(create_state(), AROUND)
    assert before <= json.loads(made.for_seats(()).text)["now"] <= time.time()
    assert made.for_seats((0,)) is made.for_seats((0,))
    assert made.for_seats((0,)) is not made.for_seats((1,))


def test_a_frame_holds_the_whole_of_both_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 1234.5)
    whole = StateFrame(create_state(), AROUND).for_seats(()).text
    assert whole.startswith('{"type":"state","match":')
    assert whole.endswith(',"epoch":"","now":1234.5,"you":null,"can":[],"yours":[]}')


# -- what is shown of the match


def test_a_match_that_is_over_shows_its_end_and_nothing_to_act_on() -> None:
    shown = build_shared_state(play_actions(create_state(), *LINE), AROUND)
    assert (shown.turn, shown.status, shown.ended) == (None, "over", "rules")
    assert shown.goals == {"xplayer": 100, "oplayer": 0}
    assert shown.verdict is not None
    assert (shown.verdict.code, shown.verdict.winner) == ("tic-tac-toe.line", "xplayer")
    assert (shown.open, shown.buttons, shown.line) == ("", [], (0, 1, 2))


def test_an_opening_asks_for_its_steps_and_has_its_buttons_until_it_is_over() -> None:
    placed = play_actions(create_state("six-in-a-row"), "place 1 1", "place 2 2", "place 3 3")
    shown = build_shared_state(placed, AROUND)
    assert shown.prompt is not None
    buttons = [button.action for button in BOARDS["six-in-a-row"].buttons]
    assert shown.buttons == [action for action in buttons if action in placed.position.legal()]
    assert shown.buttons
    assert build_shared_state(create_state(), AROUND).buttons == []
    over = build_shared_state(apply_command(placed, ALICE, Resign()).state, AROUND)
    assert (over.prompt, over.buttons, over.open) == (None, [], "")


@pytest.mark.parametrize("part", ["first_ms", "clock"])
def test_half_a_clock_is_no_clock(part: str) -> None:
    state = replace(create_state(clock="3+2"), **{part: None if part == "first_ms" else ""})
    assert build_shared_state(state, AROUND).clock is None


def test_nothing_was_played_at_first() -> None:
    shown = build_shared_state(create_state(), AROUND)
    assert (shown.last, shown.said, shown.fresh, shown.open) == (None, None, (), "ff8")


def test_a_game_that_counts_shows_what_each_has_gained() -> None:
    state = play_actions(
        create_state("dots-and-boxes"),
        "draw 1 1 1 2",
        "draw 1 1 2 1",
        "draw 2 1 2 2",
        "draw 1 2 2 2",
    )
    first, second = state.rules.roles
    seats = build_shared_state(state, AROUND).seats
    assert (seats[first].score, seats[second].score) == (0, 1)


def test_the_clock_runs_for_the_role_in_control_and_not_once_it_is_over() -> None:
    state = create_state(clock="3+2")
    later = play_actions(state, "mark 1 1", now=START + timedelta(seconds=5))
    clock = build_shared_state(later, AROUND).clock
    assert clock is not None
    assert (clock.running, clock.started) == ("oplayer", True)
    assert clock.since == START.timestamp() + 5
    assert clock.remaining_ms == {"xplayer": 177_000, "oplayer": 180_000}
    over = build_shared_state(apply_command(later, BOB, Resign()).state, AROUND).clock
    assert over is not None
    assert (over.running, over.deadline) == (None, None)


def test_an_offer_of_a_draw_is_shown_by_its_role() -> None:
    state = replace(create_state("six-in-a-row"), ply=20, acted=3)
    offered = apply_command(state, ALICE, OfferDraw()).state
    assert frame(offered)["draw"] == state.rules.roles[0]
    assert "offer-draw" in frame(state, 0)["can"]
    assert "offer-draw" not in frame(state, 1)["can"]
    assert {"accept-draw", "decline-draw"} <= set(frame(offered, 1)["can"])
    assert frame(offered, 0)["can"] == ["resign"]


def test_a_rematch_is_shown_by_who_asked_and_where_it_is() -> None:
    over = apply_command(create_state(), ALICE, Resign()).state
    assert frame(over)["rematch"] is None
    asked = apply_command(over, BOB, Rematch()).state
    assert frame(asked)["rematch"] == {"by": "oplayer", "match": None, "url": None}
    begun_again = replace(asked, rematch_id="next")
    assert frame(begun_again)["rematch"] == {
        "by": "oplayer", "match": "next", "url": "/match/next/",
    }  # fmt: skip
    assert frame(replace(over, rematch_id="next"))["rematch"]["by"] is None


# -- what is a viewer's own


def test_a_watcher_has_no_role_and_may_send_nothing() -> None:
    own = build_viewer_state(
        create_state(), (), MatchPeople(NAMES, abandoned=(True, True), stalled=(True, True))
    )
    assert (own.you, own.can) == (None, [])


@pytest.mark.parametrize("seat", [0, 1])
def test_who_was_left_alone_may_claim_the_match_and_the_other_may_not(seat: int) -> None:
    state = play_actions(create_state(), "mark 1 1", "mark 2 1")
    gone = (seat == 1, seat == 0)
    for part, claim in (("abandoned", "claim-abandoned"), ("stalled", "claim-stalled")):
        around = MatchPeople(NAMES, **{part: gone})  # type: ignore[arg-type]
        assert build_viewer_state(state, (seat,), around).can == ["resign", claim]
        assert build_viewer_state(state, (1 - seat,), around).can == ["resign"]
    both = MatchPeople(NAMES, abandoned=gone, stalled=gone)
    assert build_viewer_state(state, (seat,), both).can == ["resign", "claim-abandoned"]


def test_a_match_that_is_over_cannot_be_claimed() -> None:
    over = apply_command(create_state(), ALICE, Resign()).state
    around = MatchPeople(NAMES, abandoned=(True, True), stalled=(True, True))
    assert build_viewer_state(over, (0,), around).can == ["rematch"]


# -- the match socket's other frames


def test_a_pong_at_a_match_has_the_state_that_the_server_has() -> None:
    state = replace(play_actions(create_state(), "mark 1 1"), version=5)
    found = encode_match_pong(Ping("t"), state, "e", "m")
    assert re.sub(r'"now":[\d.]+', '"now":0', found) == (
        '{"type":"pong","t":"t","now":0,"ply":1,"mark":"m","version":5,"epoch":"e"}'
    )
    assert '"mark":null' in encode_match_pong(Ping(1), state, "", None)


def test_a_phrase_is_told_with_its_role() -> None:
    assert encode_phrase(create_state(), 1, "good-luck") == (
        '{"type":"phrase","role":"oplayer","phrase":"good-luck",'
        '"words":{"code":"phrase.good-luck"}}'
    )


def test_only_the_opponent_of_an_absent_player_reads_when_the_match_can_be_claimed() -> None:
    state = create_state()
    absent = MatchPeople(NAMES, (True, False), abandoned_at=(None, 1234.5))
    assert frame(state, 0, absent)["claim_at"] == 1234.5
    for seat in (1, None):
        assert "claim_at" not in frame(state, seat, absent)
    assert "claim_at" not in frame(state, 0, MatchPeople(NAMES, (True, True)))


# -- patches


def merged(base: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    """The state of a client that merges a patch."""
    assert patch["type"] == "patch" and patch["from"] == base["version"]
    return {**base, **{key: each for key, each in patch.items() if key not in {"type", "from"}}}


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("seats", [(), (0,), (1,), (0, 1)])
def test_patches_lead_to_the_same_state_as_whole_frames(slug: str, seats: tuple[int, ...]) -> None:
    chance = random.Random(slug)
    state = create_state(slug, clock="3+2")
    arounds = [
        MatchPeople(NAMES, (True, True), 2, epoch="e"),
        MatchPeople(("Alice", "Robert"), (True, False), 3, epoch="e", abandoned_at=(None, 7.0)),
        MatchPeople(NAMES, (False, True), 2, epoch="e", hidden=(True, False)),
    ]
    shown = StateFrame(state, arounds[0])
    known = json.loads(shown.for_seats(seats).text)
    commands = [OfferDraw(), Resign(), Rematch()]
    while state.is_live or commands:
        if state.is_live and (len(commands) < 3 or state.ply < 12):
            try:
                state = play_actions(state, chance.choice(state.position.legal()))
            except Refused:
                state = apply_command(state, ALICE, commands.pop(0)).state
        else:
            with contextlib.suppress(Refused):
                state = apply_command(state, ALICE, commands.pop(0)).state
        newer = StateFrame(state, chance.choice(arounds))
        known = merged(known, json.loads(newer.since(shown, seats).text))
        whole = json.loads(newer.for_seats(seats).text)
        gone = {key for key, each in known.items() if each is None} - whole.keys()
        assert {key: each for key, each in known.items() if key not in gone} == whole
        shown = newer


def test_a_move_in_a_patch_has_only_what_has_changed() -> None:
    around = MatchPeople(NAMES, (True, True), 2, epoch="e")
    before = play_actions(create_state("tic-tac-toe"), "mark 1 1", "mark 2 2")
    after = replace(play_actions(before, "mark 3 3"), version=before.version + 1)
    patch = StateFrame(after, around).since(StateFrame(before, around), (0,))
    assert json.loads(patch.text).keys() == {
        *("type", "from", "version", "now", "ply", "turn", "diagram", "last", "said", "fresh"),
        *("hand", "open"),
    }


def test_a_name_that_is_no_longer_hidden_is_sent_to_everybody_who_did_not_see_it() -> None:
    state = create_state()
    before, after = (
        StateFrame(state, MatchPeople(NAMES, epoch="e", hidden=hidden))
        for hidden in ((True, True), (False, False))
    )
    for seats in ((), (0,), (1,), (0, 1)):
        known = json.loads(before.for_seats(seats).text)
        known = merged(known, json.loads(after.since(before, seats).text))
        assert known == json.loads(after.for_seats(seats).text), seats


def test_another_epoch_is_shown_whole() -> None:
    state = create_state()
    one, other = (StateFrame(state, MatchPeople(NAMES, epoch=epoch)) for epoch in "ab")
    assert other.since(one, ()).text == other.for_seats(()).text
