"""Time-dependent parts of a match, as pure functions, so that the tests need not wait."""

import random
from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from games.match.clock import return_time
from games.match.commands import ClaimStalled, Play, Sweep
from games.match.state import MatchState
from tests.builders.match_states import (
    ALICE,
    BOB,
    CHARLIE,
    DAY,
    LIMITS,
    START,
    advance,
    create_state,
    get_refusal,
)


def refused(state: MatchState, who: int, now: datetime, **more: datetime) -> str:
    return get_refusal(state, who, ClaimStalled(), now, **more)


# -- who keeps a match waiting


def waiting_for_bob() -> MatchState:
    return advance(create_state(), ALICE, Play(0, "mark 1 1"), START)


def test_a_match_whose_other_player_does_not_act_can_be_claimed_after_three_days() -> None:
    state = waiting_for_bob()
    assert refused(state, ALICE, START + 3 * DAY - timedelta(seconds=1)) == "not-allowed"
    over = advance(state, ALICE, ClaimStalled(), START + 3 * DAY)
    assert (over.status, over.ended, over.first_goal, over.second_goal) == (
        "over", "abandoned", 100, 0,
    )  # fmt: skip
    assert over.ended_by == 0


def test_who_acts_has_not_stalled() -> None:
    state = advance(waiting_for_bob(), BOB, Play(1, "mark 2 2"), START + 2 * DAY)
    assert refused(state, ALICE, START + 6 * DAY) == "not-allowed"  # it is her own turn
    assert refused(state, BOB, START + 4 * DAY) == "not-allowed"
    assert advance(state, BOB, ClaimStalled(), START + 5 * DAY).goals == {
        "xplayer": 0,
        "oplayer": 100,
    }


def test_nobody_claims_by_their_own_waiting_nor_does_an_outsider() -> None:
    state = waiting_for_bob()
    assert refused(state, BOB, START + 30 * DAY) == "not-allowed"
    assert refused(state, CHARLIE, START + 30 * DAY) == "not-a-player"


def test_a_timed_match_is_not_claimed_so() -> None:
    state = advance(create_state(clock="180+180"), ALICE, Play(0, "mark 1 1"), START)
    assert refused(state, ALICE, START + 30 * DAY) == "not-allowed"


def test_the_computer_never_keeps_a_match_waiting() -> None:
    state = replace(waiting_for_bob(), second_level=3)
    assert refused(state, ALICE, START + 30 * DAY) == "not-allowed"


def test_a_match_that_is_over_is_not_claimed() -> None:
    state = replace(waiting_for_bob(), status="over", ended="resignation", ended_at=START)
    assert refused(state, ALICE, START + 30 * DAY) == "not-live"


def test_after_an_outage_there_is_some_time_to_act() -> None:
    state, now = waiting_for_bob(), START + 10 * DAY
    assert refused(state, ALICE, now, up=now - timedelta(hours=7)) == "not-allowed"
    assert not advance(state, ALICE, ClaimStalled(), now, up=now - timedelta(hours=8)).is_live


def test_the_referee_leaves_a_match_to_the_one_who_waits_and_is_there() -> None:
    state, now = waiting_for_bob(), START + 100 * DAY
    assert advance(state, None, Sweep(), now).is_live


def test_who_kept_a_match_waiting_does_not_win_it_because_the_other_went() -> None:
    state, now = waiting_for_bob(), START + 100 * DAY
    over = advance(state, None, Sweep(), now, seen=(now - 22 * DAY, now))
    assert (over.status, over.first_goal, over.second_goal) == ("aborted", 0, 0)
    both = advance(state, BOB, Play(1, "mark 2 2"), START)
    over = advance(both, None, Sweep(), now, seen=(now, now - 22 * DAY))  # alice keeps it waiting
    assert (over.ended, over.first_goal, over.second_goal) == ("abandoned", 50, 50)
    over = advance(both, None, Sweep(), now, seen=(now - 22 * DAY, now))  # bob waited, and is there
    assert (over.ended, over.first_goal, over.second_goal) == ("abandoned", 0, 100)


def test_the_referee_waits_three_times_as_long_before_it_calls_somebody_stalled() -> None:
    state = advance(waiting_for_bob(), BOB, Play(1, "mark 2 2"), START)
    state = advance(state, ALICE, Play(2, "mark 3 3"), START)
    for wait, goals in ((9 * DAY - timedelta(seconds=1), (0, 100)), (9 * DAY, (50, 50))):
        now = START + wait
        over = advance(state, None, Sweep(), now, seen=(now - 22 * DAY, now))  # alice has gone
        assert (over.first_goal, over.second_goal) == goals


# -- the delay of the network


def lagging(moves: int, thought_ms: int, lag_ms: int, clock: str = "1+0") -> tuple[int, MatchState]:
    """Both play so many moves. Gives the ms that the first was charged, and the match state."""
    state, now, chance = create_state("six-in-a-row", clock), START, random.Random(1)
    start = state.first_ms or 0
    mine = 0
    while mine < moves:
        turn = state.position.turn
        who = state.rules.roles.index(turn or "")
        took = thought_ms if who == 0 else 10
        now += timedelta(milliseconds=took)
        action = chance.choice(state.position.actions())
        state = advance(
            state, (ALICE, BOB)[who], Play(state.ply, action), now, lag_ms=lag_ms if who == 0 else 0
        )
        assert state.is_live
        mine += who == 0
    return start - (state.first_ms or 0), state


def test_who_fakes_a_delay_gains_little_in_a_whole_match() -> None:
    """Once, a player who faked 0.3 s a move was charged nearly nothing of ten seconds."""
    charged, state = lagging(moves=34, thought_ms=303, lag_ms=300)
    assert 34 * 303 - charged <= LIMITS.lag_budget_ms + 34 * LIMITS.lag_refill_ms
    assert charged > 34 * 303 / 2
    assert state.second_lag_ms in {None, 0}


def test_an_ordinary_delay_is_given_back_whole_however_long_the_match() -> None:
    charged, _ = lagging(moves=60, thought_ms=500, lag_ms=60)
    assert charged == 60 * 440


def test_with_a_long_delay_a_fast_match_can_be_played() -> None:
    charged, _ = lagging(moves=14, thought_ms=400, lag_ms=200)
    assert charged == 14 * 200  # for so many moves it costs nothing
    charged, _ = lagging(moves=40, thought_ms=400, lag_ms=200)
    assert charged < 40 * 200 + 4000  # in a match of a minute, at most four seconds more


def test_in_an_untimed_match_nobody_counts() -> None:
    state = advance(
        create_state(), ALICE, Play(0, "mark 1 1"), START + timedelta(seconds=1), lag_ms=300
    )
    assert (state.first_lag_ms, state.second_lag_ms) == (None, None)


@given(
    st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 1000)), max_size=60),
    st.integers(0, 5000),
    st.integers(0, 300),
)
def test_never_more_is_given_back_than_the_budget_and_its_refills(
    actions: list[tuple[int, int]], budget: int, refill: int
) -> None:
    used = total = 0
    for passed, lag in actions:
        back, used = return_time(passed, lag, used, budget, refill)
        assert 0 <= back <= min(passed, lag)
        assert 0 <= used <= budget
        total += back
    assert total <= budget + refill * len(actions)
