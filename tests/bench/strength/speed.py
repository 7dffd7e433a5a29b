"""How long a choice takes, and how much is searched in a second, on one core."""

import contextlib
import random
import time
from collections.abc import Callable

from games.bots import LONGEST, get_bot
from games.bots.dots_solver import OutOfNodesError, Solver, settle, undrawn
from games.bots.exact import ExactBot
from games.bots.sheet_bot import RATE
from games.bots.sheet_search import read_network, search
from games.bots.six_in_a_row import SixInARowBot
from games.bots.six_study import Study
from games.gdl.sheet_position import SheetPosition
from games.rules import GAMES, Position


def seconds_a_move(slug: str, level: int, games: int = 3) -> list[float]:
    """The times of all moves of some games of a level against itself, with all the time it may
    take: seconds of a core, so that it does not matter who else is busy."""
    bot = get_bot(slug)
    bot.warm()
    times = []
    for seed in range(games):
        position: Position = GAMES[slug].start
        while not position.is_over:
            began = time.process_time()
            action = bot.choose(position, level, LONGEST, seed)
            times.append(time.process_time() - began)
            position = position.play(action)
    return times


def nodes_a_second(slug: str) -> float:
    """Return the positions searched, lines drawn, stones placed or games played per second."""
    start = GAMES[slug].start
    return _playouts(start) if isinstance(start, SheetPosition) else _NODES[slug]()


def _playouts(start: SheetPosition) -> float:
    net = read_network(start.sheet.network)
    began = time.perf_counter()
    found = search(net, start.state, start.mover, RATE, seed=1)
    return sum(each.visits for each in found.choices) / (time.perf_counter() - began)


def _exact(slug: str) -> float:
    bot = get_bot(slug)
    assert isinstance(bot, ExactBot)
    looked, began = 0, time.perf_counter()
    while time.perf_counter() - began < 1:
        position = GAMES[slug].start
        for action in position.legal():
            bot.forced(position.play(action))
            looked += 1
    return looked / (time.perf_counter() - began)


def _dots() -> float:
    chance, rules = random.Random(1), GAMES["dots-and-boxes"]
    searched, spent = 0, 0.0
    for _ in range(40):
        position = rules.start
        for _ in range(24):
            position = position.play(chance.choice(position.legal()))
        solver, rest = Solver(300_000), settle(undrawn(position)).rest  # type: ignore[arg-type]
        began = time.perf_counter()
        with contextlib.suppress(OutOfNodesError):
            solver.reaches(rest, 1)
        spent += time.perf_counter() - began
        searched += int(solver.counters[0])
    return searched / spent


def _six() -> float:
    chance, rules = random.Random(1), GAMES["six-in-a-row"]
    placed, spent = 0, 0.0
    for _ in range(5):
        position = rules.start
        for _ in range(30):
            legal = [a for a in position.legal() if a != "pick black"]
            near = [a for a in legal if _is_central(a)]
            position = position.play(chance.choice(near or legal))
        if position.is_over:
            continue
        study = Study(position, SixInARowBot()._skills[5], 250_000)  # type: ignore[arg-type]
        began = time.perf_counter()
        study.choice(chance)
        spent += time.perf_counter() - began
        placed += int(study.board.placed)
    return placed / spent


def _is_central(action: str) -> bool:
    return action.startswith("pick") or all(4 <= int(part) <= 12 for part in action.split()[1:])


_NODES: dict[str, Callable[[], float]] = {
    "tic-tac-toe": lambda: _exact("tic-tac-toe"),
    "parallel-tic-tac-toe": lambda: _exact("parallel-tic-tac-toe"),
    "dots-and-boxes": _dots,
    "six-in-a-row": _six,
}
