"""Values for tests: a match that has just begun, its players and its time."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from games.match.commands import Command, Play
from games.match.conduct import begin, conduct
from games.match.state import Change, Context, Limits, MatchState
from games.rules import GAMES
from games.words.refusal import Refused

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


def begun(
    game: str = "tic-tac-toe", clock: str = "", levels: tuple[int | None, int | None] = (None, None)
) -> MatchState:
    """A match of alice and bob, who take the roles in that order."""
    state = MatchState(
        id="match", game=game, first_id=ALICE, second_id=BOB, status="live", ended="",
        first_goal=None, second_goal=None, ply=0, version=0, notation=GAMES[game].start.notation,
        last="", acted=0, draw_by=None, draw_ply=None, rematch_by=None, rematch_id=None,
        clock=clock, first_ms=None, second_ms=None, deadline=None, created_at=START,
        acted_at=START, started_at=None, ended_at=None, ended_by=None, resumed_at=None, chain="",
        digest="", first_level=levels[0], second_level=levels[1],
    )  # fmt: skip
    return begin(state, LIMITS)


def changed(
    state: MatchState,
    who: int | None,
    command: Command,
    now: datetime = START,
    *,
    recorded: Callable[[int], tuple[str, str] | None] = lambda ply: None,
    seen: tuple[datetime, datetime] | None = None,
    lag_ms: int = 0,
) -> Change:
    """The change that the command makes. `seen`: when each player was last here; by default now."""
    context = Context(now, LIMITS, recorded, lambda: seen or (now, now), lambda: None, lag_ms)
    return conduct(state, who, command, context)


def refusal(state: MatchState, who: int | None, command: Command, now: datetime = START) -> str:
    """The code with which the command is refused."""
    with pytest.raises(Refused) as found:
        changed(state, who, command, now)
    return found.value.code


def played(state: MatchState, *actions: str, now: datetime = START) -> MatchState:
    """The match after these actions, each by the role in control."""
    for action in actions:
        who = (ALICE, BOB)[state.rules.roles.index(state.turn or "")]
        state = changed(state, who, Play(state.ply, action), now).state
    return state
