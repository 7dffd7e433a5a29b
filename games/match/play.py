"""Playing an action: whether it is legal now, and what it costs of the clock."""

from msgspec.structs import replace

from games.match.clock import after_action, charged_ms, deadline, given_back
from games.match.commands import Play
from games.match.ends import end, out_of_time
from games.match.state import Change, Circumstances, NewMove, Row
from games.rules import IllegalAction
from games.words.refusal import Refused


def play(row: Row, seat: int, command: Play, so: Circumstances) -> Change:
    """The row after an action, and the move to store. An action that was recorded already, and a
    waiting role's `noop`, change nothing. Raises `Refused`."""
    role = row.rules.roles[seat]
    if command.ply < row.ply and so.recorded(command.ply) == (role, command.action):
        return Change(row)  # sent again after a lost connection
    if not row.is_live:
        raise Refused("not-live")
    if command.ply != row.ply:
        raise Refused("stale")
    position = row.position
    if position.turn != role:
        if command.action == "noop":
            return Change(row)  # legal for the waiting role; it changes nothing
        raise Refused("not-your-turn")
    try:
        after = position.play(command.action)
    except IllegalAction:
        raise Refused("illegal-action") from None
    charge, lags = _charged(row, seat, so)
    left = _left_after(row, seat, charge)
    if left is not None and left[seat] is None:
        return Change(out_of_time(row, seat, so.now), refused="not-live")
    played = replace(
        row,
        ply=row.ply + 1,
        notation=after.notation,
        last=command.action,
        acted=row.acted | 1 << seat,
        acted_at=so.now,
        started_at=row.started_at or so.now,
        draw_by=None if row.draw_by == 1 - seat else row.draw_by,  # to act is to decline
    )
    if left is not None:
        turn = row.rules.roles.index(after.turn) if after.turn else seat
        played = replace(
            played,
            first_ms=left[0],
            second_ms=left[1],
            first_lag_ms=lags[0],
            second_lag_ms=lags[1],
            deadline=deadline(so.now, left[turn] or 0),
        )
    if after.goals is not None:
        one, other = (after.goals[role] for role in row.rules.roles)
        played = end(played, "rules", (one, other), so.now)
    return Change(played, NewMove(row.id, row.ply, role, command.action, so.now, charge))


def _charged(row: Row, seat: int, so: Circumstances) -> tuple[int, list[int | None]]:
    """The time that an action costs (ms), and what both seats have used up of their budgets."""
    lag = min(so.lag_ms, so.limits.lag_ms)
    used = [row.first_lag_ms, row.second_lag_ms]
    if row.clock:  # else it is for the record alone
        before = used[seat] or 0
        passed = charged_ms(row.acted_at, so.now, 0)
        budget, refill = so.limits.lag_budget_ms, so.limits.lag_refill_ms
        lag, after = given_back(passed, lag, before, budget, refill)
        if after != before:
            used[seat] = after
    return charged_ms(row.acted_at, so.now, lag), used


def _left_after(row: Row, seat: int, charge: int) -> list[int | None] | None:
    """What both seats have left once one has acted; None for its own where that was too late."""
    control, left = row.control, row.left_ms
    if control is None or left is None:
        return None
    # A match that nobody has started is aborted, never lost: its first action is not too late.
    spent = min(charge, left[seat]) if row.acted == 0 else charge
    after: list[int | None] = list(left)
    after[seat] = after_action(left[seat], spent, control.increment_ms)
    return after
