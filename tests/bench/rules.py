"""How long each game's rules take for an action, beside OpenSpiel's where it has the game.

python -m tests.bench.rules --matches 200
"""

import random
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from games.rules import GAMES, Game, Position

THEIRS = {
    "tic-tac-toe": "tic_tac_toe",
    "dots-and-boxes": "dots_and_boxes(num_rows=5,num_cols=5)",
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the microseconds per action of each game's rules, and of OpenSpiel's in this run."""
    parser = ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--matches", type=int, default=200, help="playouts for each figure")
    matches = parser.parse_args(arguments).matches
    try:
        pyspiel = import_module("pyspiel")
    except ImportError:
        pyspiel = None
        print("OpenSpiel is not installed (the test dependencies include it).")
    print(f"{'µs per action':24}{'play':>8}{'read':>8}{'OpenSpiel':>12}{'ratio':>8}")
    for slug, game in GAMES.items():
        playouts = [playout(game, seed) for seed in range(matches)]
        ours, reading = time_play(playouts), time_read(game, playouts)
        row = f"{slug:24}{ours:8.2f}{reading:8.2f}"
        if pyspiel is not None and slug in THEIRS:
            theirs = time_openspiel(pyspiel.load_game(THEIRS[slug]), matches)
            row += f"{theirs:12.2f}{ours / theirs:8.2f}"
        print(row)


def playout(game: Game, seed: int) -> list[tuple[Position, str]]:
    """A random match: each position with the action played in it."""
    chance = random.Random(seed)
    position, steps = game.start, []
    while not position.is_over:
        action = chance.choice(position.legal())
        steps.append((position, action))
        position = position.play(action)
    return steps


def time_play(playouts: list[list[tuple[Position, str]]]) -> float:
    """Microseconds for `play`, on average over all positions: the best of five rounds."""
    steps = [step for steps in playouts for step in steps]

    def work() -> None:
        for position, action in steps:
            position.play(action)

    return best(work) / len(steps)


def time_read(game: Game, playouts: list[list[tuple[Position, str]]]) -> float:
    """Microseconds for reading a notation that was not read before."""
    read = getattr(game.read, "__wrapped__", game.read)  # without what it remembers
    notations = [position.notation for steps in playouts for position, _ in steps]

    def work() -> None:
        for notation in notations:
            read(notation)

    return best(work) / len(notations)


def time_openspiel(game: Any, matches: int) -> float:
    """Microseconds for OpenSpiel's `apply_action`, its cost of a Python call included."""
    scripts = []
    for seed in range(matches):
        chance, state, script = random.Random(seed), game.new_initial_state(), []
        while not state.is_terminal():
            script.append(chance.choice(state.legal_actions()))
            state.apply_action(script[-1])
        scripts.append(script)

    def work() -> None:
        for script in scripts:
            state = game.new_initial_state()
            for action in script:
                state.apply_action(action)

    return best(work) / sum(map(len, scripts))


def best(work: Any, rounds: int = 5) -> float:
    """Microseconds of the fastest of some rounds: the machine's noise only adds."""
    taken = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken) * 1e6


if __name__ == "__main__":
    main()
