"""What may be done in a match, and what it makes of the match.

Pure functions over immutable values: no database, no clock of their own, no sockets. The journal
reads a `Row`, asks `conduct`, and stores what comes back.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from msgspec.structs import replace

from games.match.clock import after_action, charged_ms, deadline, given_back, paused
from games.match.commands import (
    Abort,
    AcceptDraw,
    Adjudicate,
    ClaimAbandoned,
    ClaimDraw,
    ClaimStalled,
    ClaimTime,
    Command,
    DeclineDraw,
    OfferDraw,
    Play,
    Rematch,
    Resign,
    Restore,
    Resume,
    StaffCommand,
    Sweep,
    Void,
    WithdrawRematch,
)
from games.match.dead import FROM_PLY, can_be_dead, is_dead
from games.match.state import Change, Circumstances, Limits, NewMove, Refused, Row
from games.rules import IllegalAction

DRAW_FROM_PLY = 20  # no draw by agreement in games of fewer actions
BOTH = 3  # `acted`, once both seats have
GRACE = 10  # no claim of a stalled match within a tenth of the time after an outage


def conduct(row: Row, player_id: int | None, command: Command, so: Circumstances) -> Change:
    """Carry out a command. Raises `Refused`; a repeat changes nothing.

    The referee's `Sweep`, the site's `Resume` and what the staff decides come from no seat.
    """
    if isinstance(command, Sweep):
        after = _sweep(row, so)
    elif isinstance(command, Resume):
        after = _resume(row, command)
    elif isinstance(command, StaffCommand):
        after = Change(_decided(row, command, so))
    else:
        seat = row.seat_of(player_id)
        if seat is None:
            raise Refused("not-a-player")
        after = _CONDUCT[type(command)](row, seat, command, so)
        if row.is_live and not after.row.is_live:
            after = replace(after, row=replace(after.row, ended_by=seat))
    if after.row is row:
        return after
    changed = replace(after.row, version=row.version + 1)
    return replace(after, row=_called(row, changed, so.now) if row.has_computer else changed)


def begin(row: Row, limits: Limits) -> Row:
    """A match that has just been made, with its clocks set and the computer called to it."""
    control = row.control
    if control is not None:
        left = control.initial_ms
        due = row.created_at + limits.start_within
        row = replace(row, first_ms=left, second_ms=left, deadline=due)
    return _called(None, row, row.created_at)


def _called(before: Row | None, row: Row, now: datetime) -> Row:
    """The row with the computer called to it where it is the computer's turn now."""
    turn = row.turn
    if turn is None or row.levels[row.rules.roles.index(turn)] is None:
        return replace(row, bot_at=None) if row.bot_at is not None else row
    if before is not None and before.is_live and before.ply == row.ply:
        return row  # it was called already
    return replace(row, bot_at=now)


def may(row: Row, seat: int) -> list[str]:
    """The commands beside `play` that the seat may send now, for its buttons."""
    if not row.is_live:
        return [] if row.status == "aborted" or row.rematch_id else ["rematch"]
    able = ["resign"]
    if row.acted != BOTH:
        able.append("abort")
    if row.draw_by == 1 - seat:
        able += ["accept-draw", "decline-draw"]
    elif _may_offer_draw(row, seat):
        able.append("offer-draw")
    if _may_claim_draw(row):
        able.append("claim-draw")
    return able


def end(row: Row, ended: str, goals: tuple[int, int], now: datetime) -> Row:
    """The row of a match that has come to its end; `goals` in the order of the seats."""
    return replace(
        row,
        status="aborted" if ended == "aborted" else "over",
        ended=ended,
        first_goal=goals[0],
        second_goal=goals[1],
        ended_at=now,
        draw_by=None,
        deadline=None,
    )


def _play(row: Row, seat: int, command: Play, so: Circumstances) -> Change:
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
        return Change(_out_of_time(row, seat, so.now), refused="not-live")
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


def _out_of_time(row: Row, seat: int, now: datetime) -> Row:
    left = row.left_ms or (0, 0)
    kept = (0, left[1]) if seat == 0 else (left[0], 0)
    over = replace(row, first_ms=kept[0], second_ms=kept[1])
    return end(over, "time", _won_by(1 - seat), now)


def _won_by(seat: int) -> tuple[int, int]:
    return (100, 0) if seat == 0 else (0, 100)


