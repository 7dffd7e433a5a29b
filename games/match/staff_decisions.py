"""Decisions on a match that are not its players'.

Staff can void a match, set its result or restore it. The site can also void or cancel a match, and
a tournament can end its own matches.
"""

from datetime import datetime

from msgspec.structs import replace

from games.match.clock import get_deadline
from games.match.commands import Adjudicate, Cancel, Restore, Settle, StaffCommand, Void
from games.match.ends import end, must_be_live
from games.match.state import BOTH, Context, MatchState
from games.messages.refusal import Refused


def apply_decision(state: MatchState, command: StaffCommand, context: Context) -> MatchState:
    """Return the state after a decision.

    Raise `Refused` if the state does not allow the decision, or if the match was already voided, or
    adjudicated with the same goals.
    """
    match command:
        case Void(seat):
            return replace(_restart(state, "voided", (0, 0), context.now), ended_by=seat)
        case Adjudicate(goals):
            return _restart(state, "adjudicated", goals, context.now)
        case Settle(goals):
            return _settle(state, goals, context.now)
        case Cancel():
            must_be_live(state)
            return end(state, "aborted", (0, 0), context.now)
        case Restore(status="live"):
            return _continue(state, context)
        case Restore(status, ended, goals, ended_at, ended_by):
            one, other = goals or (None, None)
            return replace(
                state,
                status=status,
                ended=ended,
                first_goal=one,
                second_goal=other,
                ended_at=ended_at,
                ended_by=ended_by,
            )


def _restart(state: MatchState, ended: str, goals: tuple[int, int], now: datetime) -> MatchState:
    """Return the state with another result. A match that is over keeps its end time."""
    if state.ended == ended and (state.first_goal, state.second_goal) == goals:
        raise Refused("not-allowed")  # the match already has this result
    after = end(state, ended, goals, state.ended_at or now)
    return replace(after, ended_by=None)


def _settle(state: MatchState, goals: tuple[int, int] | None, now: datetime) -> MatchState:
    """End a live match for its tournament.

    A result that the tournament sets is distinguished from one that staff set by its `ended_by`.
    """
    must_be_live(state)
    if not state.arranged or (goals is None and state.acted == BOTH):
        raise Refused("not-allowed")
    if goals is None:
        return end(state, "aborted", (0, 0), now)
    winner = 1 if goals[1] > goals[0] else 0
    return replace(end(state, "adjudicated", goals, now), ended_by=winner)


def _continue(state: MatchState, context: Context) -> MatchState:
    """Return the state of a match that continues live, with the time that was left.

    Raise `Refused` if the match is live, or if the game is over by its rules.
    """
    position = state.position
    if state.is_live or position.turn is None:
        raise Refused("not-allowed")
    due = None
    if state.left_ms is not None:
        left = state.left_ms[state.rules.roles.index(position.turn)]
        due = (
            context.now + context.limits.start_within
            if state.acted == 0
            else get_deadline(context.now, left)
        )
    return replace(
        state,
        status="live",
        ended="",
        first_goal=None,
        second_goal=None,
        ended_at=None,
        ended_by=None,
        acted_at=context.now,
        resumed_at=context.now,
        deadline=due,
        rematch_by=None,
    )
