"""What an empty cell of Six in a Row is worth to a colour, by its two best kinds of windows."""

import numpy as np

from games.bots.six_board import KINDS, Ints

_ALONE = (0, 10, 20, 50, 70, 130, 180, 300, 380, 500, 600)  # by kind


def _pairs(alone: tuple[int, ...], fork: float) -> Ints:
    """For each pair of kinds: the sum of both, and more if together they make a fork."""
    table = np.zeros(KINDS * KINDS, dtype=np.int64)
    for best in range(KINDS):
        for second in range(best + 1):
            crossing = fork * 5 * (alone[second] / 10) ** 1.5
            table[best * KINDS + second] = alone[best] + alone[second] + crossing
    return table


PROMISE = _pairs(_ALONE, 1.0)
