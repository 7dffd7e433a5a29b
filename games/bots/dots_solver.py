"""A solver for Dots and Boxes positions, which it converts to sets of undrawn lines."""

import random
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from games.bots import dots_lines, dots_search
from games.rules.dots_and_boxes import LINES, ROLES, DotsAndBoxes


def _bits() -> list[tuple[int, int]]:
    """Return the search's bits (across, down) of each line of the rules. One of the two is 0."""
    found = []
    for x1, y1, _, y2 in LINES:
        bit = 1 << 6 * (y1 - 1) + x1 - 1
        found.append((bit, 0) if y1 == y2 else (0, bit))
    return found


_BITS = _bits()
ACTIONS = tuple("draw {} {} {} {}".format(*line) for line in LINES)
# For each line number of the search, the line of the rules.
LINE_OF = {
    (a.bit_length() - 1 if a else dots_lines.DOWN + d.bit_length() - 1): i
    for i, (a, d) in enumerate(_BITS)
}


class Undrawn(NamedTuple):
    """The undrawn lines, as the two sets that the search uses."""

    across: int
    down: int

    def without(self, line: int) -> "Undrawn":
        a, d = _BITS[line]
        return Undrawn(self.across & ~a, self.down & ~d)

    def lines(self) -> list[int]:
        return [i for i, (a, d) in enumerate(_BITS) if self.across & a or self.down & d]


class Settled(NamedTuple):
    """The result of `dots_lines.settle`, with the quiet set as one object."""

    rest: Undrawn
    taken: int
    choice: int


def undrawn(position: DotsAndBoxes) -> Undrawn:
    across = down = 0
    for i, (a, d) in enumerate(_BITS):
        if not position.lines >> i & 1:
            across |= a
            down |= d
    return Undrawn(across, down)


def lead(position: DotsAndBoxes) -> int:
    """Return the lead of the role in control, in boxes."""
    ahead = position.x_boxes.bit_count() - position.o_boxes.bit_count()
    return ahead if position.turn == ROLES[0] else -ahead


def settle(lines: Undrawn) -> Settled:
    across, down, taken, choice = dots_lines.settle(lines.across, lines.down)
    return Settled(Undrawn(across, down), taken, choice)


def boxes_left(lines: Undrawn) -> int:
    left: int = dots_lines.boxes_left(lines.across, lines.down)
    return left


def taking(lines: Undrawn, settled: Settled) -> list[int]:
    """Return lines that take a box before `settle` has a choice to take or leave boxes."""
    found = []
    left = boxes_left(lines)
    for line in lines.lines():
        after = lines.without(line)
        gain = left - boxes_left(after)
        if gain and settle(after) == settled._replace(taken=settled.taken - gain):
            found.append(line)
    return found


def completing(lines: Undrawn) -> list[int]:
    """Return the lines that take a box."""
    left = boxes_left(lines)
    return [line for line in lines.lines() if boxes_left(lines.without(line)) < left]


def leaving(lines: Undrawn, settled: Settled) -> int:
    """Return the line that leaves the last boxes on offer to the opponent and passes control."""
    left_behind = Settled(settled.rest, settled.choice, 0)
    return next(
        line
        for line in lines.lines()
        if boxes_left(lines.without(line)) == boxes_left(lines)
        and settle(lines.without(line)) == left_behind
    )


class OutOfNodesError(Exception):
    """The search has used up its nodes."""


NODES_PER_SECOND = 2_500_000  # a core searches 2.8 to 4.3 million; fewer if many lines are undrawn
_LARGEST = 22  # the base-2 logarithm of the size of the largest table, which takes 64 MB


