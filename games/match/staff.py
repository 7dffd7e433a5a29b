"""What staff decide on a match: void it, give it a result, restore what it was."""

from datetime import datetime

from msgspec.structs import replace

from games.match.clock import deadline
from games.match.commands import Adjudicate, Restore, StaffCommand, Void
from games.match.ends import end
from games.match.state import Circumstances, Row
from games.words.refusal import Refused


def decided(row: Row, command: StaffCommand, so: Circumstances) -> Row:
    """The row after a decision of staff. Raises `Refused` where it would change nothing."""
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