def _is_out_of_time(row: Row, so: Circumstances) -> bool:
    """Whether the role in control can no longer act in time, however slow its connection is."""
    if row.deadline is None or row.acted == 0:
        return False
    return so.now >= row.deadline + timedelta(milliseconds=so.limits.lag_ms)


def _has_abandoned(row: Row, seat: int, so: Circumstances, times: int = 1) -> bool:
    if row.levels[seat] is not None:
        return False  # the computer never leaves
    return so.now - so.seen()[seat] >= so.limits.gone_for(row) * times


def has_stalled(row: Row, seat: int, now: datetime, limits: Limits, times: int = 1) -> bool:
    """Whether an untimed match has waited for this seat so long that the other may claim it.

    Whether the player is present does not matter. The computer's seat never stalls.
    """
    return (
        row.is_live
        and not row.clock
        and now - row.acted_at >= limits.stalled * times  # first, as it is hardly ever so
        and row.levels[seat] is None
        and row.is_readable
        and row.turn == row.rules.roles[seat]
    )


def _has_stalled(row: Row, seat: int, so: Circumstances, times: int = 1) -> bool:
    if not has_stalled(row, seat, so.now, so.limits, times):
        return False
    # Nobody could act while the site was down, so after an outage there is some time to do so.
    up = so.up_since()
    return up is None or so.now - up >= so.limits.stalled / GRACE


def _sweep(row: Row, so: Circumstances) -> Change:
    if not row.is_live:
        return Change(row)
    if row.deadline is not None and row.acted == 0 and so.now >= row.deadline:
        return Change(end(row, "aborted", (0, 0), so.now))
    if _is_out_of_time(row, so):
        return Change(_out_of_time(row, row.rules.roles.index(row.turn or ""), so.now))
    gone = [_has_abandoned(row, seat, so, so.limits.referee_waits) for seat in (0, 1)]
    if not any(gone):
        return Change(row)
    # A player who stalls does not win because the other has stopped waiting for them.
    waits = so.limits.referee_waits
    gone = [gone[seat] or _has_stalled(row, seat, so, waits) for seat in (0, 1)]
    if all(gone):  # nobody is there to win it
        goals = (0, 0) if row.acted != BOTH else (50, 50)
        return Change(end(row, "aborted" if row.acted != BOTH else "abandoned", goals, so.now))
    return Change(end(row, "abandoned", _won_by(gone.index(False)), so.now))


def _resume(row: Row, command: Resume) -> Change:
    """For one match what `games.store.outages.move` does for many."""
    if not row.is_live or not row.clock or row.deadline is None:
        return Change(row)
    since = paused(row.acted_at, command.down_from, command.up_at)
    moved = since - row.acted_at
    if not moved or (row.outage or 0) >= command.outage:
        return Change(row)
    due = row.deadline + moved
    return Change(replace(row, acted_at=since, deadline=due, outage=command.outage))


def _decided(row: Row, command: StaffCommand, so: Circumstances) -> Row:
    match command:
        case Void():
            return _anew(row, "voided", (0, 0), so.now)
        case Adjudicate(goals):
            return _anew(row, "adjudicated", goals, so.now)
        case Restore(status="live"):
            return _gone_on(row, so)
        case Restore(status, ended, goals, ended_at, ended_by):
            one, other = goals or (None, None)
            return replace(
                row,
                status=status,
                ended=ended,
                first_goal=one,
                second_goal=other,
                ended_at=ended_at,
                ended_by=ended_by,
            )


def _anew(row: Row, ended: str, goals: tuple[int, int], now: datetime) -> Row:
    """The row with another result. When the playing ended stays as it was."""
    if row.ended == ended and (row.first_goal, row.second_goal) == goals:
        raise Refused("not-allowed")  # it is so already
    after = end(row, ended, goals, row.ended_at or now)
    return replace(after, ended_by=None)


def _gone_on(row: Row, so: Circumstances) -> Row:
    """The row of a match that the staff ended and lets go on: live, with the time it had."""
    position = row.position
    if row.is_live or position.turn is None:
        raise Refused("not-allowed")
    due = None
    if row.left_ms is not None:
        left = row.left_ms[row.rules.roles.index(position.turn)]
        due = so.now + so.limits.start_within if row.acted == 0 else deadline(so.now, left)
    return replace(
        row,
        status="live",
        ended="",
        first_goal=None,
        second_goal=None,
        ended_at=None,
        ended_by=None,
        acted_at=so.now,
        resumed_at=so.now,
        deadline=due,
        rematch_by=None,
    )


