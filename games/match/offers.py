"""Draws, by agreement or by claim when neither player can win any more, and rematches."""

from datetime import datetime

from msgspec.structs import replace

from games.match.commands import (
    AcceptDraw,
    ClaimDraw,
    DeclineDraw,
    OfferDraw,
    Rematch,
    WithdrawRematch,
)
from games.match.ends import end, must_be_live
from games.match.state import Change, Context, MatchState
from games.messages.refusal import Refused

DRAW_FROM_PLY = 20  # plies that must be played before a draw can be offered


def offer_draw(state: MatchState, seat: int, _: OfferDraw, context: Context) -> Change:
    """Offer a draw, or accept the opponent's offer. Raise `Refused` if neither is allowed."""
    must_be_live(state)
    if state.draw_by == seat:
        return Change(state)
    if state.draw_by is not None:
        return _agree(state, context.now)
    if not may_offer_draw(state, seat):
        raise Refused("not-allowed")
    return Change(replace(state, draw_by=seat, draw_ply=state.ply))


def accept_draw(state: MatchState, seat: int, _: AcceptDraw, context: Context) -> Change:
    """Accept the opponent's offer. Raise `Refused` if there is none or the match is over."""
    must_be_live(state)
    if state.draw_by != 1 - seat:
        raise Refused("not-allowed")
    return _agree(state, context.now)


def decline_draw(state: MatchState, seat: int, _: DeclineDraw, __: Context) -> Change:
    """Decline the opponent's offer. Raise `Refused` if there is none or the match is over."""
    must_be_live(state)
    if state.draw_by != 1 - seat:
        raise Refused("not-allowed")
    return Change(replace(state, draw_by=None))


def claim_draw(state: MatchState, _: int, __: ClaimDraw, context: Context) -> Change:
    """End a match that nobody can win any more.

    Raise `Refused` if the match is over, or if this is not proved (`Position.is_dead`).
    """
    must_be_live(state)
    if not may_claim_draw(state):
        raise Refused("not-allowed")
    return _agree(state, context.now)


def may_claim_draw(state: MatchState) -> bool:
    """Return whether either seat may claim a draw, because the position is dead."""
    return state.rules.can_be_dead and state.position.is_dead


def may_offer_draw(state: MatchState, seat: int) -> bool:
    """Return whether the seat may offer a draw: on its own turn, once per turn, and not too early.

    The computer gets offers only in games with dead positions, because it accepts none in others.
    """
    return (
        state.ply >= DRAW_FROM_PLY
        and state.draw_by is None
        and state.draw_ply != state.ply
        and state.turn == state.rules.roles[seat]
        and (state.levels[1 - seat] is None or state.rules.can_be_dead)
    )


def _agree(state: MatchState, now: datetime) -> Change:
    return Change(end(state, "agreement", (50, 50), now))


def rematch(state: MatchState, seat: int, _: Rematch, __: Context) -> Change:
    """Offer a rematch, or accept the opponent's offer. The computer accepts immediately.

    Raise `Refused` if the match is live or was cancelled, or if a tournament arranged it.
    """
    if state.status != "over" or state.arranged:
        raise Refused("not-allowed")
    if state.rematch_id is not None or state.rematch_by == seat:
        return Change(state)
    if state.rematch_by is None and state.levels[1 - seat] is None:
        return Change(replace(state, rematch_by=seat))
    return Change(state=replace(state), rematch=True)


def withdraw_rematch(state: MatchState, seat: int, _: WithdrawRematch, __: Context) -> Change:
    """Withdraw the seat's offer of a rematch, if it has not been accepted."""
    if state.rematch_by != seat or state.rematch_id is not None:
        return Change(state)
    return Change(replace(state, rematch_by=None))
