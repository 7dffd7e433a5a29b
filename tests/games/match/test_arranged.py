"""Matches that belong to an event: half of the time for more points, and an end when it is over."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from games.match.commands import Berserk, Resign, Settle
from games.match.conduct import may
from games.match.outcome import Outcome, get_outcome
from games.match.state import MatchState
from tests.builders.match_states import (
    ALICE,
    BOB,
    CHARLIE,
    SECOND,
    START,
    apply_command,
    create_state,
    get_refusal,
    play_actions,
)


def arranged(clock: str = "1+2", berserk: int | None = 0) -> MatchState:
    return replace(create_state(clock=clock), arranged=True, berserk=berserk)


def test_half_of_ones_time_is_given_away_once_and_before_ones_first_action() -> None:
    state = arranged()
    assert "berserk" in may(state, 0) and "berserk" in may(state, 1)
    mine = apply_command(state, ALICE, Berserk()).state
    assert (mine.first_ms, mine.second_ms, mine.berserk) == (30_000, 60_000, 0b01)
    assert mine.deadline == state.deadline  # nobody's time is running
    assert "berserk" not in may(mine, 0) and "berserk" in may(mine, 1)
    assert apply_command(mine, ALICE, Berserk()).state is mine
    both = apply_command(mine, BOB, Berserk()).state
    assert (both.first_ms, both.second_ms, both.berserk) == (30_000, 30_000, 0b11)
    # A repeat changes nothing, even after an action; afterwards a new request is refused.
    acted = play_actions(mine, "mark 1 1")
    assert apply_command(acted, ALICE, Berserk()).state is acted
    assert get_refusal(play_actions(state, "mark 1 1"), ALICE, Berserk()) == "not-allowed"
    assert get_refusal(state, CHARLIE, Berserk()) == "not-a-player"


def test_who_gives_it_away_while_it_runs_has_less_time_to_act() -> None:
    state = play_actions(arranged(), "mark 1 1")
    assert state.deadline == START + timedelta(minutes=1)
    after = apply_command(state, BOB, Berserk(), START + 29 * SECOND).state
    assert (after.second_ms, after.deadline) == (30_000, START + 30 * SECOND)
    assert get_refusal(state, BOB, Berserk(), START + 30 * SECOND) == "not-allowed"


@pytest.mark.parametrize(
    "state", [arranged(berserk=None), arranged(clock=""), create_state(clock="1+2")], ids=str
)
def test_it_is_not_given_away_where_that_is_not_played_for(state: MatchState) -> None:
    assert "berserk" not in may(state, 0)
    assert get_refusal(state, ALICE, Berserk()) == "not-allowed"


def resigned() -> MatchState:
    return apply_command(arranged(), ALICE, Resign()).state


def test_nor_once_the_match_is_over() -> None:
    over = resigned()
    assert "berserk" not in may(over, 1)
    assert get_refusal(over, BOB, Berserk()) == "not-live"


@pytest.mark.parametrize(
    ("goals", "winner", "role"), [((100, 0), 0, "xplayer"), ((0, 100), 1, "oplayer")]
)
def test_an_event_that_is_over_settles_its_match(
    goals: tuple[int, int], winner: int, role: str
) -> None:
    over = apply_command(
        play_actions(arranged(), "mark 1 1", "mark 2 2"), None, Settle(goals)
    ).state
    assert (over.status, over.ended, over.ended_by) == ("over", "adjudicated", winner)
    assert (over.first_goal, over.second_goal) == goals
    found = get_outcome(over)
    assert found is not None and (found.code, found.winner) == ("end.settled", role)


def test_a_match_to_which_somebody_has_not_come_is_cancelled() -> None:
    over = apply_command(play_actions(arranged(), "mark 1 1"), None, Settle(None)).state
    assert (over.status, over.first_goal, over.second_goal) == ("aborted", 0, 0)
    assert get_outcome(over) == Outcome("end.not-come")
    both_came = play_actions(arranged(), "mark 1 1", "mark 2 2")
    assert get_refusal(both_came, None, Settle(None)) == "not-allowed"


def test_no_other_match_is_settled_so() -> None:
    assert get_refusal(create_state(), None, Settle((100, 0))) == "not-allowed"
    assert get_refusal(resigned(), None, Settle((100, 0))) == "not-live"