def _claim_time(row: Row, seat: int, _: ClaimTime, so: Circumstances) -> Change:
    _must_be_live(row)
    if row.turn == row.rules.roles[seat] or not _is_out_of_time(row, so):
        raise Refused("not-allowed")
    return Change(_out_of_time(row, 1 - seat, so.now))


def _claim_abandoned(row: Row, seat: int, _: ClaimAbandoned, so: Circumstances) -> Change:
    _must_be_live(row)
    if not _has_abandoned(row, 1 - seat, so):
        raise Refused("not-allowed")
    return Change(end(row, "abandoned", _won_by(seat), so.now))


def _claim_stalled(row: Row, seat: int, _: ClaimStalled, so: Circumstances) -> Change:
    _must_be_live(row)
    if not _has_stalled(row, 1 - seat, so):
        raise Refused("not-allowed")
    return Change(end(row, "abandoned", _won_by(seat), so.now))


def _resign(row: Row, seat: int, _: Resign, so: Circumstances) -> Change:
    _must_be_live(row)
    return Change(end(row, "resignation", _won_by(1 - seat), so.now))


def _abort(row: Row, _: int, __: Abort, so: Circumstances) -> Change:
    _must_be_live(row)
    if row.acted == BOTH:
        raise Refused("not-allowed")
    return Change(end(row, "aborted", (0, 0), so.now))


def _offer_draw(row: Row, seat: int, _: OfferDraw, so: Circumstances) -> Change:
    _must_be_live(row)
    if row.draw_by == seat:
        return Change(row)
    if row.draw_by is not None:
        return _agree(row, so.now)  # both offer: they agree
    if not _may_offer_draw(row, seat):
        raise Refused("not-allowed")
    return Change(replace(row, draw_by=seat, draw_ply=row.ply))


def _accept_draw(row: Row, seat: int, _: AcceptDraw, so: Circumstances) -> Change:
    _must_be_live(row)
    if row.draw_by != 1 - seat:
        raise Refused("not-allowed")
    return _agree(row, so.now)


def _decline_draw(row: Row, seat: int, _: DeclineDraw, __: Circumstances) -> Change:
    _must_be_live(row)
    if row.draw_by != 1 - seat:
        raise Refused("not-allowed")
    return Change(replace(row, draw_by=None))


def _claim_draw(row: Row, _: int, __: ClaimDraw, so: Circumstances) -> Change:
    _must_be_live(row)
    if not _may_claim_draw(row):
        raise Refused("not-allowed")
    return _agree(row, so.now)


def _may_claim_draw(row: Row) -> bool:
    return row.ply >= FROM_PLY and can_be_dead(row.game) and is_dead(row.position)


def _rematch(row: Row, seat: int, _: Rematch, __: Circumstances) -> Change:
    if row.status != "over":
        raise Refused("not-allowed")
    if row.rematch_id is not None or row.rematch_by == seat:
        return Change(row)
    if row.rematch_by is None and row.levels[1 - seat] is None:
        return Change(replace(row, rematch_by=seat))
    return Change(row=replace(row), rematch=True)


def _withdraw_rematch(row: Row, seat: int, _: WithdrawRematch, __: Circumstances) -> Change:
    if row.rematch_by != seat or row.rematch_id is not None:
        return Change(row)
    return Change(replace(row, rematch_by=None))


def _must_be_live(row: Row) -> None:
    if not row.is_live:
        raise Refused("not-live")


def _may_offer_draw(row: Row, seat: int) -> bool:
    """On one's own turn, once, and not in a short game. The computer plays on, but where a board
    can be as good as dead: there it answers with its next action."""
    return (
        row.ply >= DRAW_FROM_PLY
        and row.draw_by is None
        and row.draw_ply != row.ply
        and row.turn == row.rules.roles[seat]
        and (row.levels[1 - seat] is None or can_be_dead(row.game))
    )


def _agree(row: Row, now: datetime) -> Change:
    return Change(end(row, "agreement", (50, 50), now))


_CONDUCT: dict[type[Command], Callable[[Row, int, Any, Circumstances], Change]] = {
    Play: _play,
    Resign: _resign,
    Abort: _abort,
    OfferDraw: _offer_draw,
    AcceptDraw: _accept_draw,
    DeclineDraw: _decline_draw,
    ClaimDraw: _claim_draw,
    ClaimTime: _claim_time,
    ClaimAbandoned: _claim_abandoned,
    ClaimStalled: _claim_stalled,
    Rematch: _rematch,
    WithdrawRematch: _withdraw_rematch,
}
