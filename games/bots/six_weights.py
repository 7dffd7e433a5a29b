"""What a cell promises a colour in Six in a Row, by the two best kinds of windows through it."""

import numpy as np

from games.bots.six_board import KINDS, Ints

_ALONE = (0, 10, 20, 50, 70, 130, 180, 300, 380, 500, 600)  # by kind


def _pairs(alone: tuple[int, ...], fork: float) -> Ints:
    """By pair of kinds: the sum of both, and more where they make a fork."""
    table = np.zeros(KINDS * KINDS, dtype=np.int64)
    for best in range(KINDS):
        for second in range(best + 1):
            crossing = fork * 5 * (alone[second] / 10) ** 1.5
            table[best * KINDS + second] = alone[best] + alone[second] + crossing
    return table


PROMISE = _pairs(_ALONE, 1.0)
