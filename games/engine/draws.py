"""When the computer claims, offers or accepts a draw. Pure functions."""

from games.match.commands import AcceptDraw, ClaimDraw, OfferDraw
from games.match.state import MatchState

_OFFER_EVERY = 20  # plies between two offers


def draw_command(state: MatchState, seat: int) -> AcceptDraw | ClaimDraw | OfferDraw | None:
    """The command about a draw that the computer sends before its action, if any.

    On a dead board it claims the draw. If the board is as good as dead, it accepts the other's
    offer or makes one. Otherwise it sends nothing; by its action it declines an offer.
    """
    if not state.rules.can_be_dead:
        return None
    position = state.position
    if position.is_dead:
        return ClaimDraw()
    if not position.is_flat:
        return None
    if state.draw_by == 1 - seat:
        return AcceptDraw()
    if state.draw_by is None and (
        state.draw_ply is None or state.ply - state.draw_ply >= _OFFER_EVERY
    ):
        return OfferDraw()
    return None
