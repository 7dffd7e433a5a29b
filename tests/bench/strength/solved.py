"""Won positions of Dots and Boxes with 36 to 38 undrawn lines: how often does master throw the win?

    python -m tests.bench.strength.solved 600 800 >> tests/bench/strength/solved.jsonl

This adds positions from games 600 to 799, about a second of a core each. In each game two levels
play each other. The levels, and the number of undrawn lines at which the game stops, are drawn at
random with the game's number as the seed. A position is left out if boxes are on offer. The solver
gets ten times the nodes of master's longest choice to find the winner, and as many again to decide
all moves. A position is kept if the role in control wins with some moves and loses with others.

Each line of the file has the position, the number of undrawn lines, all actions that keep the win,
the nodes that were needed to prove that it is won, and the number of the game. The file has games 0
to 599, and three positions without such a number: master threw these in play.
"""

import argparse
import json
import random
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from games.bots import LEVELS, MASTER, get_bot
from games.bots.dots_and_boxes import MASTER_NODES
from games.bots.dots_solver import ACTIONS, OutOfNodesError, Solver, lead, settle, undrawn
from games.rules import GAMES
from games.rules.dots_and_boxes import DotsAndBoxes

FILE = Path(__file__).with_name("solved.jsonl")
NODES = 10 * MASTER_NODES
_SLUG = "dots-and-boxes"
_LEAST, _MOST = 36, 38  # undrawn lines
_BUDGET = 0.05  # seconds for a move of the games that positions are drawn from


def positions() -> list[dict[str, Any]]:
    return [json.loads(line) for line in FILE.read_text().splitlines()]


def mistakes(budget: float, processes: int) -> dict[int, tuple[int, int]]:
    """By the number of undrawn lines: the wins that master throws, and of how many.

    Positions that were not drawn at random are left out.
    """
    drawn_at_random = [each for each in positions() if "game" in each]
    with ProcessPoolExecutor(processes) as pool:
        found: dict[int, tuple[int, int]] = {}
        for left, is_thrown in pool.map(partial(_throws, budget), drawn_at_random):
            thrown, all_ = found.get(left, (0, 0))
            found[left] = thrown + is_thrown, all_ + 1
    return dict(sorted(found.items()))


def _throws(budget: float, solved: dict[str, Any]) -> tuple[int, bool]:
    position = GAMES[_SLUG].read(solved["notation"])
    chosen = get_bot(_SLUG).choose(position, MASTER, budget, 1)
    return solved["left"], chosen not in solved["keeps"]


def draw(game: int) -> DotsAndBoxes:
    """Play the game of that number and return the position at which it stops."""
    dice = random.Random(f"position {game}")
    levels = {role: dice.choice(sorted(LEVELS)) for role in GAMES[_SLUG].roles}
    left = dice.randint(_LEAST, _MOST)
    position = GAMES[_SLUG].start
    assert isinstance(position, DotsAndBoxes)
    while len(ACTIONS) - position.lines.bit_count() > left:
        level = levels[position.turn or ""]
        position = position.play(get_bot(_SLUG).choose(position, level, _BUDGET, game))
    return position


def decide(position: DotsAndBoxes) -> dict[str, Any] | str:
    """Return the row for the file, or the reason why the position is left out."""
    lines, goal = undrawn(position), 1 - lead(position)
    settled = settle(lines)
    if settled.taken or settled.choice:
        return "boxes on offer"
    solver = Solver(NODES, largest=True)
    keeps = []
    try:
        if not solver.gets(lines, goal):
            return "lost"
        nodes = solver.searched
        solver.allow(NODES)
        for line in lines.lines():
            if solver.keeps(lines, line, goal):
                keeps.append(ACTIONS[line])
    except OutOfNodesError:
        return "not decided"
    if len(keeps) == len(lines.lines()):
        return "won by any move"
    return {
        "left": len(lines.lines()),
        "notation": position.notation,
        "keeps": keeps,
        "nodes": nodes,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("first", type=int, help="the number of the first game")
    parser.add_argument("end", type=int, help="the number after that of the last game")
    arguments = parser.parse_args()
    counts = Counter[str]()
    for game in range(arguments.first, arguments.end):
        found = decide(draw(game))
        if isinstance(found, dict):
            print(json.dumps({**found, "game": game}), flush=True)
        counts[found if isinstance(found, str) else "kept"] += 1
    print(dict(counts), file=sys.stderr)


if __name__ == "__main__":
    main()
