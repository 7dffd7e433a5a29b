"""Matches that belong to an event: half of the time for more points, and an end when it is over."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from games.match.commands import Berserk, Resign, Settle
from games.match.conduct import may
from games.match.outcome import Outcome, outcome
from games.match.state import MatchState
from tests.games.match.values import (
    ALICE,
    BOB,
    CHARLIE,
    SECOND,
    START,
    begun,
    changed,
    played,
    refusal,
)


def arranged(clock: str = "1+2", berserk: int | None = 0) -> MatchState:
    return replace(begun(clock=clock), arranged=True, berserk=berserk)


def test_half_of_ones_time_is_given_away_once_and_before_ones_first_action() -> None:
    state = arranged()
    assert "berserk" in may(state, 0) and "berserk" in may(state, 1)
    mine = changed(state, ALICE, Berserk()).state
    assert (mine.first_ms, mine.second_ms, mine.berserk) == (30_000, 60_000, 0b01)
    assert mine.deadline == state.deadline  # nobody's time is running
    assert "berserk" not in may(mine, 0) and "berserk" in may(mine, 1)
    assert changed(mine, ALICE, Berserk()).state is mine
    both = changed(mine, BOB, Berserk()).state
    assert (both.first_ms, both.second_ms, both.berserk) == (30_000, 30_000, 0b11)
    # A repeat changes nothing, even once one has acted; who has not given it yet no longer may.
    acted = played(mine, "mark 1 1")
    assert changed(acted, ALICE, Berserk()).state is acted
    assert refusal(played(state, "mark 1 1"), ALICE, Berserk()) == "not-allowed"
    assert refusal(state, CHARLIE, Berserk()) == "not-a-player"


def test_who_gives_it_away_while_it_runs_has_less_time_to_act() -> None:
    state = played(arranged(), "mark 1 1")
    assert state.deadline == START + timedelta(minutes=1)
    after = changed(state, BOB, Berserk(), START + 29 * SECOND).state
    assert (after.second_ms, after.deadline) == (30_000, START + 30 * SECOND)
    assert refusal(state, BOB, Berserk(), START + 30 * SECOND) == "not-allowed"


@pytest.mark.parametrize(
    "state", [arranged(berserk=None), arranged(clock=""), begun(clock="1+2")], ids=str
)
def test_it_is_not_given_away_where_that_is_not_played_for(state: MatchState) -> None:
    assert "berserk" not in may(state, 0)
    assert refusal(state, ALICE, Berserk()) == "not-allowed"


def resigned() -> MatchState:
    return changed(arranged(), ALICE, Resign()).state


def test_nor_once_the_match_is_over() -> None:
    over = resigned()
    assert "berserk" not in may(over, 1)
    assert refusal(over, BOB, Berserk()) == "not-live"


@pytest.mark.parametrize(
    ("goals", "winner", "role"), [((100, 0), 0, "xplayer"), ((0, 100), 1, "oplayer")]
)
def test_an_event_that_is_over_settles_its_match(
    goals: tuple[int, int], winner: int, role: str
) -> None:
    over = changed(played(arranged(), "mark 1 1", "mark 2 2"), None, Settle(goals)).state
    assert (over.status, over.ended, over.ended_by) == ("over", "adjudicated", winner)
    assert (over.first_goal, over.second_goal) == goals
    found = outcome(over)
    assert found is not None and (found.code, found.winner) == ("end.settled", role)


def test_a_match_to_which_somebody_has_not_come_is_cancelled() -> None:
    over = changed(played(arranged(), "mark 1 1"), None, Settle(None)).state
    assert (over.status, over.first_goal, over.second_goal) == ("aborted", 0, 0)
    assert outcome(over) == Outcome("end.not-come")
    both_came = played(arranged(), "mark 1 1", "mark 2 2")
    assert refusal(both_came, None, Settle(None)) == "not-allowed"


def test_no_other_match_is_settled_so() -> None:
    assert refusal(begun(), None, Settle((100, 0))) == "not-allowed"
    assert refusal(resigned(), None, Settle((100, 0))) == "not-live"
