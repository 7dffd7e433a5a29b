"""Draws by agreement: offered on one's own turn, accepted, declined."""

from datetime import datetime

from msgspec.structs import replace

from games.match.commands import AcceptDraw, DeclineDraw, OfferDraw
from games.match.ends import end, must_be_live
from games.match.state import Change, Circumstances, Row
from games.words.refusal import Refused

DRAW_FROM_PLY = 20  # no draw by agreement in games of fewer actions


def offer_draw(row: Row, seat: int, _: OfferDraw, so: Circumstances) -> Change:
    """Offer a draw; where the other has offered one, that is to agree. Raises `Refused`."""
    must_be_live(row)
    if row.draw_by == seat:
        return Change(row)
    if row.draw_by is not None:
        return _agree(row, so.now)  # both offer: they agree
    if not may_offer_draw(row, seat):
        raise Refused("not-allowed")
    return Change(replace(row, draw_by=seat, draw_ply=row.ply))


def accept_draw(row: Row, seat: int, _: AcceptDraw, so: Circumstances) -> Change:
    """Agree to the other's offer. Raises `Refused`."""
    must_be_live(row)
    if row.draw_by != 1 - seat:
        raise Refused("not-allowed")
    return _agree(row, so.now)


def decline_draw(row: Row, seat: int, _: DeclineDraw, __: Circumstances) -> Change:
    """Decline the other's offer. Raises `Refused`."""
    must_be_live(row)
    if row.draw_by != 1 - seat:
        raise Refused("not-allowed")
    return Change(replace(row, draw_by=None))


def may_offer_draw(row: Row, seat: int) -> bool:
    """On one's own turn, once, and not in a short game. The computer plays on."""
    return (
        row.ply >= DRAW_FROM_PLY
        and row.draw_by is None
        and row.draw_ply != row.ply
        and row.turn == row.rules.roles[seat]
        and row.levels[1 - seat] is None
    )


def _agree(row: Row, now: datetime) -> Change:
    return Change(end(row, "agreement", (50, 50), now))
