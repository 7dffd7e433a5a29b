"""Playing actions, the time that they cost, and berserk.

A player who goes berserk in an arena gets half the time, and more points for a win.
"""

from msgspec.structs import replace

from games.match.clock import add_increment, compute_charge, get_deadline, return_time
from games.match.commands import Berserk, Play
from games.match.ends import end, must_be_live, out_of_time
from games.match.state import Change, Context, MatchState, NewMove
from games.messages.refusal import Refused
from games.rules import IllegalAction


def play(state: MatchState, seat: int, command: Play, context: Context) -> Change:
    """Play an action, or raise `Refused`.

    Nothing changes if a recorded action is sent again, or if the waiting role plays `noop`. If the
    action is too late, the player loses on time, and the change has the refusal.
    """
    role = state.rules.roles[seat]
    if command.ply < state.ply and context.recorded(command.ply) == (role, command.action):
        return Change(state)  # a client sends its action again after a lost connection
    if not state.is_live:
        raise Refused("not-live")
    if command.ply != state.ply:
        raise Refused("stale")
    position = state.position
    if position.turn != role:
        if command.action == "noop":
            return Change(state)  # `noop` is legal for the waiting role, and changes nothing
        raise Refused("not-your-turn")
    try:
        after = position.play(command.action)
    except IllegalAction:
        raise Refused("illegal-action") from None
    charge, lags = _charged(state, seat, context)
    left = _left_after(state, seat, charge)
    if left is not None and left[seat] is None:
        return Change(out_of_time(state, seat, context.now), refusal=Refused("not-live"))
    played = replace(
        state,
        ply=state.ply + 1,
        notation=after.notation,
        last=command.action,
        acted=state.acted | 1 << seat,
        acted_at=context.now,
        started_at=state.started_at or context.now,
        # A move declines the opponent's offer.
        draw_by=None if state.draw_by == 1 - seat else state.draw_by,
    )
    if left is not None:
        turn = state.rules.roles.index(after.turn) if after.turn else seat
        played = replace(
            played,
            first_ms=left[0],
            second_ms=left[1],
            first_lag_ms=lags[0],
            second_lag_ms=lags[1],
            deadline=get_deadline(context.now, left[turn] or 0),
        )
    if after.goals is not None:
        one, other = (after.goals[role] for role in state.rules.roles)
        played = end(played, "rules", (one, other), context.now)
    move = NewMove(state.id, state.ply, role, command.action, context.now, charge)
    return Change(played, move, after)


def berserk(state: MatchState, seat: int, _: Berserk, context: Context) -> Change:
    """Halve the seat's time, or raise `Refused`. A repeated command changes nothing."""
    if state.berserk is not None and state.berserk & 1 << seat:
        return Change(state)
    must_be_live(state)
    if not may_berserk(state, seat):
        raise Refused("not-allowed")
    left = list(state.left_ms or ())
    left[seat] //= 2
    after = replace(
        state, first_ms=left[0], second_ms=left[1], berserk=(state.berserk or 0) | 1 << seat
    )
    if state.acted and state.turn == state.rules.roles[seat]:  # the seat's own time is running
        due = get_deadline(state.acted_at, left[seat])
        if context.now >= due:
            raise Refused("not-allowed")
        after = replace(after, deadline=due)
    return Change(after)


def may_berserk(state: MatchState, seat: int) -> bool:
    """Return whether the seat may halve its time now."""
    bit = 1 << seat
    return (
        state.is_live
        and state.berserk is not None
        and state.left_ms is not None
        and not state.berserk & bit
        and not state.acted & bit
    )


def _charged(state: MatchState, seat: int, context: Context) -> tuple[int, list[int | None]]:
    """Return the time that an action costs (ms), and the delay budget that each seat has used."""
    lag = min(context.lag_ms, context.limits.lag_ms)
    passed = compute_charge(state.acted_at, context.now, 0)
    used = [state.first_lag_ms, state.second_lag_ms]
    if state.clock:  # without a clock, the time is only recorded
        before = used[seat] or 0
        budget, refill = context.limits.lag_budget_ms, context.limits.lag_refill_ms
        lag, after = return_time(passed, lag, before, budget, refill)
        if after != before:
            used[seat] = after
    return max(0, passed - lag), used


def _left_after(state: MatchState, seat: int, charge: int) -> list[int | None] | None:
    """Return the time that each seat has left after an action (ms), or None in an untimed match.

    The acting seat's time is None if the action came too late.
    """
    control, left = state.control, state.left_ms
    if control is None or left is None:
        return None
    # The first action is never too late: a match that nobody starts is aborted, not lost.
    spent = min(charge, left[seat]) if state.acted == 0 else charge
    after: list[int | None] = list(left)
    after[seat] = add_increment(left[seat], spent, control.increment_ms)
    return after
