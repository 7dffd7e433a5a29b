"""Playing an action: what is stored, what is refused, how much time it costs."""

from datetime import timedelta

from msgspec.structs import replace

from games.match.commands import OfferDraw, Play
from games.match.state import BOTH
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


def test_an_action_is_stored_as_a_move_and_the_match_goes_on() -> None:
    before, now = create_state(), START + 5 * SECOND
    change = apply_command(before, ALICE, Play(0, "mark 2 2"), now)
    match, move = change.state, change.move
    assert (match.ply, match.version, match.last, match.turn) == (1, 1, "mark 2 2", "oplayer")
    assert (match.started_at, match.acted_at, match.acted) == (now, now, 1)
    assert match.position.diagram == "....x...."
    assert move is not None
    assert (move.match_id, move.ply, move.role) == ("match", 0, "xplayer")
    assert (move.action, move.at, move.spent_ms) == ("mark 2 2", now, 5000)
    assert not change.rematch
    assert change.refusal is None
    again = apply_command(match, BOB, Play(1, "mark 1 1"), now + SECOND).state
    assert (again.acted, again.started_at, again.version) == (BOTH, now, 2)


def test_what_cannot_be_played_is_refused_by_its_reason() -> None:
    match = play_actions(create_state(), "mark 2 2")
    assert get_refusal(match, CHARLIE, Play(1, "mark 1 1")) == "not-a-player"
    assert get_refusal(match, None, Play(1, "mark 1 1")) == "not-a-player"
    assert get_refusal(match, ALICE, Play(1, "mark 1 1")) == "not-your-turn"
    assert get_refusal(match, BOB, Play(0, "mark 1 1")) == "stale"
    assert get_refusal(match, BOB, Play(2, "mark 1 1")) == "stale"
    assert get_refusal(match, BOB, Play(1, "mark 2 2")) == "illegal-action"
    assert get_refusal(match, BOB, Play(1, "noop")) == "illegal-action"
    over = replace(match, status="over", ended="time")
    assert get_refusal(over, BOB, Play(1, "mark 1 1")) == "not-live"


def test_a_waiting_roles_noop_changes_nothing() -> None:
    match = create_state()
    assert apply_command(match, BOB, Play(0, "noop")).state is match


def test_an_action_sent_again_changes_nothing_even_once_the_match_is_over() -> None:
    match = play_actions(create_state(), "mark 2 2")

    def recorded(ply: int) -> tuple[str, str] | None:
        return ("xplayer", "mark 2 2") if ply == 0 else None

    for state in (match, replace(match, status="over", ended="time")):
        change = apply_command(state, ALICE, Play(0, "mark 2 2"), recorded=recorded)
        assert change.state is state
        assert change.move is None
    assert get_refusal(match, ALICE, Play(0, "mark 1 1")) == "stale"


def test_the_last_action_ends_the_match_with_its_goals() -> None:
    match = play_actions(create_state(), "mark 1 1", "mark 2 1", "mark 1 2", "mark 2 2", "mark 1 3")
    assert (match.status, match.ended, match.first_goal, match.second_goal) == (
        "over",
        "rules",
        100,
        0,
    )
    assert (match.ended_at, match.ended_by, match.deadline, match.turn) == (START, 0, None, None)


def test_to_act_is_to_decline_the_others_offer_and_keeps_ones_own() -> None:
    match = replace(create_state("dots-and-boxes"), ply=20)
    offered = apply_command(match, ALICE, OfferDraw()).state
    mine = apply_command(offered, ALICE, Play(20, "draw 1 1 1 2")).state
    assert mine.draw_by == 0
    assert apply_command(mine, BOB, Play(21, "draw 2 1 2 2")).state.draw_by is None


def test_a_timed_action_costs_what_passed_and_gains_the_increment_once() -> None:
    match = create_state(clock="1+2")
    assert (match.first_ms, match.second_ms) == (60_000, 60_000)
    assert match.deadline == START + timedelta(minutes=1)
    match = apply_command(match, ALICE, Play(0, "mark 2 2"), START + 10 * SECOND).state
    assert (match.first_ms, match.second_ms) == (52_000, 60_000)
    assert match.deadline == START + 70 * SECOND
    match = apply_command(match, BOB, Play(1, "mark 1 1"), START + 15 * SECOND).state
    assert (match.first_ms, match.second_ms) == (52_000, 57_000)
    assert match.deadline == START + 67 * SECOND


def test_the_first_action_of_all_is_never_too_late() -> None:
    match = create_state(clock="0+5")
    match = apply_command(match, ALICE, Play(0, "mark 2 2"), START + 30 * SECOND).state
    assert match.is_live
    assert match.first_ms == 5000


def test_a_first_action_costs_no_more_than_there_is() -> None:
    match = apply_command(
        create_state(clock="1+0"), ALICE, Play(0, "mark 2 2"), START + 4 * SECOND
    ).state
    assert match.first_ms == 56_000


def test_an_action_that_comes_too_late_loses_on_time_and_is_refused() -> None:
    match = apply_command(create_state(clock="0+5"), ALICE, Play(0, "mark 2 2"), START).state
    change = apply_command(match, BOB, Play(1, "mark 1 1"), START + 6 * SECOND)
    assert change.refusal is not None
    assert change.refusal.code == "not-live"
    assert change.move is None
    late = change.state
    assert (late.status, late.ended, late.goals) == ("over", "time", {"xplayer": 100, "oplayer": 0})
    assert (late.second_ms, late.first_ms, late.ply) == (0, match.first_ms, 1)
    on_time = apply_command(match, BOB, Play(1, "mark 1 1"), START + 5 * SECOND).state
    assert on_time.is_live
    assert on_time.second_ms == 5000


def test_the_networks_delay_is_given_back_up_to_its_bounds() -> None:
    match = apply_command(create_state(clock="1+0"), ALICE, Play(0, "mark 2 2"), START).state
    fair = apply_command(match, BOB, Play(1, "mark 1 1"), START + SECOND, lag_ms=200).state
    assert (fair.second_ms, fair.second_lag_ms, fair.first_lag_ms) == (59_200, 140, None)
    much = apply_command(match, BOB, Play(1, "mark 1 1"), START + SECOND, lag_ms=9000).state
    assert much.second_ms == 59_300  # no more than `Limits.lag_ms`
    used_up = replace(match, second_lag_ms=2000)
    none = apply_command(used_up, BOB, Play(1, "mark 1 1"), START + SECOND, lag_ms=200).state
    assert (none.second_ms, none.second_lag_ms) == (59_060, 2000)  # what one action refills


def test_in_an_untimed_match_the_delay_is_for_the_record_alone() -> None:
    change = apply_command(create_state(), ALICE, Play(0, "mark 2 2"), START + SECOND, lag_ms=100)
    assert change.move is not None
    assert change.move.spent_ms == 900
    assert change.state.first_lag_ms is None


def test_the_computer_is_called_when_its_turn_comes_and_not_before() -> None:
    match = create_state(levels=(None, 3))
    assert match.bot_at is None
    match = apply_command(match, ALICE, Play(0, "mark 2 2"), START + SECOND).state
    assert match.bot_at == START + SECOND
    match = apply_command(match, BOB, Play(1, "mark 1 1"), START + 2 * SECOND).state
    assert match.bot_at is None
    first = create_state(levels=(3, None))
    assert first.bot_at == START
    six = apply_command(
        create_state("six-in-a-row", levels=(3, None)), ALICE, Play(0, "place 1 1"), START
    )
    assert six.state.bot_at == START  # it is its turn again
