"""Ends that the rules do not know: by resignation, on time, because somebody left or stalled."""

from datetime import datetime, timedelta

from msgspec.structs import replace

from games.match.commands import Abort, ClaimAbandoned, ClaimStalled, ClaimTime, Resign
from games.match.state import BOTH, Change, Context, Limits, MatchState
from games.messages.refusal import Refused

GRACE = 10  # no claim of a stalled match within a tenth of the time after an outage


def end(state: MatchState, ended: str, goals: tuple[int, int], now: datetime) -> MatchState:
    """The state of a match that has come to its end; `goals` in the order of the seats."""
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
    """The other wins. Raises `Refused` where the match is over."""
    must_be_live(state)
    return Change(end(state, "resignation", _won_by(1 - seat), context.now))


def abort(state: MatchState, _: int, __: Abort, context: Context) -> Change:
    """Cancel the match, while one of the two has not acted yet. Raises `Refused`."""
    must_be_live(state)
    if state.acted == BOTH or state.arranged:
        raise Refused("not-allowed")
    return Change(end(state, "aborted", (0, 0), context.now))


def claim_time(state: MatchState, seat: int, _: ClaimTime, context: Context) -> Change:
    """Win because the other's time is up. Raises `Refused`."""
    must_be_live(state)
    if state.turn == state.rules.roles[seat] or not _is_out_of_time(state, context):
        raise Refused("not-allowed")
    return Change(out_of_time(state, 1 - seat, context.now))


def claim_abandoned(state: MatchState, seat: int, _: ClaimAbandoned, context: Context) -> Change:
    """Win because the other has left. Raises `Refused`."""
    must_be_live(state)
    if not _has_abandoned(state, 1 - seat, context):
        raise Refused("not-allowed")
    return Change(end(state, "abandoned", _won_by(seat), context.now))


def claim_stalled(state: MatchState, seat: int, _: ClaimStalled, context: Context) -> Change:
    """Win because the other does not act. Raises `Refused`."""
    must_be_live(state)
    if not _has_stalled(state, 1 - seat, context):
        raise Refused("not-allowed")
    return Change(end(state, "abandoned", _won_by(seat), context.now))


def sweep(state: MatchState, context: Context) -> Change:
    """What the referee does: end the match if its time is up, or if a player has left."""
    if not state.is_live:
        return Change(state)
    if state.deadline is not None and state.acted == 0 and context.now >= state.deadline:
        return Change(end(state, "aborted", (0, 0), context.now))
    if _is_out_of_time(state, context):
        return Change(out_of_time(state, state.rules.roles.index(state.turn or ""), context.now))
    gone = [_has_abandoned(state, seat, context, context.limits.referee_waits) for seat in (0, 1)]
    if not any(gone):
        return Change(state)
    # A player who stalls does not win because the other has stopped waiting for them.
    waits = context.limits.referee_waits
    gone = [gone[seat] or _has_stalled(state, seat, context, waits) for seat in (0, 1)]
    if all(gone):  # nobody is there to win it
        goals = (0, 0) if state.acted != BOTH else (50, 50)
        return Change(
            end(state, "aborted" if state.acted != BOTH else "abandoned", goals, context.now)
        )
    return Change(end(state, "abandoned", _won_by(gone.index(False)), context.now))


def out_of_time(state: MatchState, seat: int, now: datetime) -> MatchState:
    """The state of a match that this seat has lost on time."""
    left = state.left_ms or (0, 0)
    kept = (0, left[1]) if seat == 0 else (left[0], 0)
    over = replace(state, first_ms=kept[0], second_ms=kept[1])
    return end(over, "time", _won_by(1 - seat), now)


def _is_out_of_time(state: MatchState, context: Context) -> bool:
    """Whether the role in control can no longer act in time, however slow its connection is."""
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
    """Whether an untimed match has waited for this seat so long that the other may claim it.

    Whether the player is present does not matter. The computer's seat never stalls.
    """
    return (
        state.is_live
        and not state.clock
        and now - state.acted_at >= limits.stalled * times  # first, as it is hardly ever so
        and state.levels[seat] is None
        and state.is_readable
        and state.turn == state.rules.roles[seat]
    )


def _has_stalled(state: MatchState, seat: int, context: Context, times: int = 1) -> bool:
    if not has_stalled(state, seat, context.now, context.limits, times):
        return False
    # Nobody could act while the site was down, so after an outage there is some time to do so.
    up = context.up_since()
    return up is None or context.now - up >= context.limits.stalled / GRACE


def _won_by(seat: int) -> tuple[int, int]:
    return (100, 0) if seat == 0 else (0, 100)


def must_be_live(state: MatchState) -> None:
    """Raises `Refused` for a match that is over."""
    if not state.is_live:
        raise Refused("not-live")
