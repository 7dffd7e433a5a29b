"""What may be done in a match, and what it makes of the match.

Pure functions over immutable values: no database, no clock of their own, no sockets. The journal
reads a `Row`, asks `conduct`, and stores what comes back.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from games.commands import (
    Abort,
    AcceptDraw,
    Command,
    DeclineDraw,
    OfferDraw,
    Play,
    Rematch,
    Resign,
    WithdrawRematch,
)
from games.rules import GAMES, Game, IllegalAction, Position

DRAW_FROM_PLY = 20  # no draw by agreement in games of fewer actions
BOTH = 3  # `acted`, once both seats have


class Refused(Exception):  # noqa: N818  # a refusal is an answer of the domain, not a fault
    """A command that the match does not allow. `code` is one of the contract's words."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Row(Struct, frozen=True):
    """A match as the database has it: the columns of `Match` that change, and the seats."""

    id: str
    game: str
    first_id: int
    second_id: int
    status: str
    ended: str
    first_goal: int | None
    second_goal: int | None
    ply: int
    version: int
    notation: str
    last: str
    acted: int
    draw_by: int | None
    draw_ply: int | None
    rematch_by: int | None
    rematch_id: str | None
    created_at: datetime
    acted_at: datetime
    started_at: datetime | None
    ended_at: datetime | None

    @property
    def rules(self) -> Game:
        return GAMES[self.game]

    @property
    def position(self) -> Position:
        return self.rules.read(self.notation)

    @property
    def is_live(self) -> bool:
        return self.status == "live"

    @property
    def turn(self) -> str | None:
        """The role in control; None once the match is no longer live."""
        return self.position.turn if self.is_live else None

    @property
    def goals(self) -> dict[str, int] | None:
        if self.first_goal is None or self.second_goal is None:
            return None
        return dict(zip(self.rules.roles, (self.first_goal, self.second_goal), strict=True))

    def seat_of(self, player_id: int | None) -> int | None:
        """0 or 1, the index of the player's role in the game's roles; None for anybody else."""
        if player_id is None:
            return None
        if player_id == self.first_id:
            return 0
        return 1 if player_id == self.second_id else None

    def role_of(self, player_id: int | None) -> str | None:
        seat = self.seat_of(player_id)
        return None if seat is None else self.rules.roles[seat]


class NewMove(Struct, frozen=True):
    """An action that was accepted, to be stored as a `Move`."""

    match_id: str
    ply: int
    role: str
    action: str
    at: datetime
    spent_ms: int


class Change(Struct, frozen=True):
    """What a command makes of a match: the row after it, and what must be stored beside it."""

    row: Row
    move: NewMove | None = None
    rematch: bool = False  # a new match is to be opened, with the seats swapped


Recorded = Callable[[int], tuple[str, str] | None]
"""Gives (role, action) of the stored move of a ply."""


def conduct(
    row: Row, player_id: int | None, command: Command, now: datetime, recorded: Recorded
) -> Change:
    """Carry out the player's command. Raises `Refused`; a repeat changes nothing."""
    seat = row.seat_of(player_id)
    if seat is None:
        raise Refused("not-a-player")
    after = _CONDUCT[type(command)](row, seat, command, now, recorded)
    if after.row is row:
        return after
    return replace(after, row=replace(after.row, version=row.version + 1))


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
    )


def _play(row: Row, seat: int, command: Play, now: datetime, recorded: Recorded) -> Change:
    role = row.rules.roles[seat]
    if command.ply < row.ply and recorded(command.ply) == (role, command.action):
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
    played = replace(
        row,
        ply=row.ply + 1,
        notation=after.notation,
        last=command.action,
        acted=row.acted | 1 << seat,
        acted_at=now,
        started_at=row.started_at or now,
        draw_by=None if row.draw_by == 1 - seat else row.draw_by,  # to act is to decline
    )
    if after.goals is not None:
        played = end(
            played, "rules", (after.goals[row.rules.roles[0]], after.goals[row.rules.roles[1]]), now
        )
    spent = max(0, round((now - row.acted_at).total_seconds() * 1000))
    return Change(played, NewMove(row.id, row.ply, role, command.action, now, spent))


def _resign(row: Row, seat: int, _: Resign, now: datetime, __: Recorded) -> Change:
    _must_be_live(row)
    return Change(end(row, "resignation", (0, 100) if seat == 0 else (100, 0), now))


def _abort(row: Row, _: int, __: Abort, now: datetime, ___: Recorded) -> Change:
    _must_be_live(row)
    if row.acted == BOTH:
        raise Refused("not-allowed")
    return Change(end(row, "aborted", (0, 0), now))


def _offer_draw(row: Row, seat: int, _: OfferDraw, now: datetime, __: Recorded) -> Change:
    _must_be_live(row)
    if row.draw_by == seat:
        return Change(row)
    if row.draw_by is not None:
        return _agree(row, now)  # both offer: they agree
    if not _may_offer_draw(row, seat):
        raise Refused("not-allowed")
    return Change(replace(row, draw_by=seat, draw_ply=row.ply))


def _accept_draw(row: Row, seat: int, _: AcceptDraw, now: datetime, __: Recorded) -> Change:
    _must_be_live(row)
    if row.draw_by != 1 - seat:
        raise Refused("not-allowed")
    return _agree(row, now)


def _decline_draw(row: Row, seat: int, _: DeclineDraw, __: datetime, ___: Recorded) -> Change:
    _must_be_live(row)
    if row.draw_by != 1 - seat:
        raise Refused("not-allowed")
    return Change(replace(row, draw_by=None))


def _rematch(row: Row, seat: int, _: Rematch, __: datetime, ___: Recorded) -> Change:
    if row.status != "over":
        raise Refused("not-allowed")
    if row.rematch_id is not None or row.rematch_by == seat:
        return Change(row)
    if row.rematch_by is None:
        return Change(replace(row, rematch_by=seat))
    return Change(row=replace(row), rematch=True)


def _withdraw_rematch(
    row: Row, seat: int, _: WithdrawRematch, __: datetime, ___: Recorded
) -> Change:
    if row.rematch_by != seat or row.rematch_id is not None:
        return Change(row)
    return Change(replace(row, rematch_by=None))


def _must_be_live(row: Row) -> None:
    if not row.is_live:
        raise Refused("not-live")


def _may_offer_draw(row: Row, seat: int) -> bool:
    """On one's own turn, once, and not in a short game."""
    return (
        row.ply >= DRAW_FROM_PLY
        and row.draw_by is None
        and row.draw_ply != row.ply
        and row.turn == row.rules.roles[seat]
    )


def _agree(row: Row, now: datetime) -> Change:
    return Change(end(row, "agreement", (50, 50), now))


_CONDUCT: dict[type[Command], Callable[[Row, int, Any, datetime, Recorded], Change]] = {
    Play: _play,
    Resign: _resign,
    Abort: _abort,
    OfferDraw: _offer_draw,
    AcceptDraw: _accept_draw,
    DeclineDraw: _decline_draw,
    Rematch: _rematch,
    WithdrawRematch: _withdraw_rematch,
}
