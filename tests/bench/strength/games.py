"""Games between two who choose: which of them scores how much."""

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial

from games.bots import get_bot
from games.gdl.network import decode_network
from games.gdl.sheet_position import LoadedSheet
from games.rules import GAMES, Position
from tests.builders.gdl_sheets import SHIPPED, NoLayout

Way = tuple[str, ...]
Chooser = Callable[[Position, Way, int], str]
"""Gives an action for a position, the actions that led to it, and a seed."""


@dataclass(frozen=True)
class Level:
    """The computer at one of its levels. `budget` in seconds."""

    game: str
    level: int
    budget: float

    def __call__(self, position: Position, way: Way, seed: int) -> str:
        return get_bot(self.game).choose(position, self.level, self.budget, seed)


@dataclass(frozen=True)
class Score:
    """Of the first of two, over a number of games; each counts 1, a draw a half."""

    games: int
    won: int
    drawn: int

    @property
    def share(self) -> float:
        return (self.won + self.drawn / 2) / self.games

    @property
    def lost(self) -> int:
        return self.games - self.won - self.drawn


def add_sheets() -> None:
    """Add the rule sheets that come with the site to the games of this process."""
    for slug, path in SHIPPED.items():
        network = decode_network(path.with_suffix(".npz").read_bytes())
        GAMES.add(slug, LoadedSheet(slug, slug, "0" * 64, network, NoLayout()).game)


def play(game: str, one: Chooser, other: Chooser, number: int) -> float:
    """One game, whose number is its seed; `one` has the first seat in every second. 1, ½ or 0."""
    rules, own_seat = GAMES[game], number % 2
    position, way = rules.start, Way()
    while position.turn is not None:
        seat = rules.roles.index(position.turn)
        chooser = one if seat == own_seat else other
        way += (chooser(position, way, 2 * number + (chooser is one)),)
        position = position.play(way[-1])
    goals = position.goals or {}
    own, others = (goals[rules.roles[seat]] for seat in (own_seat, 1 - own_seat))
    return 1.0 if own > others else 0.5 if own == others else 0.0


def score(game: str, one: Chooser, other: Chooser, games: int, processes: int) -> Score:
    """As many games, on so many cores."""
    with ProcessPoolExecutor(processes) as pool:
        chunk = max(1, games // (4 * processes))
        results = pool.map(partial(play, game, one, other), range(games), chunksize=chunk)
        return total(list(results))


def total(results: Sequence[float]) -> Score:
    return Score(len(results), results.count(1.0), results.count(0.5))
