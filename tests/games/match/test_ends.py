"""Ends that the rules do not know, draws, rematches and decisions, as functions of values."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from games.match.commands import (
    Abort,
    AcceptDraw,
    Adjudicate,
    ClaimAbandoned,
    ClaimTime,
    Command,
    DeclineDraw,
    OfferDraw,
    Rematch,
    Resign,
    Restore,
    Resume,
    Sweep,
    Void,
    WithdrawRematch,
)
from games.match.conduct import may
from games.match.offers import DRAW_FROM_PLY
from games.match.state import MatchState
from tests.builders.match_states import (
    ALICE,
    BOB,
    CHARLIE,
    DAY,
    SECOND,
    START,
    apply_command,
    create_state,
    get_refusal,
    play_actions,
)


def result(state: MatchState) -> tuple[str, str, int | None, int | None, int | None]:
    return state.status, state.ended, state.first_goal, state.second_goal, state.ended_by


def over() -> MatchState:
    return apply_command(play_actions(create_state(), "mark 1 1", "mark 2 2"), BOB, Resign()).state


def test_who_resigns_loses_and_it_is_known_who_ended_it() -> None:
    state = apply_command(create_state(), ALICE, Resign(), START + SECOND).state
    assert result(state) == ("over", "resignation", 0, 100, 0)
    assert (state.ended_at, state.version) == (START + SECOND, 1)
    assert result(apply_command(create_state(), BOB, Resign()).state) == (
        "over",
        "resignation",
        100,
        0,
        1,
    )


@pytest.mark.parametrize(
    "command",
    [Resign(), Abort(), OfferDraw(), AcceptDraw(), DeclineDraw(), ClaimTime(), ClaimAbandoned()],
    ids=lambda command: type(command).__name__,
)
def test_nothing_is_done_in_a_match_that_is_over_nor_by_an_outsider(command: Command) -> None:
    assert get_refusal(over(), ALICE, command) == "not-live"
    assert get_refusal(create_state(), CHARLIE, command) == "not-a-player"


def test_a_match_is_cancelled_until_both_have_acted() -> None:
    state = play_actions(create_state(), "mark 1 1")
    assert result(apply_command(state, BOB, Abort()).state) == ("aborted", "aborted", 0, 0, 1)
    assert get_refusal(play_actions(state, "mark 2 2"), BOB, Abort()) == "not-allowed"


# -- draws


def late(clock: str = "") -> MatchState:
    return replace(create_state("dots-and-boxes", clock), ply=DRAW_FROM_PLY, acted=3)


def test_a_draw_is_offered_on_ones_turn_once_and_agreed_on() -> None:
    assert get_refusal(replace(late(), ply=DRAW_FROM_PLY - 1), ALICE, OfferDraw()) == "not-allowed"
    assert get_refusal(late(), BOB, OfferDraw()) == "not-allowed"
    assert get_refusal(late(), BOB, AcceptDraw()) == "not-allowed"
    offered = apply_command(late(), ALICE, OfferDraw()).state
    assert (offered.draw_by, offered.draw_ply) == (0, DRAW_FROM_PLY)
    assert apply_command(offered, ALICE, OfferDraw()).state is offered
    assert get_refusal(offered, ALICE, AcceptDraw()) == "not-allowed"
    assert get_refusal(offered, ALICE, DeclineDraw()) == "not-allowed"
    agreed = ("over", "agreement", 50, 50, 1)
    assert result(apply_command(offered, BOB, AcceptDraw()).state) == agreed
    assert result(apply_command(offered, BOB, OfferDraw()).state) == agreed
    assert apply_command(offered, BOB, AcceptDraw()).state.draw_by is None
    declined = apply_command(offered, BOB, DeclineDraw()).state
    assert declined.draw_by is None
    assert get_refusal(declined, ALICE, OfferDraw()) == "not-allowed"  # once at each ply


def test_the_computer_is_offered_no_draw() -> None:
    assert get_refusal(replace(late(), second_level=1), ALICE, OfferDraw()) == "not-allowed"


def test_the_buttons_are_what_may_be_sent() -> None:
    assert may(create_state(), 0) == ["resign", "abort"]
    assert may(late(), 0) == ["resign", "offer-draw"]
    assert may(late(), 1) == ["resign"]
    offered = apply_command(late(), ALICE, OfferDraw()).state
    assert may(offered, 0) == ["resign"]
    assert may(offered, 1) == ["resign", "accept-draw", "decline-draw"]
    assert may(over(), 0) == ["rematch"]
    assert may(replace(over(), rematch_id="next"), 0) == []
    assert may(apply_command(create_state(), ALICE, Abort()).state, 0) == []


# -- time and absence


def timed() -> MatchState:
    """Alice has acted immediately; bob has five seconds."""
    return play_actions(create_state(clock="0+5"), "mark 1 1")


def test_the_others_time_is_claimed_once_no_delay_can_excuse_it() -> None:
    state, flag = timed(), START + 5.3 * SECOND
    assert get_refusal(state, ALICE, ClaimTime(), flag - timedelta(milliseconds=1)) == "not-allowed"
    assert get_refusal(state, BOB, ClaimTime(), flag) == "not-allowed"
    claimed = apply_command(state, ALICE, ClaimTime(), flag).state
    assert result(claimed) == ("over", "time", 100, 0, 0)
    assert (claimed.first_ms, claimed.second_ms) == (state.first_ms, 0)
    answered = play_actions(state, "mark 2 2")
    claimed = apply_command(answered, BOB, ClaimTime(), START + DAY).state
    assert result(claimed) == ("over", "time", 0, 100, 1)
    assert (claimed.first_ms, claimed.second_ms) == (0, answered.second_ms)
    assert get_refusal(create_state(), BOB, ClaimTime(), flag) == "not-allowed"  # untimed


def test_the_referee_ends_what_is_due_and_nothing_else() -> None:
    state = timed()
    assert apply_command(state, None, Sweep(), START + 5 * SECOND).state is state
    assert result(apply_command(state, None, Sweep(), START + 6 * SECOND).state)[:4] == (
        "over",
        "time",
        100,
        0,
    )
    idle = create_state(clock="0+5")
    assert apply_command(idle, None, Sweep(), START + 59 * SECOND).state is idle
    aborted = apply_command(idle, None, Sweep(), START + 60 * SECOND).state
    assert result(aborted) == ("aborted", "aborted", 0, 0, None)
    ended = over()
    assert apply_command(ended, None, Sweep(), START + 100 * DAY).state is ended


def test_a_match_whose_other_player_left_is_claimed_and_later_swept() -> None:
    state, now = play_actions(create_state(), "mark 1 1", "mark 2 2", "mark 3 3"), START + 30 * DAY
    gone = (now, now - 7 * DAY)
    claimed = apply_command(state, ALICE, ClaimAbandoned(), now, seen=gone).state
    assert result(claimed) == ("over", "abandoned", 100, 0, 0)
    assert get_refusal(state, ALICE, ClaimAbandoned(), now) == "not-allowed"
    almost = (now, now - 21 * DAY + SECOND)
    assert apply_command(state, None, Sweep(), now, seen=almost).state is state
    swept = apply_command(state, None, Sweep(), now, seen=(now, now - 21 * DAY)).state
    assert result(swept) == ("over", "abandoned", 100, 0, None)
    both = (now - 21 * DAY, now - 21 * DAY)
    assert result(apply_command(state, None, Sweep(), now, seen=both).state)[:4] == (
        "over",
        "abandoned",
        50,
        50,
    )
    assert result(apply_command(create_state(), None, Sweep(), now, seen=both).state)[1:4] == (
        "aborted",
        0,
        0,
    )


def test_the_computer_never_leaves() -> None:
    state, now = create_state(levels=(None, 3)), START + 30 * DAY
    assert apply_command(state, None, Sweep(), now, seen=(now, START)).state is state


def test_an_outage_is_given_back_once() -> None:
    state = timed()
    outage = Resume(4, START + 2 * SECOND, START + 12 * SECOND)
    resumed = apply_command(state, None, outage).state
    assert (resumed.acted_at, resumed.outage) == (START + 10 * SECOND, 4)
    assert resumed.deadline == START + 15 * SECOND
    assert apply_command(resumed, None, outage).state is resumed
    for other in (create_state(), over()):
        assert apply_command(other, None, outage).state is other


# -- rematches


def test_a_rematch_is_asked_for_withdrawn_and_agreed_on() -> None:
    state = over()
    assert get_refusal(create_state(), ALICE, Rematch()) == "not-allowed"
    asked = apply_command(state, ALICE, Rematch()).state
    assert asked.rematch_by == 0
    assert apply_command(asked, ALICE, Rematch()).state is asked
    assert apply_command(asked, BOB, WithdrawRematch()).state is asked
    assert apply_command(asked, ALICE, WithdrawRematch()).state.rematch_by is None
    agreed = apply_command(asked, BOB, Rematch())
    assert agreed.rematch
    assert agreed.state.version == asked.version + 1
    made = replace(asked, rematch_id="next")
    assert apply_command(made, BOB, Rematch()).state is made
    assert apply_command(made, ALICE, WithdrawRematch()).state is made
    assert apply_command(
        replace(state, second_level=2), ALICE, Rematch()
    ).rematch  # it agrees at once


# -- what staff decide


def test_a_match_is_voided_and_given_a_result_but_not_twice_the_same() -> None:
    state = over()
    void = apply_command(state, None, Void(), START + DAY).state
    assert result(void) == ("over", "voided", 0, 0, None)
    assert void.ended_at == state.ended_at
    assert get_refusal(void, None, Void()) == "not-allowed"
    given = apply_command(void, None, Adjudicate((75, 25)), START + DAY).state
    assert result(given) == ("over", "adjudicated", 75, 25, None)
    assert get_refusal(given, None, Adjudicate((75, 25))) == "not-allowed"
    live = apply_command(create_state(clock="1+0"), None, Adjudicate((0, 100)), START + DAY).state
    assert (live.ended_at, live.deadline) == (START + DAY, None)


def test_a_match_is_again_as_it_was() -> None:
    state = over()
    void = apply_command(state, None, Void()).state
    back = apply_command(
        void, None, Restore("over", "resignation", (100, 0), state.ended_at, 1)
    ).state
    assert result(back) == result(state)
    nothing = apply_command(void, None, Restore("aborted", "aborted", None, None, None)).state
    assert (nothing.status, nothing.first_goal, nothing.second_goal) == ("aborted", None, None)


def test_a_match_that_is_let_go_on_has_the_time_it_had() -> None:
    ended = apply_command(timed(), None, Adjudicate((100, 0)), START + 2 * SECOND).state
    restore, now = Restore("live", "", None, None, None), START + DAY
    on = apply_command(ended, None, restore, now).state
    assert (on.status, on.ended, on.goals, on.ended_at, on.ended_by) == (
        "live",
        "",
        None,
        None,
        None,
    )
    assert (on.acted_at, on.resumed_at) == (now, now)
    assert on.deadline == now + 5 * SECOND
    idle = apply_command(create_state(clock="0+5"), None, Void(), START).state
    assert apply_command(idle, None, restore, now).state.deadline == now + 60 * SECOND
    untimed = apply_command(create_state(), None, Void(), START).state
    assert apply_command(untimed, None, restore, now).state.deadline is None
    assert get_refusal(create_state(), None, restore) == "not-allowed"
    won = play_actions(create_state(), "mark 1 1", "mark 2 1", "mark 1 2", "mark 2 2", "mark 1 3")
    assert get_refusal(won, None, restore) == "not-allowed"
