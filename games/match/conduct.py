"""What may be done in a match, and what it makes of the match.

Pure functions over immutable values: no database, no clock of their own, no sockets. The journal
reads a `Row`, asks `conduct`, and stores what comes back.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from games.match.clock import paused
from games.match.commands import (
    Abort,
    AcceptDraw,
    ClaimAbandoned,
    ClaimStalled,
    ClaimTime,
    Command,
    DeclineDraw,
    OfferDraw,
    Play,
    Rematch,
    Resign,
    Resume,
    StaffCommand,
    Sweep,
    WithdrawRematch,
)
from games.match.draws import accept_draw, decline_draw, may_offer_draw, offer_draw
from games.match.ends import abort, claim_abandoned, claim_stalled, claim_time, resign, sweep
from games.match.play import play
from games.match.rematches import rematch, withdraw_rematch
from games.match.staff import decided
from games.match.state import BOTH, Change, Circumstances, Limits, Row
from games.words.refusal import Refused


def conduct(row: Row, player_id: int | None, command: Command, so: Circumstances) -> Change:
    """Carry out a command. Raises `Refused`; a repeat changes nothing.

    The referee's `Sweep`, the site's `Resume` and what the staff decides come from no seat.
    """
    if isinstance(command, Sweep):
        after = sweep(row, so)
    elif isinstance(command, Resume):
        after = resume(row, command)
    elif isinstance(command, StaffCommand):
        after = Change(decided(row, command, so))
    else:
        seat = row.seat_of(player_id)
        if seat is None:
            raise Refused("not-a-player")
        after = _COMMANDS[type(command)](row, seat, command, so)
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
    elif may_offer_draw(row, seat):
        able.append("offer-draw")
    return able


def resume(row: Row, command: Resume) -> Change:
    """For one match what `games.store.outages.move` does for many."""
    if not row.is_live or not row.clock or row.deadline is None:
        return Change(row)
    since = paused(row.acted_at, command.down_from, command.up_at)
    moved = since - row.acted_at
    if not moved or (row.outage or 0) >= command.outage:
        return Change(row)
    due = row.deadline + moved
    return Change(replace(row, acted_at=since, deadline=due, outage=command.outage))


_COMMANDS: dict[type[Command], Callable[[Row, int, Any, Circumstances], Change]] = {
    Play: play,
    Resign: resign,
    Abort: abort,
    OfferDraw: offer_draw,
    AcceptDraw: accept_draw,
    DeclineDraw: decline_draw,
    ClaimTime: claim_time,
    ClaimAbandoned: claim_abandoned,
    ClaimStalled: claim_stalled,
    Rematch: rematch,
    WithdrawRematch: withdraw_rematch,
}
