"""Choosing a line by playouts in Dots and Boxes positions that are too early to solve."""

import numpy as np

from games.bots import dots_playouts
from games.bots.dots_solver import (
    LINE_OF,
    OutOfNodesError,
    Solver,
    Undrawn,
    completing,
    leaving,
    settle,
    taking,
)

PLAYOUTS_PER_SECOND = 240_000  # a core makes 330,000; more once fewer lines are undrawn
_MOST_NODES = 1 << 19  # the maximum number of nodes in the tree
_NODES_EACH = 30_000  # the solver's node limit for one node of the tree
_SPREAD, _START = 2654435761, 88172645463325252  # constants that spread similar seeds over all bits


class Explored:
    """A tree of playouts from a quiet set. `ahead` is the lead of the role in control, in boxes.

    If `solver` is given, the tree uses its table, and the solver may search `to_search` more nodes
    for proofs.
    """

    def __init__(
        self,
        rest: Undrawn,
        ahead: int,
        playouts: int,
        seed: int,
        solver: Solver | None = None,
        to_search: int = 0,
    ) -> None:
        size = min(_MOST_NODES, 256 + 16 * playouts)
        self._nodes = np.zeros((size, dots_playouts.COLUMNS), np.int64)
        self._worths = np.zeros(size)
        self.worth = 1.0 if ahead > 0 else 0.0
        if not (rest.across or rest.down):
            return
        state = np.array([seed * _SPREAD + _START, 0], np.int64)
        table = (solver or Solver(0)).table
        while True:
            node = dots_playouts.explore(
                *rest, ahead, playouts, state, self._nodes, self._worths, *table, solver is not None
            )
            if solver is None or node < 0:
                break
            to_search -= self._solve(node, solver, min(to_search, _NODES_EACH))
        proof, visits = self._nodes[0, [dots_playouts.PROOF, dots_playouts.VISITS]]
        if proof:
            self.worth = 1.0 if proof == dots_playouts.WON else 0.0
        else:
            self.worth = float(self._worths[0]) / max(1, int(visits))

    def _solve(self, node: int, solver: Solver, nodes: int) -> int:
        """Try to solve a node of the tree, and return the number of nodes searched."""
        row = self._nodes[node]
        side, lead = int(row[dots_playouts.SIDE]), int(row[dots_playouts.LEAD])
        rest = Undrawn(int(row[dots_playouts.ACROSS]), int(row[dots_playouts.DOWNWARD]))
        before = solver.searched
        solver.allow(max(0, nodes))
        try:
            goal = lead if side else 1 - lead
            reached = solver.gets_rest(rest, int(row[dots_playouts.CHOICE]), goal)
        except OutOfNodesError:
            return nodes
        wins = reached != bool(side)
        row[dots_playouts.PROOF] = dots_playouts.WON if wins else dots_playouts.LOST
        dots_playouts.pass_up(self._nodes, int(row[dots_playouts.PARENT]))
        return solver.searched - before

    def _favourite(self) -> int:
        children = int(self._nodes[0, dots_playouts.CHILDREN])
        proofs = self._nodes[1 : 1 + children, dots_playouts.PROOF]
        visits = self._nodes[1 : 1 + children, dots_playouts.VISITS].copy()
        visits[proofs == dots_playouts.WON] += 1 << 40
        visits[proofs == dots_playouts.LOST] -= 1 << 40
        return 1 + int(np.argmax(visits))

    @property
    def best_worth(self) -> float:
        if self._nodes[0, dots_playouts.PROOF]:
            return self.worth
        child = self._favourite()
        visits = int(self._nodes[child, dots_playouts.VISITS])
        return float(self._worths[child]) / visits if visits else self.worth

    @property
    def line(self) -> int:
        return LINE_OF[int(self._nodes[self._favourite(), dots_playouts.MOVE])]


def explore_line(
    lines: Undrawn,
    ahead: int,
    playouts: int,
    seed: int,
    solver: Solver | None = None,
    to_search: int = 0,
) -> tuple[int, float]:
    """Return the line with the best result in the playouts, and its value, 0 to 1.

    If boxes are on offer that must be taken in any case, return a line that takes one. If `solver`
    is given, use its table and let it search `to_search` more nodes.
    """
    settled = settle(lines)
    ahead += settled.taken
    if not settled.choice:
        explored = Explored(settled.rest, ahead, playouts, seed, solver, to_search)
        line = taking(lines, settled)[0] if settled.taken else explored.line
        return line, explored.best_worth
    choice = settled.choice
    half = playouts // 2, seed, solver, to_search // 2
    kept = Explored(settled.rest, ahead + choice, *half).best_worth
    left = 1.0 - Explored(settled.rest, choice - ahead, *half).best_worth
    if settled.taken:
        line = taking(lines, settled)[0]
    else:
        line = completing(lines)[0] if kept >= left else leaving(lines, settled)
    return line, max(kept, left)
