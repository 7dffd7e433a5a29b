"""The bot for all games that come from rule sheets."""

from dataclasses import dataclass
from functools import lru_cache
from random import Random

from games.bots.bot import LONGEST, MASTER, Bot, Look, seed_random
from games.bots.sheet_search import Choice, NetworkArrays, Searched, read_network, search
from games.gdl.sheet_position import LoadedSheet, SheetPosition

RATE = 300_000_000  # inputs of gates per second on a slow core; most read three times as many
_SEARCHES = 3  # of an evaluation
# The bounds of the points that an action loses, for `Look`. Of two equally good actions, searches
# prefer one by up to `_TELLS` points, and rarely by `_NOISE`.
_TELLS, _NOISE = 4.0, 12.0


@dataclass(frozen=True)
class _Skill:
    """How well a level plays."""

    share: float
    """The part of the budget of the highest level."""
    waver: float
    """How many points too high or too low an action may seem."""
    lapses: float = 0.0
    """How often it plays any action without looking."""


_SKILLS = {
    1: _Skill(share=0.0002, waver=60.0, lapses=0.5),
    2: _Skill(share=0.002, waver=22.0, lapses=0.08),
    3: _Skill(share=0.025, waver=7.0),
    4: _Skill(share=0.12, waver=2.0),
    MASTER: _Skill(share=1.0, waver=0.0),
}


class SheetBot(Bot[SheetPosition]):
    """A bot that searches the network of a sheet. It knows nothing of the game."""

    def __init__(self, sheet: LoadedSheet) -> None:
        self._sheet = sheet

    def warm(self) -> None:
        start = self._sheet.game.start
        assert isinstance(start, SheetPosition)
        _search(start, 0.0, 0)

    def _choose(self, position: SheetPosition, level: int, budget: float, seed: int) -> str:
        chance, skill = seed_random(f"{seed}/{level}/{position.notation}"), _SKILLS[level]
        actions = position.actions()
        if len(actions) == 1:
            return actions[0]
        if chance.random() < skill.lapses:
            return chance.choice(actions)  # `hunch` closes mills, and was better than level 2
        found = _search(position, budget * skill.share, chance.getrandbits(31))
        best = _pick(found, position.mover, skill.waver, chance)
        return self._sheet.name_action(position.mover, best.action)

    def _look(self, position: SheetPosition, action: str, budget: float) -> Look:
        role, chance = position.mover, seed_random(position.notation)
        share = budget / (2 * _SEARCHES)
        tries: list[_Try] = []
        while len(tries) < _SEARCHES and not (tries and tries[-1].is_exact):
            tries.append(self._try(position, action, share, chance))
        shown, losses = tries[-1], tuple[float, ...]()
        if not shown.is_exact:
            shown = sorted(tries, key=lambda each: each.loss)[len(tries) // 2]
            losses = tuple(each.loss for each in tries)
        return Look(
            best=shown.best,
            value=shown.points[role],
            after=shown.points[role] - shown.loss,
            standing=shown.points[0],
            proved=shown.is_exact,
            losses=losses,
            noise=_NOISE,
            tells=_TELLS,
        )

    def _try(self, position: SheetPosition, action: str, share: float, chance: Random) -> "_Try":
        """Search the position before and after the action, each with this budget."""
        role = position.mover
        found = _search(position, share, chance.getrandbits(31))
        choice, own = found.best(role), _evaluate(position.play(action), share, chance)
        if own.points[role] >= choice.points[role]:
            return _Try(action, own.points, 0.0, own.is_exact and found.is_exact)
        best = self._sheet.name_action(role, choice.action)
        loss = choice.points[role] - own.points[role]
        return _Try(best, choice.points, loss, own.is_exact and found.is_exact)


@dataclass(frozen=True)
class _Try:
    """One search of an action: the best action, its points, and how many the given one loses."""

    best: str
    points: tuple[float, float]
    loss: float
    is_exact: bool


def _pick(found: Searched, role: int, waver: float, chance: Random) -> Choice:
    """Return the action that seems best to a player whose judgement wavers by some points."""
    best = found.best(role)
    if not waver or best.points[role] >= 100:
        return best
    seen = [each for each in found.choices if each.is_exact or each.visits * 8 >= best.visits]
    return max(seen, key=lambda each: each.points[role] + waver * chance.uniform(-1, 1))


@dataclass(frozen=True)
class _Value:
    points: tuple[float, float]
    is_exact: bool


def _evaluate(position: SheetPosition, budget: float, chance: Random) -> _Value:
    """Return the points that both roles can expect."""
    if position.goals is not None:
        first, second = position.roles
        return _Value((float(position.goals[first]), float(position.goals[second])), True)
    found = _search(position, budget, chance.getrandbits(31))
    return _Value(found.best(position.mover).points, found.is_exact)


def _search(position: SheetPosition, budget: float, seed: int) -> Searched:
    work = int(min(budget, LONGEST) * RATE)
    return search(_get_gates(position.sheet), position.state, position.mover, work, seed)


@lru_cache(maxsize=32)
def _get_gates(sheet: LoadedSheet) -> NetworkArrays:
    return read_network(sheet.network)
