"""Ends that the rules do not know: by resignation, on time, because somebody left or stalled."""

from datetime import datetime, timedelta

from msgspec.structs import replace

from games.match.commands import Abort, ClaimAbandoned, ClaimStalled, ClaimTime, Resign
from games.match.state import BOTH, Change, Circumstances, Limits, Row
from games.words.refusal import Refused

GRACE = 10  # no claim of a stalled match within a tenth of the time after an outage


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


def resign(row: Row, seat: int, _: Resign, so: Circumstances) -> Change:
    """The other wins. Raises `Refused` where the match is over."""
    must_be_live(row)
    return Change(end(row, "resignation", _won_by(1 - seat), so.now))


def abort(row: Row, _: int, __: Abort, so: Circumstances) -> Change:
    """Cancel the match, while one of the two has not acted yet. Raises `Refused`."""
    must_be_live(row)
    if row.acted == BOTH:
        raise Refused("not-allowed")
    return Change(end(row, "aborted", (0, 0), so.now))


def claim_time(row: Row, seat: int, _: ClaimTime, so: Circumstances) -> Change:
    """Win because the other's time is up. Raises `Refused`."""
    must_be_live(row)
    if row.turn == row.rules.roles[seat] or not _is_out_of_time(row, so):
        raise Refused("not-allowed")
    return Change(out_of_time(row, 1 - seat, so.now))


def claim_abandoned(row: Row, seat: int, _: ClaimAbandoned, so: Circumstances) -> Change:
    """Win because the other has left. Raises `Refused`."""
    must_be_live(row)
    if not _has_abandoned(row, 1 - seat, so):
        raise Refused("not-allowed")
    return Change(end(row, "abandoned", _won_by(seat), so.now))


def claim_stalled(row: Row, seat: int, _: ClaimStalled, so: Circumstances) -> Change:
    """Win because the other does not act. Raises `Refused`."""
    must_be_live(row)
    if not _has_stalled(row, 1 - seat, so):
        raise Refused("not-allowed")
    return Change(end(row, "abandoned", _won_by(seat), so.now))


def sweep(row: Row, so: Circumstances) -> Change:
    """What the referee does: end the match if its time is up, or if a player has left."""
    if not row.is_live:
        return Change(row)
    if row.deadline is not None and row.acted == 0 and so.now >= row.deadline:
        return Change(end(row, "aborted", (0, 0), so.now))
    if _is_out_of_time(row, so):
        return Change(out_of_time(row, row.rules.roles.index(row.turn or ""), so.now))
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


def out_of_time(row: Row, seat: int, now: datetime) -> Row:
    """The row of a match that this seat has lost on time."""
    left = row.left_ms or (0, 0)
    kept = (0, left[1]) if seat == 0 else (left[0], 0)
    over = replace(row, first_ms=kept[0], second_ms=kept[1])
    return end(over, "time", _won_by(1 - seat), now)


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


def _won_by(seat: int) -> tuple[int, int]:
    return (100, 0) if seat == 0 else (0, 100)


def must_be_live(row: Row) -> None:
    """Raises `Refused` for a match that is over."""
    if not row.is_live:
        raise Refused("not-live")
