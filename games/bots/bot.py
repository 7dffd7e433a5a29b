"""What every game's bot has in common: pure search over the rules, without Django or a clock.

A bot is deterministic: the same position, level, budget and seed give the same action. So a bot
does not measure time. It turns its budget, in seconds, into the number of nodes that a slow core
can search in that time.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from random import Random
from typing import Generic, TypeVar

from games.rules import Position

LEVELS = {1: "beginner", 2: "casual", 3: "steady", 4: "strong", 5: "master"}
"""What each level is called, from the weakest to the strongest."""

MASTER = max(LEVELS)
HUNCHES = 12  # actions that `Bot.hunch` compares
LONGEST = 2.0  # seconds: no choice takes longer on one core

P = TypeVar("P", bound=Position)


def chance_of(*parts: object) -> Random:
    """A random generator for a choice: the same for the same parts."""
    return Random(" ".join(map(str, parts)))  # noqa: S311  # nosec B311  # for play, not for secrets


@dataclass(frozen=True)
class Look:
    """What a bot found out about an action in a position. Points are 0 to 100, like the goals.

    `best` is an action that keeps the most points, and `value` the points that the role in control
    gets with it. `after` are the points that it gets with the action that was asked about; they are
    never more than `value`. `standing` says how the game's first role stands: 50 is even, 100 won.
    If `proved`, all these are exact.

    In some games the points of the two roles need not add up to 100. There `margin` and
    `margin_after` say by how many points (-100 to 100) the role in control can be ahead, with
    `best` and with the action.

    If not `proved`, the position was searched at several depths. `losses` has, for each depth, the
    points that the action loses; the shallowest depth is first. The action counts as a mistake if
    all `losses` are above `noise`, and as none if all are at most `tells`. Both bounds were
    measured on played games. See `games.engine.judgement`.
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
    """Analyses one finished match, from its last position to its first: what was found of the later
    positions helps with the earlier ones."""

    @abstractmethod
    def look(self, position: P, action: str) -> Look:
        """Like `Bot.look`, for the position before the one of the previous call."""


class Bot(ABC, Generic[P]):
    """Plays one game, and analyses its finished matches."""

    is_heavy = True
    """Whether a choice may take so long that it slows down other processes on the same core."""

    def choose(self, position: P, level: int, budget: float, seed: int) -> str:
        """An action of the role in control, chosen in about `budget` seconds at the most.

        Raises ValueError if the game is over, or if there is no such level.
        """
        if position.is_over:
            raise ValueError("the game is over")
        if level not in LEVELS:
            raise ValueError(f"there is no level {level}")
        return self._choose(position, level, min(budget, LONGEST), seed)

    def look(self, position: P, action: str, budget: float) -> Look:
        """How good the position is, and how good it still is after the action.

        Raises ValueError if the game is over, IllegalAction if the action is not legal.
        """
        if position.is_over:
            raise ValueError("the game is over")
        position.play(action)
        return self._look(position, action, min(budget, LONGEST))

    def review(self, budget: float) -> Review[P]:
        """Begin the analysis of a match, with `budget` seconds for each position."""
        return _ByItself(self, budget)

    def hunch(self, position: P, chance: Random) -> str:
        """A sensible action, far faster than `choose`: the best of a few random ones.

        The best one wins at once or keeps the player in control.
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
    """A review that looks at each position alone and keeps nothing."""

    def __init__(self, bot: Bot[P], budget: float) -> None:
        self._bot, self._budget = bot, budget

    def look(self, position: P, action: str) -> Look:
        return self._bot.look(position, action, self._budget)