class Solver:
    """A solver of exact margins. Its searches raise `OutOfNodesError` if its nodes are used up."""

    def __init__(
        self, nodes: int, order: random.Random | None = None, *, largest: bool = False
    ) -> None:
        size = 1 << (_LARGEST if largest else max(10, min(_LARGEST, nodes.bit_length())))
        self._keys = np.zeros(size, np.int64)
        self._data = np.zeros(size, np.int64)
        # From game to game, vary the order in which equally good lines are tried.
        ranks = [order.randrange(64) if order else 0 for _ in range(dots_lines.LINES)]
        self._history = np.array(ranks, np.int64)
        self._stack = np.zeros((64, dots_search.COLUMNS), np.int64)
        self.counters = np.array([0, nodes], np.int64)

    @property
    def table(self) -> tuple[dots_lines.Words, dots_lines.Words]:
        """Return the keys and the entries of the table."""
        return self._keys, self._data

    @property
    def searched(self) -> int:
        """Return how many nodes have been searched so far."""
        return int(self.counters[dots_search.NODES])

    def allow(self, nodes: int) -> None:
        """Set the number of nodes that can still be searched."""
        limit = self.counters[dots_search.LIMIT]
        self.counters[dots_search.NODES] = min(self.counters[dots_search.NODES], limit)
        self.counters[dots_search.LIMIT] = self.counters[dots_search.NODES] + nodes

    def reaches(self, rest: Undrawn, goal: int) -> bool:
        """Return whether the role in control can reach a margin of `goal` from a quiet set."""
        reached: bool = dots_search.reaches(
            *rest, goal, 0, *self.table, self._history, self._stack, self.counters
        )
        if self.counters[dots_search.NODES] > self.counters[dots_search.LIMIT]:
            raise OutOfNodesError
        return reached

    def gets(self, lines: Undrawn, goal: int) -> bool:
        """Return whether the role in control can reach a margin of `goal` from any set."""
        rest, taken, choice = settle(lines)
        return self.gets_rest(rest, choice, goal - taken)

    def gets_rest(self, rest: Undrawn, choice: int, goal: int) -> bool:
        """Return whether `goal` can be reached in a quiet set after a choice about `choice` boxes.

        The choice is to take these boxes or to leave them to the opponent.
        """
        if not choice:
            return self.reaches(rest, goal)
        return (
            goal <= 0
            or self.reaches(rest, goal - choice)
            or not self.reaches(rest, 1 - goal - choice)
        )

    def keeps(self, lines: Undrawn, line: int, goal: int) -> bool:
        """Return whether the role can still reach the margin after it draws the line."""
        after = lines.without(line)
        gain = boxes_left(lines) - boxes_left(after)
        return self.gets(after, goal - gain) if gain else not self.gets(after, 1 - goal)

    def best_line(self, rest: Undrawn) -> int | None:
        """Return the line that last reached a goal in the quiet set, or None if none is stored."""
        best: int = dots_search.best_line(*rest, self._keys, self._data, self._stack[0])
        return LINE_OF.get(best)


@dataclass(frozen=True)
class Solved:
    """The solution of a quiet set: whether it is won, and a line that keeps the best known margin.

    `margin` is None if the solver ran out of nodes before it found the margin. `line` is None if
    the solver has not stored a line.
    """

    is_won: bool
    line: int | None
    margin: int | None


def solve(solver: Solver, rest: Undrawn, ahead: int, for_margin: int | None = None) -> Solved:
    """Find the winner of a quiet set, and then the margin.

    The search for the margin uses at most `for_margin` nodes. Raise `OutOfNodesError` if the solver
    runs out of nodes before it finds the winner.
    """
    left = boxes_left(rest)
    least, most = -left, left
    goal = 1 - ahead
    goal += (goal ^ left) & 1
    is_won = solver.reaches(rest, goal)
    line, limit = None, int(solver.counters[dots_search.LIMIT])
    if for_margin is not None:
        solver.allow(min(for_margin, limit - solver.searched))
    try:
        reached = is_won
        while True:
            if reached:
                least = max(least, goal)
                best = solver.best_line(rest)
                line = line if best is None else best
            else:
                most = min(most, goal - 2)
            if least >= most:
                break
            goal = (least + most) // 2 + 1
            goal += (goal ^ left) & 1
            reached = solver.reaches(rest, goal)
    except OutOfNodesError:
        pass
    if for_margin is not None:
        solver.allow(limit - solver.searched)
    return Solved(is_won, line, least if least >= most else None)
