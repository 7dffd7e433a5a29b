"""Plays Dots and Boxes: looks one line ahead, plays out, or solves the rest."""

import random

import numpy as np

from games.bots import dots_playouts
from games.bots.bot import MASTER, Bot, Look, chance_of
from games.bots.dots_people import Habits, line_of
from games.bots.dots_solver import (
    ACTIONS,
    LINE_OF,
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
from games.rules.dots_and_boxes import ROLES, DotsAndBoxes

NODES_PER_SECOND = 1_000_000  # a third of what a core solves, half of what a slow one does
PLAYOUTS_PER_SECOND = 80_000  # half of what a slow core plays out
MOST_LINES = 44  # with more of them solving does not come to an end in time
_SOLVING, _PLAYING = 0.65, 0.3  # the shares of a budget; the rest is for tables and Python
_MOST_NODES = 1 << 19  # of the tree
_NOISE = 0.05  # worths that lie closer are not told apart


HABITS = {
    1: Habits(overlooks=0.08, careless=0.1, guesses=1.0),
    2: Habits(overlooks=0.03, careless=0.05, guesses=0.4, lapses=0.65, sight=24),
    3: Habits(lapses=0.12, sight=34, playouts=300),
    4: Habits(lapses=0.015, sight=40, playouts=4000),
}
_NODES_IN_SIGHT = 300_000  # as far as people think ahead

# The parts of a look: best line, value, after, whether they are proved, and the own standing.
_Found = tuple[int, float, float, bool, float]


class Explored:
    """A tree of playouts from a quiet set, for the role in control, `ahead` by so many boxes."""

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


class DotsAndBoxesBot(Bot[DotsAndBoxes]):
    """Level 1 sees one line ahead, the next ones ever more of the end, 5 all there is time for."""

    def warm(self) -> None:
        lines = Undrawn(0b11, 0b11)
        solver = Solver(1000)
        solver.gets(lines, 1)
        solver.best_line(lines)
        Explored(lines, 0, 10, 0)

    def _choose(self, position: DotsAndBoxes, level: int, budget: float, seed: int) -> str:
        dice = chance_of(f"{seed}/{level}/{position.notation}")
        if level == MASTER:
            line = _master(undrawn(position), lead(position), budget, dice)
        else:
            line = _person(position, HABITS[level], budget, dice)
        return ACTIONS[line]

    def _look(self, position: DotsAndBoxes, action: str, budget: float) -> Look:
        lines, ahead, line = undrawn(position), lead(position), ACTIONS.index(action)
        found = _look_solved(lines, ahead, line, budget) or _look_played(lines, ahead, line, budget)
        best, value, after, proved, own = found
        standing = own if position.turn == ROLES[0] else 100.0 - own
        return Look(ACTIONS[best], value, after, standing, proved)


def _person(position: DotsAndBoxes, habits: Habits, budget: float, dice: random.Random) -> int:
    if dice.random() < habits.lapses:
        return line_of(position.lines, habits, dice)
    free = len(ACTIONS) - position.lines.bit_count()
    if free > habits.sight and not habits.playouts:
        return line_of(position.lines, habits, dice)
    lines, ahead = undrawn(position), lead(position)
    solving, playing = _shares(lines, budget)
    if free <= habits.sight:
        line = _solved(lines, ahead, Solver(min(solving, _NODES_IN_SIGHT), dice), dice)
        if line is not None:
            return line
    if habits.playouts:
        return _played(lines, ahead, min(playing, habits.playouts), dice.getrandbits(31))[0]
    return line_of(position.lines, habits, dice)


def _master(lines: Undrawn, ahead: int, budget: float, dice: random.Random) -> int:
    solving, playing = _shares(lines, budget)
    if solving or settle(lines).taken:
        line = _solved(lines, ahead, Solver(solving, dice), dice)
        if line is not None:
            return line
    return _played(lines, ahead, playing, dice.getrandbits(31))[0]


def _shares(lines: Undrawn, budget: float) -> tuple[int, int]:
    """How many nodes to solve with, and how many playouts to fall back upon."""
    if len(lines.lines()) > MOST_LINES:
        return 0, int(budget * (_PLAYING + _SOLVING) * PLAYOUTS_PER_SECOND)
    return int(budget * _SOLVING * NODES_PER_SECOND), int(budget * _PLAYING * PLAYOUTS_PER_SECOND)


def _solved(lines: Undrawn, ahead: int, solver: Solver, dice: random.Random) -> int | None:
    """A line that keeps the most, if that many nodes show it."""
    settled = settle(lines)
    if settled.taken:
        return dice.choice(taking(lines, settled))
    try:
        if not settled.choice:
            return solve(solver, settled.rest, ahead).line
        takes = solver.reaches(settled.rest, -settled.choice)
    except OutOfNodesError:
        return None
    return dice.choice(completing(lines)) if takes else leaving(lines, settled)


def _played(lines: Undrawn, ahead: int, playouts: int, seed: int) -> tuple[int, float]:
    """The line that playouts favour, and its worth, 0 to 1."""
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


def _look_solved(lines: Undrawn, ahead: int, line: int, budget: float) -> _Found | None:
    """What is exact; None where the nodes do not suffice."""
    solver = Solver(_shares(lines, budget)[0])
    settled = settle(lines)
    try:
        best = None
        if not settled.taken and not settled.choice:
            solved = solve(solver, settled.rest, ahead)
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
    if best is None:
        return None
    value = 100.0 if is_won else 0.0
    return best, value, value if keeps else 0.0, True, value


def _look_played(lines: Undrawn, ahead: int, line: int, budget: float) -> _Found:
    playouts = int(budget * (_PLAYING + _SOLVING) * PLAYOUTS_PER_SECOND) // 4 + 1
    best, hoped = _played(lines, ahead, playouts, 0)
    # Both lines by the same measure, which favours whoever acts next: so neither is wronged.
    value = _worth_after(lines, ahead, best, playouts)
    after = value if line == best else _worth_after(lines, ahead, line, playouts)
    # A line that is as good, but for noise, costs nothing.
    if after > value - _NOISE:
        best, value = line, max(value, after)
        after = value
    # One value favours the role in control, the other its opponent; the standing is their mean.
    standing = (hoped + value) / 2
    return best, 100.0 * value, 100.0 * after, False, 100.0 * standing


def _worth_after(lines: Undrawn, ahead: int, line: int, playouts: int) -> float:
    """What drawing the line is worth to the role in control, 0 to 1."""
    drawn = lines.without(line)
    gain = boxes_left(lines) - boxes_left(drawn)
    _, worth = _played(drawn, ahead + gain if gain else -ahead, playouts, 0)
    return worth if gain else 1.0 - worth


BOT = DotsAndBoxesBot()
