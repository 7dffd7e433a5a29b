"""What every game's bot has in common: pure search over the rules, without Django or a clock.

A bot is deterministic: the same position, level, budget and seed give the same action. A budget in
seconds is therefore turned into a number of nodes, at a rate that a slow core keeps as well.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from random import Random
from typing import Generic, TypeVar

from games.rules import Position

LEVELS = {1: "beginner", 2: "casual", 3: "steady", 4: "strong", 5: "master"}
"""The levels, from a child's first games to as well as we can, in words."""

MASTER = max(LEVELS)
LONGEST = 2.0  # seconds that any choice may take on one core

P = TypeVar("P", bound=Position)


def chance_of(*parts: object) -> Random:
    """A random generator for a choice: the same for the same parts."""
    return Random(" ".join(map(str, parts)))  # noqa: S311  # nosec B311  # for play, not for secrets


@dataclass(frozen=True)
class Look:
    """What a position holds. Points are 0 to 100, as the game's goals are.

    `value` is what the role in control can count on with `best`, an action that keeps the most;
    `after` is the same with the action that was asked about, at the most `value`. `standing` is
    how the game's first role stands: 50 is even, 100 won. All are exact where `proved`.
    """

    best: str
    value: float
    after: float
    standing: float
    proved: bool


class Bot(ABC, Generic[P]):
    """Plays one game, and analyses its finished matches."""

    is_heavy = True
    """Whether a choice may take so long that others on the same core would feel it."""

    def choose(self, position: P, level: int, budget: float, seed: int) -> str:
        """An action of the role in control, in at most `budget` seconds or so.

        Raises ValueError for a position that is over, and for a level that there is not.
        """
        if position.is_over:
            raise ValueError("the game is over")
        if level not in LEVELS:
            raise ValueError(f"there is no level {level}")
        return self._choose(position, level, min(budget, LONGEST), seed)

    def look(self, position: P, action: str, budget: float) -> Look:
        """What the position holds, and what the action leaves of it.

        Raises ValueError for a position that is over, IllegalAction for what may not be played.
        """
        if position.is_over:
            raise ValueError("the game is over")
        position.play(action)
        return self._look(position, action, min(budget, LONGEST))

    def warm(self) -> None:
        """Compile and load tables, so that the first choice need not wait for it."""

    @abstractmethod
    def _choose(self, position: P, level: int, budget: float, seed: int) -> str: ...

    @abstractmethod
    def _look(self, position: P, action: str, budget: float) -> Look: ...
