"""Arenas: whoever is free is paired at once, for as long as the arena lasts.

Points as at lichess: 2 for a win, 1 for a draw. Who has won two games in a row is on fire: the
points of the next games are doubled until one is not won. Who berserked, halving their own time,
gets one more point for a win, which is not doubled.
"""

from collections.abc import Mapping, Sequence
from math import inf

from msgspec import Struct

from lobby.tournaments.pairing.field import DRAW, WIN, Game, Pair

FIRE = 2  # wins in a row
_WIN, _DRAW, _BERSERK = 2, 1, 1
AGAIN = 20.0
"""Seconds that two have waited before they meet a second time running."""

_NEAR = 16  # how many free players are looked at as opponents of one
# What two cost each other, in points of rating.
_RANK = 25.0  # each place apart
_MET = 150.0  # have met lately
_SIDE = 60.0  # both are due the same side, for each game by which they are
_NEVER = inf


class Free(Struct, frozen=True):
    """Somebody who waits. `rank` from 1; `sides` how often they began less how often the other did;
    `began` whether they began last; `waited` seconds."""

    entry: int
    rank: int
    rating: float = 1500.0
    sides: int = 0
    began: bool = False
    waited: float = 0.0


class Result(Struct, frozen=True):
    """One's own game, as it adds to the sheet."""

    points: int  # of the game, hundredths
    is_berserk: bool = False


class Sheet(Struct, frozen=True):
    """What the games gave, in their order; `is_doubled` which of them were doubled."""

    points: tuple[int, ...]
    is_doubled: tuple[bool, ...]
    total: int
    wins: int
    is_on_fire: bool


def pair(free: Sequence[Free], recent: Mapping[int, Sequence[int]]) -> tuple[Pair, ...]:
    """Pairs of those who are free, the best ranked first. `recent` has the last opponents of each,
    newest last. Near in rank and rating go together, rather with somebody new; who has waited long
    is less choosy. Nobody meets their last opponent again before both have waited AGAIN seconds. Of
    an odd number the one who came last waits.

    Who began less often begins; who did not begin last; the better ranked, for odd ranks.
    """
    order = sorted(free, key=lambda one: (one.rank, one.entry))
    if len(order) % 2:
        order.remove(min(order, key=lambda one: (one.waited, -one.rank, one.entry)))
    pairs: list[tuple[Free, Free]] = []
    left: list[Free] = []
    while order:
        one = order.pop(0)
        near = order[:_NEAR]
        prices = [_price(one, other, recent) for other in near]
        best = min(prices, default=_NEVER)
        if best >= _NEVER:
            left.append(one)
        else:
            pairs.append((one, order.pop(prices.index(best))))
    _find_partners(left, pairs, recent)
    pairs.sort(key=lambda two: (min(one.rank for one in two), min(one.entry for one in two)))
    return tuple(_seated(*two) for two in pairs)


def _find_partners(
    left: list[Free], pairs: list[tuple[Free, Free]], recent: Mapping[int, Sequence[int]]
) -> None:
    """Two who may not meet take the partners of a pair, the nearest that can be parted."""
    while len(left) >= 2:
        one, other = left.pop(), left.pop()
        for place in range(len(pairs) - 1, -1, -1):
            third, fourth = pairs[place]
            for two in (((one, third), (other, fourth)), ((one, fourth), (other, third))):
                if all(_price(*each, recent) < _NEVER for each in two):
                    pairs[place : place + 1] = two
                    break
            else:
                continue
            break


def _price(one: Free, other: Free, recent: Mapping[int, Sequence[int]]) -> float:
    """How little the two suit each other."""
    mine, theirs = recent.get(one.entry, ()), recent.get(other.entry, ())
    waited = min(one.waited, other.waited)
    if waited < AGAIN and (_last(mine) == other.entry or _last(theirs) == one.entry):
        return _NEVER
    apart = _RANK * abs(one.rank - other.rank) + abs(one.rating - other.rating)
    apart /= 1 + max(one.waited, other.waited) / AGAIN
    if other.entry in mine:
        apart += _MET
    if one.sides and (one.sides > 0) == (other.sides > 0) and other.sides:
        apart += _SIDE * min(abs(one.sides), abs(other.sides))
    return apart


def _last(opponents: Sequence[int]) -> int | None:
    return opponents[-1] if opponents else None


def _seated(one: Free, other: Free) -> Pair:
    first, second = sorted(
        (one, other),
        key=lambda each: (each.sides, each.began, each.rank if one.rank % 2 else -each.rank),
    )
    return Pair(first.entry, second.entry)


def points(results: Sequence[Result]) -> Sheet:
    """The sheet of one player, from their games in the order in which they ended."""
    given: list[int] = []
    doubled: list[bool] = []
    row = wins = 0
    for result in results:
        on_fire = row >= FIRE
        won = result.points >= WIN
        base = _WIN if won else _DRAW if result.points >= DRAW else 0
        given.append(base * (2 if on_fire else 1) + (_BERSERK if won and result.is_berserk else 0))
        doubled.append(on_fire and base > 0)
        row = row + 1 if won else 0
        wins += won
    return Sheet(tuple(given), tuple(doubled), sum(given), wins, row >= FIRE)


def results_of(games: Sequence[Game]) -> dict[int, list[Result]]:
    """Each entrant's results, in the order of the games. Games that were not played count for who
    came: a forfeit win is a win."""
    found: dict[int, list[Result]] = {}
    for game in games:
        found.setdefault(game.first, []).append(Result(game.first_points, game.first_berserk))
        if game.second is not None:
            second = Result(game.second_points, game.second_berserk)
            found.setdefault(game.second, []).append(second)
    return found
