"""The arithmetic of time limits, by properties."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.match.clock import (
    LONGEST,
    add_increment,
    compute_charge,
    get_deadline,
    parse_control,
    pause_clock,
)

START = datetime(2026, 1, 1, tzinfo=UTC)
MS = st.integers(0, 4 * 3600 * 1000)
PART = st.integers(0, LONGEST)


def at(ms: int) -> datetime:
    return START + timedelta(milliseconds=ms)


@given(PART, PART)
def test_every_control_up_to_180_and_180_is_read(minutes: int, increment: int) -> None:
    text = f"{minutes}+{increment}"
    if minutes == increment == 0:
        with pytest.raises(ValueError, match="time control"):
            parse_control(text)
        return
    control = parse_control(text)
    assert (control.minutes, control.increment) == (minutes, increment)
    assert control.initial_ms == (minutes * 60_000 or increment * 1000) > 0


@given(st.text(max_size=12))
def test_other_text_is_no_control(text: str) -> None:
    try:
        control = parse_control(text)
    except ValueError:
        return
    assert text == f"{control.minutes}+{control.increment}"


@pytest.mark.parametrize("text", ["0+0", "181+0", "0+181", "01+2", "3", "3+", "+2", "3 + 2", "٣+2"])
def test_what_cannot_be_played_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="time control"):
        parse_control(text)


@given(MS, MS)
def test_the_charge_is_what_passed_less_the_lag_and_never_negative(passed: int, lag: int) -> None:
    assert compute_charge(START, at(passed), 0) == passed
    assert compute_charge(START, at(passed), lag) == max(0, passed - lag)
    assert compute_charge(START, at(passed), -lag) == passed
    assert compute_charge(at(passed), START, lag) == 0  # a clock that was set back costs nothing


@given(MS, MS, st.integers(0, 180_000))
def test_a_clock_grows_by_its_increment_at_the_most(left: int, charge: int, increment: int) -> None:
    after = add_increment(left, charge, increment)
    if charge > left:
        assert after is None
    else:
        assert after is not None
        assert after == left - charge + increment
        assert after <= left + increment


@given(MS, MS)
def test_an_action_is_in_time_exactly_until_the_deadline(left: int, passed: int) -> None:
    due = get_deadline(START, left)
    in_time = add_increment(left, compute_charge(START, at(passed), 0), 0) is not None
    assert in_time == (at(passed) <= due)


@given(MS, MS, MS)
def test_an_outage_is_charged_to_nobody(before: int, outage: int, after: int) -> None:
    down, up = at(before), at(before + outage)
    since = pause_clock(START, down, up)
    assert compute_charge(since, up + timedelta(milliseconds=after), 0) == before + after


@given(MS, MS)
def test_who_began_to_think_within_an_outage_begins_at_its_end(since: int, more: int) -> None:
    up = at(since + more)
    assert pause_clock(at(since), START, up) == up
    assert pause_clock(up, START, at(since)) == up  # it was over before
