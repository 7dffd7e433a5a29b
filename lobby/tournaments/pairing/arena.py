"""Pairing and points in arenas, in which free players are paired again and again until the end.

Points are those of lichess: 2 for a win, 1 for a draw. After two wins in a row, points are doubled
until the player does not win a game. A player who went berserk, and so halved their own time, gets
one more point for a win, which is not doubled.
"""

from collections.abc import Mapping, Sequence
from math import inf

from msgspec import Struct

from lobby.tournaments.pairing.field import DRAW, WIN, Pair, RoundGame

FIRE = 2  # consecutive wins after which points are doubled
_WIN, _DRAW, _BERSERK = 2, 1, 1
AGAIN = 20.0
"""The seconds that both players must have waited before an immediate rematch."""

_NEAR = 16  # the maximum number of free players that are compared as opponents of a player
# The cost of a pair, in rating points.
_RANK = 25.0  # for each rank between the two players
_MET = 150.0  # for a recent meeting
_SIDE = 60.0  # for each game by which both players have moved first, or second, too often
_NEVER = inf


class Free(Struct, frozen=True):
    """A free player.

    `rank` counts from 1. `sides` is the number of games in which the player moved first minus the
    number of other games. `began` is True if the player moved first in the last game. `waited` is
    in seconds.
    """

    entry: int
    rank: int
    rating: float = 1500.0
    sides: int = 0
    began: bool = False
    waited: float = 0.0


class ArenaResult(Struct, frozen=True):
    """The result of a game for one player."""

    points: int  # points for the game, in hundredths
    is_berserk: bool = False


class ArenaSheet(Struct, frozen=True):
    """The points of a player's games in order. `is_doubled` marks those that are doubled."""

    points: tuple[int, ...]
    is_doubled: tuple[bool, ...]
    total: int
    wins: int
    is_on_fire: bool


def pair_players(free: Sequence[Free], recent: Mapping[int, Sequence[int]]) -> tuple[Pair, ...]:
    """Pair the free players, best rank first.

    `recent` has the last opponents of each player, newest last. Pairs are close in rank and rating,
    which matters less the longer a player has waited. Recent opponents, and players who are due the
    same side, are paired only if the alternatives are worse. An immediate rematch is only possible
    if both players have waited `AGAIN` seconds. If the number of players is odd, the player who has
    waited least stays free. So do players for whom there is no partner.

    The player with the lower `sides` moves first. Ties are decided by the last game, then by rank.
    """
    order = sorted(free, key=lambda one: (one.rank, one.entry))
    if len(order) % 2:
        order.remove(min(order, key=lambda one: (one.waited, -one.rank, one.entry)))
    pairs: list[tuple[Free, Free]] = []
    left: list[Free] = []
    while order:
        one = order.pop(0)
        near = order[:_NEAR]
        prices = [_compute_cost(one, other, recent) for other in near]
        best = min(prices, default=_NEVER)
        if best >= _NEVER:
            left.append(one)
        else:
            pairs.append((one, order.pop(prices.index(best))))
    _find_partners(left, pairs, recent)
    pairs.sort(key=lambda two: (min(one.rank for one in two), min(one.entry for one in two)))
    return tuple(_assign_seats(*two) for two in pairs)


def _find_partners(
    left: list[Free], pairs: list[tuple[Free, Free]], recent: Mapping[int, Sequence[int]]
) -> None:
    """Give partners to the players in `left` by splitting pairs.

    For every two players, split the last pair whose players can be their partners. If there is
    none, both stay free.
    """
    while len(left) >= 2:
        one, other = left.pop(), left.pop()
        for place in range(len(pairs) - 1, -1, -1):
            third, fourth = pairs[place]
            for two in (((one, third), (other, fourth)), ((one, fourth), (other, third))):
                if all(_compute_cost(*each, recent) < _NEVER for each in two):
                    pairs[place : place + 1] = two
                    break
            else:
                continue
            break


def _compute_cost(one: Free, other: Free, recent: Mapping[int, Sequence[int]]) -> float:
    """Return the cost of a pair in rating points, or `_NEVER` for a rematch that is too early."""
    mine, theirs = recent.get(one.entry, ()), recent.get(other.entry, ())
    waited = min(one.waited, other.waited)
    if waited < AGAIN and (
        _get_last_opponent(mine) == other.entry or _get_last_opponent(theirs) == one.entry
    ):
        return _NEVER
    apart = _RANK * abs(one.rank - other.rank) + abs(one.rating - other.rating)
    apart /= 1 + max(one.waited, other.waited) / AGAIN
    if other.entry in mine:
        apart += _MET
    if one.sides and (one.sides > 0) == (other.sides > 0) and other.sides:
        apart += _SIDE * min(abs(one.sides), abs(other.sides))
    return apart


def _get_last_opponent(opponents: Sequence[int]) -> int | None:
    return opponents[-1] if opponents else None


def _assign_seats(one: Free, other: Free) -> Pair:
    first, second = sorted(
        (one, other),
        key=lambda each: (each.sides, each.began, each.rank if one.rank % 2 else -each.rank),
    )
    return Pair(first.entry, second.entry)


def compute_points(results: Sequence[ArenaResult]) -> ArenaSheet:
    """Return the points of a player from their results, in the order in which the games ended."""
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
    return ArenaSheet(tuple(given), tuple(doubled), sum(given), wins, row >= FIRE)


def get_results(games: Sequence[RoundGame]) -> dict[int, list[ArenaResult]]:
    """Return a dictionary that maps each entrant to its results, in the order of the games.

    A game that was not played counts as a win for a player who arrived.
    """
    found: dict[int, list[ArenaResult]] = {}
    for game in games:
        found.setdefault(game.first, []).append(ArenaResult(game.first_points, game.first_berserk))
        if game.second is not None:
            second = ArenaResult(game.second_points, game.second_berserk)
            found.setdefault(game.second, []).append(second)
    return found
