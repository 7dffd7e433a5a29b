"""Checks that replaying a stored match gives the stored position and result.

The functions are pure except for the key of the digests. None of them raises, even if the database
was tampered with.
"""

from collections.abc import Sequence

from msgspec import Struct

from games.match.state import BOTH, MatchState, NewMove
from games.rules import GAMES, IllegalAction, Position
from games.store import digests as digest


class MatchFault(Struct, frozen=True):
    """A fault of a stored match as a sentence, with the ply (from 0) if it is about a move."""

    words: str
    ply: int | None = None


class Replay(Struct, frozen=True):
    """The positions before the first move and after each move, up to the first illegal move.

    There are no positions if the game is unknown.
    """

    positions: tuple[Position, ...]
    # The first missing or illegal move, or the unknown game. None if all moves are legal.
    fault: MatchFault | None


def replay_moves(state: MatchState, moves: Sequence[NewMove]) -> Replay:
    """Return the replay of the moves, which must be sorted by ply."""
    game = GAMES.get(state.game)
    if game is None:
        return Replay((), MatchFault(f"There is no game {state.game!r}."))
    position = game.get_start(state.options)
    positions = [position]
    for expected, move in enumerate(moves):
        fault = None
        if move.ply != expected:
            fault = MatchFault(f"Move {expected} is missing: the next is {move.ply}.", expected)
        elif position.turn is None:
            fault = MatchFault("A move after the end of the game.", expected)
        elif move.role != position.turn:
            fault = MatchFault(
                f"{move.role!r} moved where {position.turn!r} was to move.", expected
            )
        else:
            try:
                position = position.play(move.action)
            except IllegalAction:
                fault = MatchFault(f"The rules do not allow {move.action!r} there.", expected)
        if fault is not None:
            return Replay(tuple(positions), fault)
        positions.append(position)
    return Replay(tuple(positions), None)


def find_faults(state: MatchState, moves: Sequence[NewMove]) -> list[MatchFault]:
    """Return the differences between a stored match and the result of its moves.

    After an illegal move, the stored position and result are not compared.
    """
    played = replay_moves(state, moves)
    found = [] if played.fault is None else [played.fault]
    if not found:
        found += _of_position(state, moves, played.positions[-1])
    found += [MatchFault(words) for words in digest.find_digest_faults(state, moves)]
    return found


def _of_position(
    state: MatchState, moves: Sequence[NewMove], position: Position
) -> list[MatchFault]:
    found = []
    if state.ply != len(moves):
        found.append(MatchFault(f"{state.ply} moves are noted and {len(moves)} are stored."))
    if state.notation != position.notation:
        found.append(
            MatchFault(
                f"The moves lead to {position.notation}, and {state.notation} is stored.", state.ply
            )
        )
    if state.last != (moves[-1].action if moves else ""):
        found.append(MatchFault("The last action noted is not the last move."))
    roles = state.rules.roles
    if state.acted != sum({1 << roles.index(move.role) for move in moves}):
        found.append(MatchFault("Who has acted is noted wrongly."))
    return found + _of_result(state, position)


_GOALS = {
    "aborted": ({0},),
    "voided": ({0},),
    "agreement": ({50},),
    "resignation": ({0, 100},),
    "time": ({0, 100},),
    "abandoned": ({0, 100}, {50}),
}
"""The possible goals for each kind of end. The rules give the goals of a match that ended by them,
and adjudicated matches may have any goals."""


def _of_result(state: MatchState, position: Position) -> list[MatchFault]:
    words = _wrong_with_result(state, position)
    return [MatchFault(words)] if words else []


def _wrong_with_result(state: MatchState, position: Position) -> str:
    goals, words = state.goals, ""
    if state.is_live:
        if position.is_over or state.ended or goals is not None or state.ended_at is not None:
            words = "The match is live and has an end."
    elif goals is None or state.ended_at is None or not state.ended:
        words = "The match is over and has no result."
    elif state.ended == "rules" and goals != position.goals:
        words = f"By the rules the result is {position.goals or 'open'}, and {goals} is stored."
    elif position.is_over and state.ended not in {"rules", "voided", "adjudicated"}:
        words = f"The rules ended the game, and {state.ended!r} is stored."
    elif state.ended in _GOALS and set(goals.values()) not in _GOALS[state.ended]:
        words = f"{goals} cannot be the result of a match that ended so: {state.ended}."
    elif (state.status == "aborted") != (state.ended == "aborted"):
        words = f"The status {state.status} does not fit the end: {state.ended}."
    elif state.ended == "aborted" and state.acted == BOTH:
        words = "The match was aborted after both had acted."
    return words
