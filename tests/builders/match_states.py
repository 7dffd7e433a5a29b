"""Matches as values, without a database. Alice has the first seat and Bob the second."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from games.match.commands import Command, Play
from games.match.conduct import apply_command as conduct
from games.match.conduct import begin_match
from games.match.state import Change, Context, Limits, MatchState
from games.messages.refusal import Refused
from games.rules import GAMES

START = datetime(2026, 1, 1, tzinfo=UTC)
SECOND, DAY = timedelta(seconds=1), timedelta(days=1)
LIMITS = Limits(
    start_within=timedelta(minutes=1),
    lag_ms=300,
    lag_budget_ms=2000,
    lag_refill_ms=60,
    gone_timed=timedelta(minutes=1),
    gone_untimed=7 * DAY,
    stalled=3 * DAY,
)
ALICE, BOB, CHARLIE = 1, 2, 3


def create_state(
    game: str = "tic-tac-toe", clock: str = "", levels: tuple[int | None, int | None] = (None, None)
) -> MatchState:
    """Create the state of a match that was just opened."""
    state = MatchState(
        id="match", game=game, first_id=ALICE, second_id=BOB, status="live", ended="",
        first_goal=None, second_goal=None, ply=0, version=0, notation=GAMES[game].start.notation,
        last="", acted=0, draw_by=None, draw_ply=None, rematch_by=None, rematch_id=None,
        clock=clock, first_ms=None, second_ms=None, deadline=None, created_at=START,
        acted_at=START, started_at=None, ended_at=None, ended_by=None, resumed_at=None, chain="",
        digest="", first_level=levels[0], second_level=levels[1],
    )  # fmt: skip
    return begin_match(state, LIMITS)


def apply_command(
    state: MatchState,
    who: int | None,
    command: Command,
    now: datetime = START,
    *,
    recorded: Callable[[int], tuple[str, str] | None] = lambda ply: None,
    seen: tuple[datetime, datetime] | None = None,
    up: datetime | None = None,
    lag_ms: int = 0,
) -> Change:
    """Apply a command. `seen` is when each player was last present, by default `now`."""
    context = Context(now, LIMITS, recorded, lambda: seen or (now, now), lambda: up, lag_ms)
    return conduct(state, who, command, context)


def advance(
    state: MatchState, who: int | None, command: Command, now: datetime = START, **more: Any
) -> MatchState:
    """Apply a command as `apply_command` does. Return only the new state."""
    return apply_command(state, who, command, now, **more).state


def get_refusal(
    state: MatchState, who: int | None, command: Command, now: datetime = START, **more: Any
) -> str:
    """Return the code with which the command is refused."""
    with pytest.raises(Refused) as found:
        apply_command(state, who, command, now, **more)
    return found.value.code


def play_actions(state: MatchState, *actions: str, now: datetime = START) -> MatchState:
    """Apply these actions, each by the role in control."""
    for action in actions:
        who = (ALICE, BOB)[state.rules.roles.index(state.turn or "")]
        state = advance(state, who, Play(state.ply, action), now)
    return state
