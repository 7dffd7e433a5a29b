"""The computer's draw claims, offers and acceptances. Pure functions."""

from games.match.commands import AcceptDraw, ClaimDraw, OfferDraw
from games.match.state import MatchState

_OFFER_EVERY = 20  # plies between two offers


def choose_draw_command(state: MatchState, seat: int) -> AcceptDraw | ClaimDraw | OfferDraw | None:
    """Return the draw command that the computer sends before its action, if any.

    On a dead board, the computer claims the draw. If neither player can force a win, it accepts the
    opponent's offer or makes one. Otherwise it sends nothing; its action then declines any offer.
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
