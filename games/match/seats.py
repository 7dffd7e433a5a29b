"""The seat that a command is for. One player can control both seats, on a shared screen."""

from collections.abc import Sequence

from games.match.commands import AcceptDraw, DeclineDraw, Play, PlayerCommand
from games.match.state import Context, MatchState

BOTH_SEATS = (0, 1)


def seat_in_hand(state: MatchState, seats: Sequence[int]) -> int | None:
    """Return the seat for which the player of these seats acts now.

    A player with one seat acts for that seat, and a player with both seats for the seat to move.
    Return None for a watcher, and for a player with both seats once the match is over.
    """
    if len(seats) == 1:
        return seats[0]
    turn = state.turn if seats else None
    return None if turn is None else state.rules.roles.index(turn)


def seat_for(
    state: MatchState, seats: Sequence[int], command: PlayerCommand, context: Context
) -> int:
    """Return the seat that a command is for.

    If the player has both seats, this is the seat to move, with two exceptions: a draw offer is
    answered by the seat that did not make it, and a repeated action belongs to the seat that played
    it. Once the match is over, it is seat 0.
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
