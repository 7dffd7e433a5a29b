"""Time controls, as arithmetic on stored timestamps without timers.

A match stores the time that each role had left (ms), and when the clock of the role in control
started. The time that is left now can be computed from these values. The match stores its deadline,
too.
"""

import re
from datetime import datetime, timedelta
from functools import lru_cache

from msgspec import Struct

from games.messages import Message, build_message

LONGEST = 180  # the most minutes for a role in a match, and the most seconds of increment
_MILLISECOND = timedelta(milliseconds=1)
_TEXT = re.compile(r"(0|[1-9]\d{0,2})\+(0|[1-9]\d{0,2})", re.ASCII)


class TimeControl(Struct, frozen=True):
    """Each role's minutes for the whole match, and the seconds added after each of its actions."""

    minutes: int
    increment: int

    @property
    def initial_ms(self) -> int:
        """The time of each role at the start: the minutes, or one increment if they are 0."""
        return self.minutes * 60_000 or self.increment_ms

    @property
    def increment_ms(self) -> int:
        return self.increment * 1000


@lru_cache(maxsize=256)  # cached, because each state that is sent needs it
def parse_control(text: str) -> TimeControl:
    """Parse a time control such as "3+2". Raise `ValueError` if it is invalid."""
    found = _TEXT.fullmatch(text)
    if found is not None:
        minutes, increment = int(found[1]), int(found[2])
        if minutes <= LONGEST and increment <= LONGEST and minutes + increment > 0:
            return TimeControl(minutes, increment)
    raise ValueError(f"no time control: {text[:20]!r}; write minutes + increment, such as 3+2")


def describe_clock(text: str | None) -> Message:
    """Return the short message for a time control: "3 + 2" for "3+2", "no clock" for "".

    `clockMessage` in `static/js/shared/messages.js` builds the same message.
    """
    if not text:
        return build_message("clock.none")
    control = parse_control(text)
    return build_message("clock.some", minutes=control.minutes, seconds=control.increment)


def spell_out_clock(text: str | None) -> Message:
    """Return the message for screen readers: "3 minutes plus 2 seconds per move" for "3+2".

    `longClockMessage` in `static/js/shared/messages.js` builds the same message.
    """
    if not text:
        return build_message("clock.none")
    control = parse_control(text)
    minutes = build_message("clock.minutes", count=control.minutes)
    seconds = build_message("clock.seconds", count=control.increment)
    if not control.increment:
        return minutes
    if not control.minutes:
        return seconds
    return build_message("clock.long", minutes=minutes, seconds=seconds)


def compute_charge(since: datetime, now: datetime, lag_ms: int) -> int:
    """Return the time that an action costs (ms): the elapsed time minus the network's delay."""
    return max(0, (now - since) // _MILLISECOND - max(0, lag_ms))


def return_time(
    passed_ms: int, lag_ms: int, used_ms: int, budget_ms: int, refill_ms: int
) -> tuple[int, int]:
    """Return how much of the network's delay an action gets back, and the budget used so far.

    Both are in milliseconds. Each action refills the budget by `refill_ms`, so a delay of up to
    `refill_ms` is given back even if the budget is used up. A longer delay is given back until the
    budget is used up. No action gets back more than the time that it took (`passed_ms`). A client
    that fakes a delay gains at most the budget and the refills.
    """
    given = max(0, min(lag_ms, passed_ms, budget_ms + refill_ms - used_ms))
    return given, max(0, used_ms + given - refill_ms)


def add_increment(left_ms: int, charge_ms: int, increment_ms: int) -> int | None:
    """Return the time left after an action, with the increment, or None if the action is late."""
    if charge_ms > left_ms:
        return None
    return left_ms - charge_ms + increment_ms


def get_deadline(since: datetime, left_ms: int) -> datetime:
    """Return when the time of the role in control runs out."""
    return since + left_ms * _MILLISECOND


def pause_clock(since: datetime, down_from: datetime, up_again: datetime) -> datetime:
    """Return when the running clock started, moved by the part of an outage after that time."""
    outage = up_again - max(since, down_from)
    return since + max(outage, timedelta(0))
