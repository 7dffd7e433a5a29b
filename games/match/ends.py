"""Resignation, cancellation, loss on time, and wins because the opponent has left or stalls.

Draws are in `games.match.offers`, and decisions by staff in `games.match.conduct`.
"""

from datetime import datetime, timedelta

from msgspec.structs import replace

from games.match.commands import Abort, ClaimAbandoned, ClaimStalled, ClaimTime, Resign
from games.match.state import BOTH, Change, Context, Limits, MatchState
from games.messages.refusal import Refused

# For a tenth (1 / GRACE) of the limit after an outage, nobody loses by stalling.
GRACE = 10


def end(state: MatchState, ended: str, goals: tuple[int, int], now: datetime) -> MatchState:
    """Return the state with this end and these goals, which are in the order of the seats."""
    return replace(
        state,
        status="aborted" if ended == "aborted" else "over",
        ended=ended,
        first_goal=goals[0],
        second_goal=goals[1],
        ended_at=now,
        draw_by=None,
        deadline=None,
    )


def resign(state: MatchState, seat: int, _: Resign, context: Context) -> Change:
    """Resign, so that the opponent wins. Raise `Refused` if the match is over."""
    must_be_live(state)
    return Change(end(state, "resignation", _won_by(1 - seat), context.now))


def abort(state: MatchState, _: int, __: Abort, context: Context) -> Change:
    """Cancel the match. Raise `Refused` if it is over or arranged, or both players have acted."""
    must_be_live(state)
    if state.acted == BOTH or state.arranged:
        raise Refused("not-allowed")
    return Change(end(state, "aborted", (0, 0), context.now))


def claim_time(state: MatchState, seat: int, _: ClaimTime, context: Context) -> Change:
    """Win on time. Raise `Refused` if the match is over or the opponent has not run out of time."""
    must_be_live(state)
    if state.turn == state.rules.roles[seat] or not _is_out_of_time(state, context):
        raise Refused("not-allowed")
    return Change(out_of_time(state, 1 - seat, context.now))


def claim_abandoned(state: MatchState, seat: int, _: ClaimAbandoned, context: Context) -> Change:
    """Win because the opponent left.

    Raise `Refused` if the match is over, or if the opponent was present recently or is the
    computer.
    """
    must_be_live(state)
    if not _has_abandoned(state, 1 - seat, context):
        raise Refused("not-allowed")
    return Change(end(state, "abandoned", _won_by(seat), context.now))


def claim_stalled(state: MatchState, seat: int, _: ClaimStalled, context: Context) -> Change:
    """Win because the opponent does not act.

    Raise `Refused` if the match is over, or if the opponent has not stalled (`has_stalled`) or the
    last outage was too recent.
    """
    must_be_live(state)
    if not _has_stalled(state, 1 - seat, context):
        raise Refused("not-allowed")
    return Change(end(state, "abandoned", _won_by(seat), context.now))


def sweep(state: MatchState, context: Context) -> Change:
    """End the match if nobody began in time, a clock has run out, or a player has left.

    If both players have left, or one has left and the other stalls, the match is a draw if both
    have acted, and is aborted otherwise.
    """
    if not state.is_live:
        return Change(state)
    if state.deadline is not None and state.acted == 0 and context.now >= state.deadline:
        return Change(end(state, "aborted", (0, 0), context.now))
    if _is_out_of_time(state, context):
        return Change(out_of_time(state, state.rules.roles.index(state.turn or ""), context.now))
    gone = [_has_abandoned(state, seat, context, context.limits.referee_waits) for seat in (0, 1)]
    if not any(gone):
        return Change(state)
    # A player who stalls must not win because the opponent has stopped waiting and left.
    waits = context.limits.referee_waits
    gone = [gone[seat] or _has_stalled(state, seat, context, waits) for seat in (0, 1)]
    if all(gone):
        goals = (0, 0) if state.acted != BOTH else (50, 50)
        return Change(
            end(state, "aborted" if state.acted != BOTH else "abandoned", goals, context.now)
        )
    return Change(end(state, "abandoned", _won_by(gone.index(False)), context.now))


def out_of_time(state: MatchState, seat: int, now: datetime) -> MatchState:
    """Return the state of the match after this seat has lost on time."""
    left = state.left_ms or (0, 0)
    kept = (0, left[1]) if seat == 0 else (left[0], 0)
    over = replace(state, first_ms=kept[0], second_ms=kept[1])
    return end(over, "time", _won_by(1 - seat), now)


def _is_out_of_time(state: MatchState, context: Context) -> bool:
    """Return whether the role in control is too late to act, even with a slow connection.

    Return False while nobody has acted, because the deadline is then that of the first action.
    """
    if state.deadline is None or state.acted == 0:
        return False
    return context.now >= state.deadline + timedelta(milliseconds=context.limits.lag_ms)


def _has_abandoned(state: MatchState, seat: int, context: Context, times: int = 1) -> bool:
    if state.levels[seat] is not None:
        return False  # the computer never leaves
    return context.now - context.seen()[seat] >= context.limits.gone_for(state) * times


def has_stalled(
    state: MatchState, seat: int, now: datetime, limits: Limits, times: int = 1
) -> bool:
    """Return whether this seat, to move in an untimed match, has been idle for `times` the limit.

    It does not matter whether the player is present. The computer never stalls.
    """
    return (
        state.is_live
        and not state.clock
        # Checked before the conditions below, because it is rarely true.
        and now - state.acted_at >= limits.stalled * times
        and state.levels[seat] is None
        and state.is_readable
        and state.turn == state.rules.roles[seat]
    )


def _has_stalled(state: MatchState, seat: int, context: Context, times: int = 1) -> bool:
    if not has_stalled(state, seat, context.now, context.limits, times):
        return False
    # Nobody could act while the site was down, so players get some time after an outage.
    up = context.up_since()
    return up is None or context.now - up >= context.limits.stalled / GRACE


def _won_by(seat: int) -> tuple[int, int]:
    return (100, 0) if seat == 0 else (0, 100)


def must_be_live(state: MatchState) -> None:
    """Raise `Refused` if the match is over."""
    if not state.is_live:
        raise Refused("not-live")
