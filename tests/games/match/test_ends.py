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
from games.match.draws import DRAW_FROM_PLY
from games.match.state import Row
from tests.games.match.values import (
    ALICE,
    BOB,
    CHARLIE,
    DAY,
    SECOND,
    START,
    begun,
    changed,
    played,
    refusal,
)


def result(row: Row) -> tuple[str, str, int | None, int | None, int | None]:
    return row.status, row.ended, row.first_goal, row.second_goal, row.ended_by


def over() -> Row:
    return changed(played(begun(), "mark 1 1", "mark 2 2"), BOB, Resign()).row


def test_who_resigns_loses_and_it_is_known_who_ended_it() -> None:
    row = changed(begun(), ALICE, Resign(), START + SECOND).row
    assert result(row) == ("over", "resignation", 0, 100, 0)
    assert (row.ended_at, row.version) == (START + SECOND, 1)
    assert result(changed(begun(), BOB, Resign()).row) == ("over", "resignation", 100, 0, 1)


@pytest.mark.parametrize(
    "command",
    [Resign(), Abort(), OfferDraw(), AcceptDraw(), DeclineDraw(), ClaimTime(), ClaimAbandoned()],
    ids=lambda command: type(command).__name__,
)
def test_nothing_is_done_in_a_match_that_is_over_nor_by_an_outsider(command: Command) -> None:
    assert refusal(over(), ALICE, command) == "not-live"
    assert refusal(begun(), CHARLIE, command) == "not-a-player"


def test_a_match_is_cancelled_until_both_have_acted() -> None:
    row = played(begun(), "mark 1 1")
    assert result(changed(row, BOB, Abort()).row) == ("aborted", "aborted", 0, 0, 1)
    assert refusal(played(row, "mark 2 2"), BOB, Abort()) == "not-allowed"


# -- draws


def late(clock: str = "") -> Row:
    return replace(begun("dots-and-boxes", clock), ply=DRAW_FROM_PLY, acted=3)


def test_a_draw_is_offered_on_ones_turn_once_and_agreed_on() -> None:
    assert refusal(replace(late(), ply=DRAW_FROM_PLY - 1), ALICE, OfferDraw()) == "not-allowed"
    assert refusal(late(), BOB, OfferDraw()) == "not-allowed"
    assert refusal(late(), BOB, AcceptDraw()) == "not-allowed"
    offered = changed(late(), ALICE, OfferDraw()).row
    assert (offered.draw_by, offered.draw_ply) == (0, DRAW_FROM_PLY)
    assert changed(offered, ALICE, OfferDraw()).row is offered
    assert refusal(offered, ALICE, AcceptDraw()) == "not-allowed"
    assert refusal(offered, ALICE, DeclineDraw()) == "not-allowed"
    agreed = ("over", "agreement", 50, 50, 1)
    assert result(changed(offered, BOB, AcceptDraw()).row) == agreed
    assert result(changed(offered, BOB, OfferDraw()).row) == agreed
    assert changed(offered, BOB, AcceptDraw()).row.draw_by is None
    declined = changed(offered, BOB, DeclineDraw()).row
    assert declined.draw_by is None
    assert refusal(declined, ALICE, OfferDraw()) == "not-allowed"  # once at each ply


def test_the_computer_is_offered_no_draw() -> None:
    assert refusal(replace(late(), second_level=1), ALICE, OfferDraw()) == "not-allowed"


def test_the_buttons_are_what_may_be_sent() -> None:
    assert may(begun(), 0) == ["resign", "abort"]
    assert may(late(), 0) == ["resign", "offer-draw"]
    assert may(late(), 1) == ["resign"]
    offered = changed(late(), ALICE, OfferDraw()).row
    assert may(offered, 0) == ["resign"]
    assert may(offered, 1) == ["resign", "accept-draw", "decline-draw"]
    assert may(over(), 0) == ["rematch"]
    assert may(replace(over(), rematch_id="next"), 0) == []
    assert may(changed(begun(), ALICE, Abort()).row, 0) == []


# -- time and absence


def timed() -> Row:
    """Alice has acted at once; bob has five seconds."""
    return played(begun(clock="0+5"), "mark 1 1")


def test_the_others_time_is_claimed_once_no_delay_can_excuse_it() -> None:
    row, flag = timed(), START + 5.3 * SECOND
    assert refusal(row, ALICE, ClaimTime(), flag - timedelta(milliseconds=1)) == "not-allowed"
    assert refusal(row, BOB, ClaimTime(), flag) == "not-allowed"
    claimed = changed(row, ALICE, ClaimTime(), flag).row
    assert result(claimed) == ("over", "time", 100, 0, 0)
    assert (claimed.first_ms, claimed.second_ms) == (row.first_ms, 0)
    assert refusal(begun(), BOB, ClaimTime(), flag) == "not-allowed"  # untimed


def test_the_referee_ends_what_is_due_and_nothing_else() -> None:
    row = timed()
    assert changed(row, None, Sweep(), START + 5 * SECOND).row is row
    assert result(changed(row, None, Sweep(), START + 6 * SECOND).row)[:4] == (
        "over",
        "time",
        100,
        0,
    )
    idle = begun(clock="0+5")
    assert changed(idle, None, Sweep(), START + 59 * SECOND).row is idle
    aborted = changed(idle, None, Sweep(), START + 60 * SECOND).row
    assert result(aborted) == ("aborted", "aborted", 0, 0, None)
    ended = over()
    assert changed(ended, None, Sweep(), START + 100 * DAY).row is ended


