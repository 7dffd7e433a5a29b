"""Whoever acts for both seats of a match: two people at one screen, who take turns at it."""

from collections.abc import Sequence

from games.match.commands import AcceptDraw, DeclineDraw, Play, PlayerCommand
from games.match.state import Context, MatchState

BOTH_SEATS = (0, 1)


def seat_in_hand(state: MatchState, seats: Sequence[int]) -> int | None:
    """The seat for which whoever has these seats acts now: their only one, or of both the one whose
    turn it is. None for a watcher, and for both once the match is over."""
    if len(seats) == 1:
        return seats[0]
    turn = state.turn if seats else None
    return None if turn is None else state.rules.roles.index(turn)


def seat_for(
    state: MatchState, seats: Sequence[int], command: PlayerCommand, context: Context
) -> int:
    """The seat for which a command is meant: of both, the one whose turn it is, but an offer is
    answered by the other, and an action that is sent again is its player's."""
    if len(seats) == 1:
        return seats[0]
    if isinstance(command, AcceptDraw | DeclineDraw) and state.draw_by is not None:
        return 1 - state.draw_by
    if isinstance(command, Play) and command.ply < state.ply:
        known = context.recorded(command.ply)
        if known is not None and known[0] in state.rules.roles:
            return state.rules.roles.index(known[0])
    return seat_in_hand(state, seats) or 0
