"""Boards of Six in a Row on which nobody can win any more, proved by the rules alone.

A place for six, a window, is alive for a colour while its six cells hold no stone of the other and
the cells beyond them, where there are any, no stone at all. Stones never leave the board, so what
is dead stays dead. The rules play on until the board is full; who plays may stop before.
"""

from collections.abc import Iterator
from functools import lru_cache

from games.rules import Position
from games.rules.six_in_a_row import BITS, LENGTH, SIDE, SixInARow

FROM_PLY = 40  # earlier no board is dead: a stone ends at most 32 windows of a colour, of 500
_BOARD = sum(BITS.values())
_STEPS = (1, SIDE + 1, SIDE + 2, SIDE)  # to the next cell of a state, a column and both diagonals


def can_be_dead(slug: str) -> bool:
    """Whether the game goes on when nobody can win it any more."""
    return slug == "six-in-a-row"


def is_dead(position: Position) -> bool:
    """Whether neither role can win any more, whatever either does. False of other games."""
    if not isinstance(position, SixInARow) or position.black_seat is None:
        return False
    return _is_dead(position.black, position.white)


def is_flat(position: Position) -> bool:
    """Whether either role can keep the other from winning by mere answers: it is dead, or no stone
    brings two windows of a colour nearer to six at once and none has more than three stones."""
    if not isinstance(position, SixInARow) or position.black_seat is None:
        return False
    black, white = position.black, position.white
    return _is_answered(black, white) and _is_answered(white, black)


@lru_cache(maxsize=4096)
def _is_dead(black: int, white: int) -> bool:
    taken = black | white
    return not any(_alive(other, taken, step) for other in (white, black) for step in _STEPS)


def _alive(other: int, taken: int, step: int) -> int:
    """The first cells of the windows in which the colour that `other` is not can still win."""
    free = _BOARD & ~other
    pairs = free & free >> step
    fours = pairs & pairs >> 2 * step
    return fours & pairs >> 4 * step & ~(taken << step) & ~(taken >> LENGTH * step)


def _windows(other: int, taken: int) -> Iterator[int]:
    for step in _STEPS:
        starts = _alive(other, taken, step)
        while starts:
            first = starts & -starts
            starts ^= first
            yield sum(first << step * i for i in range(LENGTH))


def _is_answered(own: int, other: int) -> bool:
    taken = own | other
    wanted = 0
    for window in _windows(other, taken):
        if (window & own).bit_count() > 3 or window & ~own & wanted:
            return False
        wanted |= window & ~own
    return True
