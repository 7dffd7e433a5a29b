"""The arithmetic of clocks."""

from datetime import UTC, datetime, timedelta

import pytest

from games.match.clock import (
    LONGEST,
    TimeControl,
    add_increment,
    compute_charge,
    describe_clock,
    get_deadline,
    parse_control,
    pause_clock,
    return_time,
    spell_out_clock,
)
from games.messages import render_english

START = datetime(2026, 1, 1, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def test_a_control_is_minutes_and_seconds() -> None:
    assert parse_control("3+2") == TimeControl(3, 2)
    assert (TimeControl(3, 2).initial_ms, TimeControl(3, 2).increment_ms) == (180_000, 2000)
    assert TimeControl(0, 5).initial_ms == 5000
    assert parse_control(f"{LONGEST}+{LONGEST}") == TimeControl(LONGEST, LONGEST)
    assert parse_control("0+1") == TimeControl(0, 1)
    assert parse_control("1+0") == TimeControl(1, 0)


@pytest.mark.parametrize(
    "text",
    ["", "3", "0+0", "03+2", "3+02", "3 + 2", "-1+2", "181+0", "0+181", "3+2 ", "٣+2", "x+y"],
)
def test_what_is_no_control_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"no time control: .*minutes"):
        parse_control(text)


def test_what_passed_is_charged_less_the_delay() -> None:
    assert compute_charge(START, START + SECOND, 0) == 1000
    assert compute_charge(START, START + SECOND, 300) == 700
    assert compute_charge(START, START + SECOND, 3000) == 0
    assert compute_charge(START, START + SECOND, -500) == 1000
    assert compute_charge(START + SECOND, START, 0) == 0


def test_a_delay_is_given_back_until_the_budget_is_used_up() -> None:
    assert return_time(1000, 60, 0, 2000, 60) == (60, 0)
    assert return_time(1000, 200, 0, 2000, 60) == (200, 140)
    assert return_time(100, 200, 0, 2000, 60) == (100, 40)
    assert return_time(1000, 200, 2000, 2000, 60) == (60, 2000)
    assert return_time(1000, 200, 1900, 2000, 60) == (160, 2000)
    assert return_time(1000, 0, 500, 2000, 60) == (0, 440)
    assert return_time(1000, -5, 0, 2000, 60) == (0, 0)


def test_the_increment_is_added_once_and_what_is_too_late_is_none() -> None:
    assert add_increment(5000, 3000, 2000) == 4000
    assert add_increment(5000, 5000, 2000) == 2000
    assert add_increment(5000, 5001, 2000) is None


def test_an_outage_moves_the_moment_on_by_what_it_took() -> None:
    assert get_deadline(START, 1500) == START + 1.5 * SECOND
    assert pause_clock(START, START + SECOND, START + 3 * SECOND) == START + 2 * SECOND
    assert pause_clock(START + 2 * SECOND, START, START + 3 * SECOND) == START + 3 * SECOND
    assert pause_clock(START + 4 * SECOND, START, START + 3 * SECOND) == START + 4 * SECOND


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        (None, "no clock", "no clock"),
        ("", "no clock", "no clock"),
        ("3+0", "3 + 0", "3 minutes"),
        ("0+1", "0 + 1", "1 second per move"),
        ("1+5", "1 + 5", "1 minute plus 5 seconds per move"),
    ],
)
def test_a_time_control_has_a_short_text_and_a_long_one(
    text: str | None, short: str, long: str
) -> None:
    assert render_english(describe_clock(text)) == short
    assert render_english(spell_out_clock(text)) == long
