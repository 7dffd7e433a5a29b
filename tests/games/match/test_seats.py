"""Two people at one screen: which seat a command comes from, and what they may do."""

import pytest

from games.match.commands import (
    Abort,
    AcceptDraw,
    ClaimStalled,
    ClaimTime,
    Command,
    DeclineDraw,
    OfferDraw,
    Play,
    Rematch,
    Resign,
)
from games.match.conduct import apply_command, list_allowed, seat_in_hand
from games.match.offers import DRAW_FROM_PLY
from games.match.state import Change, Context, MatchState
from games.messages.refusal import Refused
from tests.builders.match_states import (
    ALICE,
    BOB,
    CHARLIE,
    DAY,
    LIMITS,
    SECOND,
    START,
    create_state,
    play_actions,
)

BOTH = (0, 1)
WON = ("mark 1 1", "mark 2 1", "mark 1 2", "mark 2 2", "mark 1 3")


def done(state: MatchState, command: Command, *moves: tuple[str, str], days: int = 0) -> Change:
    """Alice acts, beside whom Bob sits; `moves` are what was recorded."""
    now = START + days * DAY
    recorded = dict(enumerate(moves))
    context = Context(now, LIMITS, recorded.get, lambda: (now, now))
    return apply_command(state, ALICE, command, context, (ALICE, BOB))


def long_game() -> MatchState:
    """So many boxes of dots drawn that a draw may be offered; nobody has closed one."""
    state, ply = create_state("dots-and-boxes"), 0
    while state.ply < DRAW_FROM_PLY:
        state = play_actions(state, state.position.legal()[0])
        ply += 1
    return state


def test_each_action_is_of_the_role_in_control() -> None:
    state = create_state()
    for action in WON:
        turn = state.turn
        change = done(state, Play(state.ply, action))
        assert change.move is not None
        assert change.move.role == turn
        state = change.state
    assert (state.status, state.goals) == ("over", {"xplayer": 100, "oplayer": 0})


def test_an_action_that_is_sent_again_by_either_changes_nothing() -> None:
    moves = (("xplayer", WON[0]), ("oplayer", WON[1]))
    state = play_actions(create_state(), WON[0], WON[1])
    for ply, (_, action) in enumerate(moves):
        assert done(state, Play(ply, action), *moves).state is state
        with pytest.raises(Refused, match="stale"):
            done(state, Play(ply, "mark 3 3"), *moves)


def test_nobody_else_acts_for_who_sits_beside() -> None:
    context = Context(START, LIMITS, lambda ply: None, lambda: (START, START))
    for who, acts_for in ((CHARLIE, ()), (CHARLIE, (CHARLIE,)), (None, (ALICE, BOB))):
        with pytest.raises(Refused, match="not-a-player"):
            apply_command(create_state(), who, Play(0, "mark 1 1"), context, acts_for)
    with pytest.raises(Refused, match="not-your-turn"):
        apply_command(create_state(), BOB, Play(0, "mark 1 1"), context, (BOB,))


def test_who_is_to_move_resigns() -> None:
    over = done(play_actions(create_state(), WON[0]), Resign()).state
    assert (over.ended, over.first_goal, over.ended_by) == ("resignation", 100, 1)
    over = done(play_actions(create_state(), WON[0], WON[1]), Resign()).state
    assert (over.ended, over.first_goal, over.ended_by) == ("resignation", 0, 0)


def test_an_offer_is_answered_by_the_other() -> None:
    state = long_game()
    seat = seat_in_hand(state, BOTH)
    assert "offer-draw" in list_allowed(state, BOTH)
    offered = done(state, OfferDraw()).state
    assert offered.draw_by == seat
    assert list_allowed(offered, BOTH) == ["resign", "accept-draw", "decline-draw"]
    declined = done(offered, DeclineDraw()).state
    assert (declined.status, declined.draw_by) == ("live", None)
    drawn = done(offered, AcceptDraw()).state
    assert (drawn.ended, drawn.first_goal, drawn.second_goal) == ("agreement", 50, 50)


def test_a_rematch_needs_one_click() -> None:
    over = play_actions(create_state(), *WON)
    assert list_allowed(over, BOTH) == ["rematch"]
    assert done(over, Rematch()).rematch
    with pytest.raises(Refused, match="not-allowed"):
        done(create_state(), Rematch())
    with pytest.raises(Refused, match="not-allowed"):
        done(done(create_state(), Abort()).state, Rematch())


def test_nobody_claims_against_who_sits_beside() -> None:
    state = play_actions(create_state(clock="3+2"), *WON[:2], now=START + SECOND)
    with pytest.raises(Refused, match="not-allowed"):
        done(state, ClaimTime(), days=1)
    with pytest.raises(Refused, match="not-allowed"):
        done(play_actions(create_state(), *WON[:2]), ClaimStalled(), days=9)


def test_the_seat_in_hand() -> None:
    state = create_state()
    assert [seat_in_hand(state, seats) for seats in ((), (0,), (1,), BOTH)] == [None, 0, 1, 0]
    state = play_actions(state, WON[0])
    assert [seat_in_hand(state, seats) for seats in ((), (0,), (1,), BOTH)] == [None, 0, 1, 1]
    over = play_actions(create_state(), *WON)
    assert [seat_in_hand(over, seats) for seats in ((), (0,), (1,), BOTH)] == [None, 0, 1, None]
    assert list_allowed(over, ()) == []
