"""The bot for Dots and Boxes. It looks one line ahead, runs playouts, or solves the position."""

import random

from games.bots.bot import LONGEST, MASTER, Bot, Look, seed_random
from games.bots.dots_evaluation import DotsReview, evaluate
from games.bots.dots_human_play import DotsHabits, choose_line
from games.bots.dots_solver import (
    ACTIONS,
    NODES_PER_SECOND,
    OutOfNodesError,
    Solver,
    Undrawn,
    completing,
    lead,
    leaving,
    settle,
    solve,
    taking,
    undrawn,
)
from games.bots.dots_tree import PLAYOUTS_PER_SECOND, Explored, explore_line
from games.rules.dots_and_boxes import DotsAndBoxes

MOST_LINES = 41  # undrawn lines; with more of them, the solver rarely finishes in time
# Shares of the time budget. The rest is for building tables and for Python. If the solver runs out
# of nodes, the tree of playouts searches more nodes, up to the share `_LEAVES`.
_SOLVING, _LEAVES, _PLAYING = 0.83, 0.03, 0.08
# The maximum number of nodes that the solver searches in a choice of `LONGEST` seconds.
MASTER_NODES = int(LONGEST * _SOLVING * NODES_PER_SECOND)
_ALL_PLAYING = 0.95  # the share of the budget for playouts if the solver is not tried


HABITS = {
    1: DotsHabits(overlooks=0.08, careless=0.1, guesses=1.0),
    2: DotsHabits(overlooks=0.03, careless=0.05, guesses=0.4, lapses=0.65, sight=24),
    3: DotsHabits(lapses=0.12, sight=34, playouts=300),
    4: DotsHabits(lapses=0.015, sight=40, playouts=4000),
}
_NODES_IN_SIGHT = 300_000  # the limit of the solver at levels that play like people


class DotsAndBoxesBot(Bot[DotsAndBoxes]):
    """A bot whose level 1 sees one line ahead, and whose higher levels see more of the ending."""

    def warm(self) -> None:
        lines = Undrawn(0b11, 0b11)
        solver = Solver(1000)
        solver.gets(lines, 1)
        solver.best_line(lines)
        Explored(lines, 0, 10, 0)

    def _choose(self, position: DotsAndBoxes, level: int, budget: float, seed: int) -> str:
        dice = seed_random(f"{seed}/{level}/{position.notation}")
        if level == MASTER:
            line = _master(undrawn(position), lead(position), budget, dice)
        else:
            line = _person(position, HABITS[level], budget, dice)
        return ACTIONS[line]

    def _look(self, position: DotsAndBoxes, action: str, budget: float) -> Look:
        return evaluate(position, action, Solver(_shares(undrawn(position), budget)[0]), budget)

    def review(self, budget: float) -> DotsReview:
        return DotsReview(budget)


def _person(position: DotsAndBoxes, habits: DotsHabits, budget: float, dice: random.Random) -> int:
    if dice.random() < habits.lapses:
        return choose_line(position.lines, habits, dice)
    free = len(ACTIONS) - position.lines.bit_count()
    if free > habits.sight and not habits.playouts:
        return choose_line(position.lines, habits, dice)
    lines, ahead = undrawn(position), lead(position)
    solving, playing = _shares(lines, budget)
    if free <= habits.sight:
        line = _solved(lines, ahead, Solver(min(solving, _NODES_IN_SIGHT), dice), dice)
        if line is not None:
            return line
    if habits.playouts:
        return explore_line(lines, ahead, min(playing, habits.playouts), dice.getrandbits(31))[0]
    return choose_line(position.lines, habits, dice)


def _master(lines: Undrawn, ahead: int, budget: float, dice: random.Random) -> int:
    solving, playing = _shares(lines, budget)
    if not solving and not settle(lines).taken:
        return explore_line(lines, ahead, playing, dice.getrandbits(31))[0]
    solver = Solver(solving, dice)
    line = _solved(lines, ahead, solver, dice)
    if line is None:
        leaves = int(budget * _LEAVES * NODES_PER_SECOND)
        line = explore_line(lines, ahead, playing, dice.getrandbits(31), solver, leaves)[0]
    return line


def _shares(lines: Undrawn, budget: float) -> tuple[int, int]:
    """Return the number of nodes for the solver, and the number of playouts if it fails.

    If too many lines are undrawn, the solver is not tried, and the first number is 0.
    """
    if len(lines.lines()) > MOST_LINES:
        return 0, int(budget * _ALL_PLAYING * PLAYOUTS_PER_SECOND)
    return int(budget * _SOLVING * NODES_PER_SECOND), int(budget * _PLAYING * PLAYOUTS_PER_SECOND)


def _solved(lines: Undrawn, ahead: int, solver: Solver, dice: random.Random) -> int | None:
    """Return the best line that the solver finds, or None if it runs out of nodes before that."""
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


BOT = DotsAndBoxesBot()
