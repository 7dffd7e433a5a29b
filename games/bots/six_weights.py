"""The value of an empty Six in a Row cell to a colour, by the kinds of its two best windows."""

import numpy as np

from games.bots.six_board import KINDS, Ints

# The value of a single window, by its kind.
_ALONE = (0, 10, 20, 50, 70, 130, 180, 300, 380, 500, 600)


def _pairs(alone: tuple[int, ...], fork: float) -> Ints:
    """Return the value of each pair of kinds: their sum, with a bonus for a fork."""
    table = np.zeros(KINDS * KINDS, dtype=np.int64)
    for best in range(KINDS):
        for second in range(best + 1):
            crossing = fork * 5 * (alone[second] / 10) ** 1.5
            table[best * KINDS + second] = alone[best] + alone[second] + crossing
    return table


PROMISE = _pairs(_ALONE, 1.0)