def test_a_match_whose_other_player_left_is_claimed_and_later_swept() -> None:
    row, now = played(begun(), "mark 1 1", "mark 2 2", "mark 3 3"), START + 30 * DAY
    gone = (now, now - 7 * DAY)
    claimed = changed(row, ALICE, ClaimAbandoned(), now, seen=gone).row
    assert result(claimed) == ("over", "abandoned", 100, 0, 0)
    assert refusal(row, ALICE, ClaimAbandoned(), now) == "not-allowed"
    almost = (now, now - 21 * DAY + SECOND)
    assert changed(row, None, Sweep(), now, seen=almost).row is row
    swept = changed(row, None, Sweep(), now, seen=(now, now - 21 * DAY)).row
    assert result(swept) == ("over", "abandoned", 100, 0, None)
    both = (now - 21 * DAY, now - 21 * DAY)
    assert result(changed(row, None, Sweep(), now, seen=both).row)[:4] == (
        "over",
        "abandoned",
        50,
        50,
    )
    assert result(changed(begun(), None, Sweep(), now, seen=both).row)[1:4] == ("aborted", 0, 0)


def test_the_computer_never_leaves() -> None:
    row, now = begun(levels=(None, 3)), START + 30 * DAY
    assert changed(row, None, Sweep(), now, seen=(now, START)).row is row


def test_an_outage_is_given_back_once() -> None:
    row = timed()
    outage = Resume(4, START + 2 * SECOND, START + 12 * SECOND)
    resumed = changed(row, None, outage).row
    assert (resumed.acted_at, resumed.outage) == (START + 10 * SECOND, 4)
    assert resumed.deadline == START + 15 * SECOND
    assert changed(resumed, None, outage).row is resumed
    for other in (begun(), over()):
        assert changed(other, None, outage).row is other


# -- rematches


def test_a_rematch_is_asked_for_withdrawn_and_agreed_on() -> None:
    row = over()
    assert refusal(begun(), ALICE, Rematch()) == "not-allowed"
    asked = changed(row, ALICE, Rematch()).row
    assert asked.rematch_by == 0
    assert changed(asked, ALICE, Rematch()).row is asked
    assert changed(asked, BOB, WithdrawRematch()).row is asked
    assert changed(asked, ALICE, WithdrawRematch()).row.rematch_by is None
    agreed = changed(asked, BOB, Rematch())
    assert agreed.rematch
    assert agreed.row.version == asked.version + 1
    made = replace(asked, rematch_id="next")
    assert changed(made, BOB, Rematch()).row is made
    assert changed(made, ALICE, WithdrawRematch()).row is made
    assert changed(replace(row, second_level=2), ALICE, Rematch()).rematch  # it agrees at once


# -- what staff decide


def test_a_match_is_voided_and_given_a_result_but_not_twice_the_same() -> None:
    row = over()
    void = changed(row, None, Void(), START + DAY).row
    assert result(void) == ("over", "voided", 0, 0, None)
    assert void.ended_at == row.ended_at
    assert refusal(void, None, Void()) == "not-allowed"
    given = changed(void, None, Adjudicate((75, 25)), START + DAY).row
    assert result(given) == ("over", "adjudicated", 75, 25, None)
    assert refusal(given, None, Adjudicate((75, 25))) == "not-allowed"
    live = changed(begun(clock="1+0"), None, Adjudicate((0, 100)), START + DAY).row
    assert (live.ended_at, live.deadline) == (START + DAY, None)


def test_a_match_is_again_as_it_was() -> None:
    row = over()
    void = changed(row, None, Void()).row
    back = changed(void, None, Restore("over", "resignation", (100, 0), row.ended_at, 1)).row
    assert result(back) == result(row)
    nothing = changed(void, None, Restore("aborted", "aborted", None, None, None)).row
    assert (nothing.status, nothing.first_goal, nothing.second_goal) == ("aborted", None, None)


def test_a_match_that_is_let_go_on_has_the_time_it_had() -> None:
    ended = changed(timed(), None, Adjudicate((100, 0)), START + 2 * SECOND).row
    restore, now = Restore("live", "", None, None, None), START + DAY
    on = changed(ended, None, restore, now).row
    assert (on.status, on.ended, on.goals, on.ended_at, on.ended_by) == (
        "live",
        "",
        None,
        None,
        None,
    )
    assert (on.acted_at, on.resumed_at) == (now, now)
    assert on.deadline == now + 5 * SECOND
    idle = changed(begun(clock="0+5"), None, Void(), START).row
    assert changed(idle, None, restore, now).row.deadline == now + 60 * SECOND
    untimed = changed(begun(), None, Void(), START).row
    assert changed(untimed, None, restore, now).row.deadline is None
    assert refusal(begun(), None, restore) == "not-allowed"
    won = played(begun(), "mark 1 1", "mark 2 1", "mark 1 2", "mark 2 2", "mark 1 3")
    assert refusal(won, None, restore) == "not-allowed"
