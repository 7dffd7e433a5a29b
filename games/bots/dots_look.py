"""What a position of Dots and Boxes holds, and what a line leaves of it, for the review.

A finished match is reviewed backwards: each position is solved with what is known of those that
came after it, in one table, and what an easy position leaves of its share goes to a harder one.
"""

from games.bots.bot import Look, Review
from games.bots.dots_solver import (
    ACTIONS,
    NODES_PER_SECOND,
    OutOfNodesError,
    Solver,
    Undrawn,
    boxes_left,
    completing,
    lead,
    leaving,
    settle,
    solve,
    taking,
    undrawn,
)
from games.bots.dots_tree import PLAYOUTS_PER_SECOND, played
from games.rules.dots_and_boxes import ROLES, DotsAndBoxes

_SHARE = 0.95  # of a budget; the rest is for tables and Python
_MOST_AT_ONCE = 6.0  # seconds for one position of a review
_GIVES_UP = 2  # positions not solved, after which those before them are not tried
_FOR_MARGIN = 300_000  # nodes to find by how much, once it is known who wins
# Points. Of 250 moves that were checked by solving, both that lost more than 50 by either search
# lost the game; so did a quarter of those that lost next to nothing: playouts call none kept.
_NOISE, _TELLS = 50.0, -1.0
_ALIKE = 5.0  # points that lie closer are not told apart
_FEWER = 4  # times as few playouts for the first of the two searches

# Best line, value, after, and whether the role in control wins: all exact.
_Solution = tuple[int, bool, bool]


def look(position: DotsAndBoxes, action: str, solver: Solver, budget: float) -> Look:
    """A look at one position by itself, with a solver that has the nodes for it."""
    solution = _solve(position, action, solver)
    return _proved(position, solution) if solution else _played(position, action, budget)


class DotsReview(Review[DotsAndBoxes]):
    """The looks at a match, from its last position to its first; `budget` is for each, seconds."""

    def __init__(self, budget: float) -> None:
        self._budget = budget
        self._solver = Solver(0, largest=True)
        self._nodes = 0  # that may be searched
        self._failed = 0

    def look(self, position: DotsAndBoxes, action: str) -> Look:
        self._nodes += int(self._budget * _SHARE * NODES_PER_SECOND)
        if self._failed < _GIVES_UP:
            self._solver.allow(min(self._nodes, int(_MOST_AT_ONCE * NODES_PER_SECOND)))
            before = self._solver.searched
            solution = _solve(position, action, self._solver)
            self._nodes -= self._solver.searched - before
            if solution:
                self._failed = 0
                return _proved(position, solution)
            self._failed += 1
        return _played(position, action, self._budget)


def _solve(position: DotsAndBoxes, action: str, solver: Solver) -> _Solution | None:
    """The best line, whether the role in control wins, and whether it still does after the action;
    None where the nodes do not suffice."""
    lines, ahead, line = undrawn(position), lead(position), ACTIONS.index(action)
    settled = settle(lines)
    try:
        best = None
        if not settled.taken and not settled.choice:
            solved = solve(solver, settled.rest, ahead, _FOR_MARGIN)
            is_won, best = solved.is_won, solved.line
            if solved.margin is not None and solver.keeps(lines, line, solved.margin):
                best = line
        else:
            is_won = solver.gets(lines, 1 - ahead)
            good = taking(lines, settled)
            if not good:
                takes = solver.reaches(settled.rest, -settled.choice)
                good = completing(lines) if takes else [leaving(lines, settled)]
            best = line if line in good else good[0]
        keeps = line == best or (is_won and solver.keeps(lines, line, 1 - ahead))
    except OutOfNodesError:
        return None
    if best is None and not is_won:
        best = line  # whatever is drawn, it is lost
    return None if best is None else (best, is_won, keeps and is_won)


def _proved(position: DotsAndBoxes, solution: _Solution) -> Look:
    best, is_won, keeps = solution
    value, after = (100.0 if won else 0.0 for won in (is_won, keeps))
    return Look(ACTIONS[best], value, after, _standing(position, value), proved=True)


def _played(position: DotsAndBoxes, action: str, budget: float) -> Look:
    lines, ahead, line = undrawn(position), lead(position), ACTIONS.index(action)
    most = int(budget * _SHARE * PLAYOUTS_PER_SECOND) // 4 + 1
    best, hoped = played(lines, ahead, most, 0)
    losses, value, after = [], 0.0, 0.0
    for seed, playouts in enumerate((most // _FEWER + 1, most)):
        # Both lines by the same measure, which favours whoever acts next: so neither is wronged.
        value = _worth_after(lines, ahead, best, playouts, seed)
        after = value if line == best else _worth_after(lines, ahead, line, playouts, seed)
        losses.append(value - after)
    # A line that is as good, but for noise, costs nothing.
    if losses[-1] <= _ALIKE:
        best = line if losses[-1] <= 0 else best
        value = after = max(value, after)
    # The one favours the role in control, the other its opponent: in the middle is who stands how.
    own = (100 * hoped + value) / 2
    standing = _standing(position, own)
    return Look(
        ACTIONS[best],
        value,
        after,
        standing,
        False,
        losses=tuple(losses),
        noise=_NOISE,
        tells=_TELLS,
    )


def _worth_after(lines: Undrawn, ahead: int, line: int, playouts: int, seed: int) -> float:
    """What drawing the line is worth to the role in control, 0 to 100."""
    drawn = lines.without(line)
    gain = boxes_left(lines) - boxes_left(drawn)
    _, worth = played(drawn, ahead + gain if gain else -ahead, playouts, seed)
    return 100 * (worth if gain else 1.0 - worth)


def _standing(position: DotsAndBoxes, own: float) -> float:
    return own if position.turn == ROLES[0] else 100.0 - own
