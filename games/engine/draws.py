"""When the computer ends what nobody can win: pure."""

from games.match.commands import AcceptDraw, ClaimDraw, OfferDraw
from games.match.dead import FROM_PLY, can_be_dead, is_dead, is_flat
from games.match.state import MatchState

_OFFER_EVERY = 20  # plies between two offers that it makes


def draw_command(state: MatchState, seat: int) -> AcceptDraw | ClaimDraw | OfferDraw | None:
    """What the computer, whose turn it is, asks of the match before it acts.

    It claims a draw on a dead board, and on one that is as good as dead accepts a draw or offers
    one; else it says nothing, and declines by acting.
    """
    if state.ply < FROM_PLY or not can_be_dead(state.game):
        return None
    position = state.position
    if is_dead(position):
        return ClaimDraw()
    if not is_flat(position):
        return None
    if state.draw_by == 1 - seat:
        return AcceptDraw()
    if state.draw_by is None and (
        state.draw_ply is None or state.ply - state.draw_ply >= _OFFER_EVERY
    ):
        return OfferDraw()
    return None
