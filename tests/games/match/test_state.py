"""The state of a match: what can be read from it, even if somebody damaged it."""

from dataclasses import replace as with_parts

import pytest
from msgspec.structs import replace

from games.boards import BOARDS
from games.match.commands import Adjudicate, ClaimAbandoned, Play, Resign, Resume
from games.match.outcome import Outcome, get_outcome
from tests.builders.match_states import (
    ALICE,
    BOB,
    CHARLIE,
    DAY,
    SECOND,
    START,
    apply_command,
    create_state,
    play_actions,
)


def test_a_player_has_a_seat_and_a_role_and_nobody_else_has() -> None:
    state = create_state()
    assert [state.seat_of(who) for who in (ALICE, BOB, CHARLIE, None)] == [0, 1, None, None]
    assert [state.role_of(who) for who in (ALICE, BOB, CHARLIE, None)] == [
        "xplayer", "oplayer", None, None,
    ]  # fmt: skip


def test_a_match_is_readable_if_its_game_position_and_clock_are() -> None:
    assert create_state().is_readable is True
    assert create_state(clock="3+2").is_readable is True
    assert replace(create_state(), notation="nonsense").is_readable is False
    assert replace(create_state(), clock="nonsense").is_readable is False
    assert replace(create_state(), game="chess").is_readable is False


def test_a_game_that_the_site_does_not_have_is_unknown() -> None:
    assert create_state().game_is_unknown is False
    assert replace(create_state(), game="chess").game_is_unknown is True


@pytest.mark.parametrize("part", ["first_ms", "second_ms"])
def test_a_clock_without_the_time_of_both_seats_is_none(part: str) -> None:
    state = replace(create_state(clock="3+2"), **{part: None})
    assert state.left_ms is None
    after = apply_command(state, ALICE, Play(0, "mark 1 1"), START + 5 * SECOND).state
    assert (after.ply, after.left_ms, after.deadline) == (1, None, state.deadline)


def test_goals_need_those_of_both_seats() -> None:
    over = apply_command(create_state(), ALICE, Resign()).state
    assert over.goals == {"xplayer": 0, "oplayer": 100}
    assert replace(over, first_goal=None).goals is None
    assert replace(over, second_goal=None).goals is None


def test_whoever_has_no_time_left_has_none_to_act() -> None:
    state = replace(create_state(clock="3+0"), second_ms=0)
    assert apply_command(state, ALICE, Play(0, "mark 1 1"), START).state.deadline == START


def test_either_player_may_claim_a_match_that_the_other_left() -> None:
    state = play_actions(create_state(), "mark 1 1", "mark 2 1")
    now = START + 8 * DAY
    for who, seen, goals in (
        (ALICE, (now, START), (100, 0)),
        (BOB, (START, now), (0, 100)),
    ):
        over = apply_command(state, who, ClaimAbandoned(), now, seen=seen).state
        assert (over.ended, (over.first_goal, over.second_goal)) == ("abandoned", goals)


def test_a_result_may_be_stated_again_by_another_end_or_with_other_goals() -> None:
    over = apply_command(create_state(), ALICE, Resign()).state
    same = apply_command(over, None, Adjudicate((0, 100)), START + SECOND).state
    assert (same.ended, same.first_goal, same.second_goal) == ("adjudicated", 0, 100)
    assert same.ended_at == over.ended_at
    other = apply_command(same, None, Adjudicate((50, 50)), START + SECOND).state
    assert (other.ended, other.first_goal, other.second_goal) == ("adjudicated", 50, 50)


def test_the_computer_that_was_called_is_not_called_again_after_an_outage() -> None:
    state = play_actions(
        create_state(clock="3+2", levels=(None, 3)), "mark 1 1", now=START + SECOND
    )
    resume = Resume(1, START + 2 * SECOND, START + 9 * SECOND)
    after = apply_command(state, None, resume, START + 10 * SECOND).state
    assert state.deadline is not None and after.deadline == state.deadline + 7 * SECOND
    assert after.bot_at == state.bot_at == START + SECOND


def test_a_game_with_neither_a_sentence_nor_points_has_just_a_winner(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bare = with_parts(BOARDS["tic-tac-toe"], result=lambda position: "")
    monkeypatch.setattr("games.match.outcome.BOARDS", {"tic-tac-toe": bare})
    state = play_actions(create_state(), "mark 1 1", "mark 2 1", "mark 1 2", "mark 2 2", "mark 1 3")
    assert get_outcome(state) == Outcome("end.rules", "xplayer")


def test_the_computer_sits_in_either_seat_or_in_none() -> None:
    assert create_state(levels=(3, None)).has_computer
    assert create_state(levels=(None, 3)).has_computer
    assert not create_state().has_computer
