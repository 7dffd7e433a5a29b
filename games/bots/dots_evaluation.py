"""Evaluation of Dots and Boxes positions, before and after a line is drawn.

A finished match is analysed backwards. All its positions share one table, so that the results for
later positions speed up the search of earlier ones. Nodes that an easy position does not use are
kept for harder positions.
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
from games.bots.dots_tree import PLAYOUTS_PER_SECOND, explore_line
from games.rules.dots_and_boxes import ROLES, DotsAndBoxes

_SHARE = 0.95  # the share of the time budget for searching; the rest is for tables and Python
_MOST_AT_ONCE = 6.0  # the maximum time to solve one position of a review, in seconds
_GIVES_UP = 2  # unsolved positions in a row after which a review stops solving earlier ones
_FOR_MARGIN = 300_000  # nodes for finding the margin, once the winner is known
# Points, measured on 250 moves that were searched with playouts and then solved. The two moves that
# lost more than 50 points in both searches lost the game, but so did a quarter of the moves that
# lost almost nothing. Playouts therefore cannot show that a move is good, and `_TELLS` is below 0.
_NOISE, _TELLS = 50.0, -1.0
_ALIKE = 5.0  # points; differences up to this size are ignored
_FEWER = 4  # the playouts of the second search, divided by those of the first

# A line that wins if any line does, whether the role in control wins, and whether it still wins
# after the evaluated action. All three are exact.
_Solution = tuple[int, bool, bool]


def evaluate(position: DotsAndBoxes, action: str, solver: Solver, budget: float) -> Look:
    """Evaluate a single position, with a solver that has not used up its nodes."""
    solution = _solve_position(position, action, solver)
    return (
        _build_proved(position, solution)
        if solution
        else _evaluate_by_playouts(position, action, budget)
    )


class DotsReview(Review[DotsAndBoxes]):
    """The analysis of a match, with `budget` seconds for each position."""

    def __init__(self, budget: float) -> None:
        self._budget = budget
        self._solver = Solver(0, largest=True)
        self._nodes = 0  # nodes that the review can still search
        self._failed = 0

    def look(self, position: DotsAndBoxes, action: str) -> Look:
        self._nodes += int(self._budget * _SHARE * NODES_PER_SECOND)
        if self._failed < _GIVES_UP:
            self._solver.allow(min(self._nodes, int(_MOST_AT_ONCE * NODES_PER_SECOND)))
            before = self._solver.searched
            solution = _solve_position(position, action, self._solver)
            self._nodes -= self._solver.searched - before
            if solution:
                self._failed = 0
                return _build_proved(position, solution)
            self._failed += 1
        return _evaluate_by_playouts(position, action, self._budget)


def _solve_position(position: DotsAndBoxes, action: str, solver: Solver) -> _Solution | None:
    """Solve a position, and the position after an action.

    Return None if the solver runs out of nodes, or no longer knows a line that wins.
    """
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
        best = line  # every line loses the game
    return None if best is None else (best, is_won, keeps and is_won)


def _build_proved(position: DotsAndBoxes, solution: _Solution) -> Look:
    best, is_won, keeps = solution
    value, after = (100.0 if won else 0.0 for won in (is_won, keeps))
    return Look(ACTIONS[best], value, after, _compute_standing(position, value), proved=True)


def _evaluate_by_playouts(position: DotsAndBoxes, action: str, budget: float) -> Look:
    lines, ahead, line = undrawn(position), lead(position), ACTIONS.index(action)
    most = int(budget * _SHARE * PLAYOUTS_PER_SECOND) // 4 + 1
    best, hoped = explore_line(lines, ahead, most, 0)
    losses, value, after = [], 0.0, 0.0
    for seed, playouts in enumerate((most // _FEWER + 1, most)):
        # Playouts favour the role that acts next. This bias is the same for both lines, so it
        # cancels out in the difference.
        value = _compute_worth_after(lines, ahead, best, playouts, seed)
        after = value if line == best else _compute_worth_after(lines, ahead, line, playouts, seed)
        losses.append(value - after)
    # Ignore a difference that can be due to chance.
    if losses[-1] <= _ALIKE:
        best = line if losses[-1] <= 0 else best
        value = after = max(value, after)
    # `hoped` favours the role in control and `value` favours its opponent, so use the mean.
    own = (100 * hoped + value) / 2
    standing = _compute_standing(position, own)
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


def _compute_worth_after(lines: Undrawn, ahead: int, line: int, playouts: int, seed: int) -> float:
    """Return the value, 0 to 100, that drawing the line has for the role in control."""
    drawn = lines.without(line)
    gain = boxes_left(lines) - boxes_left(drawn)
    _, worth = explore_line(drawn, ahead + gain if gain else -ahead, playouts, seed)
    return 100 * (worth if gain else 1.0 - worth)


def _compute_standing(position: DotsAndBoxes, own: float) -> float:
    return own if position.turn == ROLES[0] else 100.0 - own
