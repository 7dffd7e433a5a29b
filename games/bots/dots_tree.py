"""Dots and Boxes while it is too early to solve it: runs playouts and picks the best line."""

import numpy as np

from games.bots import dots_playouts
from games.bots.dots_solver import LINE_OF, Undrawn, completing, leaving, settle, taking

PLAYOUTS_PER_SECOND = 240_000  # a core makes 330,000, and more once fewer lines are left
_MOST_NODES = 1 << 19  # of the tree


class Explored:
    """A tree of playouts from a quiet set. `ahead`: the lead of the role in control, in boxes."""

    def __init__(self, rest: Undrawn, ahead: int, playouts: int, seed: int) -> None:
        size = min(_MOST_NODES, 256 + 16 * playouts)
        self._nodes = np.zeros((size, dots_playouts.COLUMNS), np.int64)
        self._worths = np.zeros(size)
        self.worth: float
        if rest.across or rest.down:
            self.worth = dots_playouts.explore(
                *rest, ahead, playouts, seed, self._nodes, self._worths
            )
        else:
            self.worth = 1.0 if ahead > 0 else 0.0

    def _favourite(self) -> int:
        children = int(self._nodes[0, dots_playouts.CHILDREN])
        return 1 + int(np.argmax(self._nodes[1 : 1 + children, dots_playouts.VISITS]))

    @property
    def best_worth(self) -> float:
        child = self._favourite()
        visits = int(self._nodes[child, dots_playouts.VISITS])
        return float(self._worths[child]) / visits if visits else self.worth

    @property
    def line(self) -> int:
        return LINE_OF[int(self._nodes[self._favourite(), dots_playouts.MOVE])]


def played(lines: Undrawn, ahead: int, playouts: int, seed: int) -> tuple[int, float]:
    """The line that did best in the playouts, and its worth, 0 to 1."""
    settled = settle(lines)
    ahead += settled.taken
    if not settled.choice:
        explored = Explored(settled.rest, ahead, playouts, seed)
        line = taking(lines, settled)[0] if settled.taken else explored.line
        return line, explored.best_worth
    choice = settled.choice
    kept = Explored(settled.rest, ahead + choice, playouts // 2, seed).best_worth
    left = 1.0 - Explored(settled.rest, choice - ahead, playouts // 2, seed).best_worth
    if settled.taken:
        line = taking(lines, settled)[0]
    else:
        line = completing(lines)[0] if kept >= left else leaving(lines, settled)
    return line, max(kept, left)
