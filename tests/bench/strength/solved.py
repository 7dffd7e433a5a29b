"""Positions of Dots and Boxes with 36 to 42 undrawn lines, solved: who still keeps the win there?

    python -m tests.bench.strength.solved 60   makes `solved.jsonl` from that many games (minutes)

Each line of the file has a position that the role in control wins, how many lines are undrawn, and
all actions that keep the win; there are others, each of which loses the game.
"""

import json
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from games.bots import MASTER, bot_of
from games.bots.dots_solver import ACTIONS, OutOfNodesError, Solver, lead, settle, undrawn
from games.rules import GAMES
from games.rules.dots_and_boxes import DotsAndBoxes

FILE = Path(__file__).with_name("solved.jsonl")
_SLUG = "dots-and-boxes"
_LEAST, _MOST = 36, 42  # undrawn lines
_NODES = 4_000_000  # for one position; a core solves them in a second and a half


def positions() -> list[dict[str, Any]]:
    return [json.loads(line) for line in FILE.read_text().splitlines()]


def mistakes(budget: float, processes: int) -> dict[int, tuple[int, int]]:
    """By the number of undrawn lines: the wins that master gives away, and of how many."""
    with ProcessPoolExecutor(processes) as pool:
        given = pool.map(partial(_gives_away, budget), positions())
        found: dict[int, tuple[int, int]] = {}
        for left, is_mistake in given:
            wrong, all_ = found.get(left, (0, 0))
            found[left] = wrong + is_mistake, all_ + 1
    return dict(sorted(found.items()))


def _gives_away(budget: float, solved: dict[str, Any]) -> tuple[int, bool]:
    position = GAMES[_SLUG].read(solved["notation"])
    chosen = bot_of(_SLUG).choose(position, MASTER, budget, 1)
    return solved["left"], chosen not in solved["keeps"]


def _game(seed: int) -> Iterator[dict[str, Any]]:
    """The positions of one game, from the last on: what is solved helps with those before it."""
    bot, solver = bot_of(_SLUG), Solver(0, largest=True)
    position, steps = GAMES[_SLUG].start, list[DotsAndBoxes]()
    while len(ACTIONS) - position.lines.bit_count() >= _LEAST:  # type: ignore[attr-defined]
        steps.append(position)  # type: ignore[arg-type]
        level = MASTER if (len(steps) + seed) % 2 else MASTER - 1
        position = position.play(bot.choose(position, level, 0.05, seed))
    for step in reversed(steps):
        lines, left = undrawn(step), len(ACTIONS) - step.lines.bit_count()
        if left > _MOST:
            return
        solver.allow(_NODES)
        goal = 1 - lead(step)
        settled = settle(lines)
        try:
            if not solver.gets(lines, goal) or settled.taken or settled.choice:
                continue
            keeps = [line for line in lines.lines() if solver.keeps(lines, line, goal)]
        except OutOfNodesError:
            return
        if len(keeps) < len(lines.lines()):
            names = [ACTIONS[line] for line in keeps]
            yield {"left": left, "notation": step.notation, "keeps": names}


def main() -> None:
    with FILE.open("w") as file:
        for seed in range(int(sys.argv[1])):
            for solved in _game(seed):
                file.write(json.dumps(solved) + "\n")
            file.flush()


if __name__ == "__main__":
    main()
