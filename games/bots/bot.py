"""The base classes of all bots, and the evaluation that bots return.

Bots do not use Django. They are deterministic: the same position, level, budget and seed give the
same action. A bot therefore does not measure time. If it searches, it converts its budget, in
seconds, to the number of nodes that a slow core can search in that time.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from random import Random
from typing import Generic, TypeVar

from games.rules import Position

LEVELS = {1: "beginner", 2: "casual", 3: "steady", 4: "strong", 5: "master"}
"""The name of each level, from the weakest to the strongest."""

MASTER = max(LEVELS)
HUNCHES = 12  # the maximum number of random actions that a hunch compares
LONGEST = 2.0  # the largest budget for one choice or evaluation, in seconds on one core

P = TypeVar("P", bound=Position)


def seed_random(*parts: object) -> Random:
    """Return a random number generator that is seeded with the given parts."""
    return Random(" ".join(map(str, parts)))  # noqa: S311  # nosec B311  # for play, not for secrets


@dataclass(frozen=True)
class Look:
    """A bot's evaluation of an action in a position. Points are 0 to 100, like the goals.

    `best` is an action that keeps the most points, and `value` is the points that the role in
    control gets with it. `after` is the points that the role gets with the evaluated action, and
    never exceeds `value`. `standing` is the score of the game's first role: 50 is even, 100 is won.
    All these values are exact if `proved` is true.

    In some games, the points of the two roles need not add up to 100. In these games, `margin` and
    `margin_after` are the lead (-100 to 100 points) that the role in control can reach with `best`
    and with the evaluated action.

    If `proved` is false, the bot searched the position several times, each time deeper or with more
    playouts. `losses` has the points that the action loses in each search. The action is a mistake
    if all `losses` exceed `noise`, and is not a mistake if none of them exceeds `tells`. Both
    bounds were measured on played games. See `games.engine.verdicts`.
    """

    best: str
    value: float
    after: float
    standing: float
    proved: bool
    margin: float | None = None
    margin_after: float | None = None
    losses: tuple[float, ...] = ()
    noise: float = 0.0
    tells: float = 0.0


class Review(ABC, Generic[P]):
    """The analysis of one finished match, from its last position to its first.

    The results for later positions can speed up the search of earlier ones.
    """

    @abstractmethod
    def look(self, position: P, action: str) -> Look:
        """Evaluate the action, like `Bot.look`. Each call must pass an earlier position."""


class Bot(ABC, Generic[P]):
    """A program that plays one game and evaluates its positions."""

    is_heavy = True
    """Whether choosing an action can slow down other processes on the same core."""

    def choose(self, position: P, level: int, budget: float, seed: int) -> str:
        """Choose an action for the role in control, in about `budget` seconds at most.

        A budget of more than `LONGEST` is reduced to it. Raise `ValueError` if the game is over or
        the level does not exist.
        """
        if position.is_over:
            raise ValueError("the game is over")
        if level not in LEVELS:
            raise ValueError(f"there is no level {level}")
        return self._choose(position, level, min(budget, LONGEST), seed)

    def look(self, position: P, action: str, budget: float) -> Look:
        """Evaluate the position before and after the action, in about `budget` seconds at most.

        A budget of more than `LONGEST` is reduced to it. Raise `ValueError` if the game is over,
        and `IllegalAction` if the action is illegal.
        """
        if position.is_over:
            raise ValueError("the game is over")
        position.play(action)
        return self._look(position, action, min(budget, LONGEST))

    def review(self, budget: float) -> Review[P]:
        """Return a new analysis of a match, with `budget` seconds for each position."""
        return _ByItself(self, budget)

    def hunch(self, position: P, chance: Random) -> str:
        """Return the best of a few random actions, much faster than `choose`.

        An action that wins immediately is best, followed by one that keeps the player in control.
        """
        role = position.turn or ""

        def gain(action: str) -> float:
            after = position.play(action)
            won = after.goals[role] if after.goals else 0
            return won + (after.turn == role) + chance.random() / 2

        actions = position.actions()
        return max(chance.sample(actions, min(HUNCHES, len(actions))), key=gain)

    def warm(self) -> None:
        """Compile the search and load its tables, so that the first choice is not slow."""

    @abstractmethod
    def _choose(self, position: P, level: int, budget: float, seed: int) -> str: ...

    @abstractmethod
    def _look(self, position: P, action: str, budget: float) -> Look: ...


class _ByItself(Review[P]):
    """A review that evaluates each position without results from the others."""

    def __init__(self, bot: Bot[P], budget: float) -> None:
        self._bot, self._budget = bot, budget

    def look(self, position: P, action: str) -> Look:
        return self._bot.look(position, action, self._budget)
