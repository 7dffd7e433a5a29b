"""Bots for games that are small enough to solve.

The highest level always gets the points that it can force. Among actions with equal points, it
chooses one that leaves the opponent the fewest points, then one that wins immediately, then the one
after which a random reply costs the opponent the most. The other levels make human mistakes: they
overlook their own line or the opponent's threat, and seldom or never look further ahead.
"""

import random
from abc import abstractmethod
from dataclasses import dataclass

from games.bots.bot import MASTER, Bot, Look, P, seed_random
from games.rules import Position

Outcome = tuple[int, int]
"""The points of a role, 0 to 100, and its lead. Outcomes are compared by points, then by lead."""


@dataclass(frozen=True)
class NoticeChances:
    """The probabilities, 0 to 1, that a player notices something."""

    own: float  # the probability of noticing that an action wins immediately
    other: float  # the probability of noticing that the opponent could win with the next action
    ahead: float  # the probability of thinking the game through to its end
    # Whether the player prefers cells that are in more lines. This is not a probability.
    has_taste: bool = True


class ExactBot(Bot[P]):
    """A bot that plays according to the outcome that each role can force."""

    is_heavy = False
    skills: dict[int, NoticeChances]

    @abstractmethod
    def forced(self, position: P) -> tuple[Outcome, Outcome]:
        """Return the best outcome that each role can force, in the order of the roles."""

    @abstractmethod
    def liking(self, action: str) -> int:
        """Return the weight (1 or more) of the action for a player who notices nothing special."""

    def _choose(self, position: P, level: int, budget: float, seed: int) -> str:
        chance = seed_random(seed, position.notation, level)
        if level == MASTER or chance.random() < self.skills[level].ahead:
            return chance.choice(self._best(position))
        return self._at_a_glance(position, self.skills[level], chance)

    def _look(self, position: P, action: str, budget: float) -> Look:
        seat = _seat(position)
        one, other = (points for points, _ in self.forced(position))
        value, after = self.forced(position)[seat], self.forced(_after(position, action))[seat]
        # If the evaluated action is as good as the best one, show the evaluated action.
        best = action if after == value else self._best(position)[0]
        return Look(
            best,
            value[0],
            after[0],
            (one + 100 - other) / 2,
            proved=True,
            margin=value[1],
            margin_after=after[1],
        )

    def _best(self, position: P) -> list[str]:
        seat = _seat(position)
        afters = {action: _after(position, action) for action in position.legal()}
        most = max(self.forced(after)[seat] for after in afters.values())
        keeping = {a: after for a, after in afters.items() if self.forced(after)[seat] == most}
        # If an action wins immediately, choose it, because any other choice would look like an
        # oversight.
        won = [a for a, after in keeping.items() if _wins(after, position.turn or "")]
        if won or len(keeping) == 1:
            return won or list(keeping)
        hopes = {action: self.hope(after, seat) for action, after in keeping.items()}
        highest = max(hopes.values())
        return [action for action, hope in hopes.items() if hope == highest]

    def hope(self, position: P, seat: int) -> float:
        """Return the seat's forced points plus lead, averaged over all replies of the opponent."""
        if position.is_over:
            return sum(self.forced(position)[seat])
        replies = position.legal()
        return sum(sum(self.forced(_after(position, r))[seat]) for r in replies) / len(replies)

    def _at_a_glance(self, position: P, skill: NoticeChances, chance: random.Random) -> str:
        role = position.turn or ""
        actions = list(position.legal())
        if chance.random() < skill.own:
            wins = [a for a in actions if _wins(_after(position, a), role)]
            if wins:
                return chance.choice(wins)
        if chance.random() < skill.other:
            safe = [a for a in actions if not _threatened(_after(position, a))]
            actions = safe or actions
        if not skill.has_taste:
            return chance.choice(actions)
        return chance.choices(actions, [self.liking(action) for action in actions])[0]


def _after(position: P, action: str) -> P:
    after: P = position.play(action)  # type: ignore[assignment]  # every position of a game has the same type
    return after


def _seat(position: Position) -> int:
    return position.roles.index(position.turn or "")


def _wins(position: Position, role: str) -> bool:
    """Return whether the game is over and the role has more points than its opponent."""
    goals = position.goals
    return goals is not None and goals[role] > sum(goals.values()) - goals[role]


def _threatened(position: Position) -> bool:
    """Return whether the role in control can win with its next action."""
    role = position.turn
    return role is not None and any(_wins(position.play(a), role) for a in position.legal())
