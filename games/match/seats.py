"""Selection of the seat for a command, for players who share a screen and control both seats."""

from collections.abc import Sequence

from games.match.commands import AcceptDraw, DeclineDraw, Play, PlayerCommand
from games.match.state import Context, MatchState

BOTH_SEATS = (0, 1)


def seat_in_hand(state: MatchState, seats: Sequence[int]) -> int | None:
    """Return the seat that the player of these seats acts for now.

    This is their only seat or, if they have both, the seat to move. Return None for a watcher, and
    for a player with both seats if the match is over.
    """
    if len(seats) == 1:
        return seats[0]
    turn = state.turn if seats else None
    return None if turn is None else state.rules.roles.index(turn)


def seat_for(
    state: MatchState, seats: Sequence[int], command: PlayerCommand, context: Context
) -> int:
    """Return the seat that a command is for.

    If the player has both seats, this is the seat to move. The other seat answers a draw offer, and
    a repeated action belongs to the seat that played it.
    """
    if len(seats) == 1:
        return seats[0]
    if isinstance(command, AcceptDraw | DeclineDraw) and state.draw_by is not None:
        return 1 - state.draw_by
    if isinstance(command, Play) and command.ply < state.ply:
        known = context.recorded(command.ply)
        if known is not None and known[0] in state.rules.roles:
            return state.rules.roles.index(known[0])
    return seat_in_hand(state, seats) or 0
