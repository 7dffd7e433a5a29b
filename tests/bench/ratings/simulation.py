"""Players of known strength who play each other and are rated as on the site."""

import random
from datetime import UTC, datetime, timedelta
from statistics import fmean

from msgspec import Struct

from lobby.ratings.glicko import Strength, compute_expected_score, compute_mutual_expected_score
from lobby.ratings.player_rating import NEW, PlayerRating, get_rating_after, rate_sides

SPREAD = 300.0  # points: the standard deviation of the true strengths
NEAR = 200.0  # points: the usual largest distance to an opponent
DRAWS = 0.1  # share of the games

_BEGIN, _SPAN = datetime(2026, 1, 1, tzinfo=UTC), timedelta(days=182)


class Bin(Struct):
    """Games with about the same expected score for the first player."""

    games: int = 0
    expected: float = 0.0
    scored: float = 0.0


class Found(Struct):
    """The result. `correlation` is Spearman's, between true strengths and ratings."""

    players: int
    games: int
    correlation: float
    error: float  # points: mean error of the ratings, both centred
    bins: list[Bin]

    @property
    def miscalibration(self) -> float:
        """The difference between a bin's score and its expected score, averaged over the games."""
        counted = sum(each.games for each in self.bins)
        return sum(abs(each.scored - each.expected) for each in self.bins) / counted


def simulate(
    players: int = 10_000, each: int = 60, advantage: float = 30.0, seed: int = 1
) -> Found:
    """Simulate players who play about `each` games over half a year.

    The bins count the second half of the games.
    """
    chance = random.Random(seed)
    true = sorted(chance.gauss(1500, SPREAD) for _ in range(players))
    careers = [NEW] * players
    games, bins = players * each // 2, [Bin() for _ in range(10)]
    for number in range(games):
        one = chance.randrange(players)
        other = _opponent(chance, careers, one)
        score = _score(chance, true[one], true[other], advantage)
        if number * 2 > games:
            _count(bins, careers[one], careers[other], score, advantage)
        at = _BEGIN + _SPAN * (number / games)
        sides = rate_sides(careers[one], careers[other], score, advantage, at)
        careers[one], careers[other] = (
            get_rating_after(sides[0], at),
            get_rating_after(sides[1], at),
        )
    rated = [career.strength.rating for career in careers]
    shift = fmean(rated) - fmean(true)
    off = fmean(abs(a - b - shift) for a, b in zip(rated, true, strict=True))
    return Found(players, games, rank_correlation(true, rated), off, bins)


def rank_correlation(one: list[float], other: list[float]) -> float:
    """Return Spearman's coefficient for distinct values: 1 if both have the same order."""
    ranks = [_ranks(one), _ranks(other)]
    apart = sum((a - b) ** 2 for a, b in zip(*ranks, strict=True))
    count = len(one)
    return 1 - 6 * apart / (count * (count**2 - 1))


def _ranks(values: list[float]) -> list[int]:
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0] * len(values)
    for rank, index in enumerate(order):
        ranks[index] = rank
    return ranks


def _opponent(chance: random.Random, careers: list[PlayerRating], one: int) -> int:
    """Choose an opponent, usually of about the same rating, since true strengths are unknown."""
    rating = careers[one].strength.rating
    other = one
    while other == one:
        other = chance.randrange(len(careers))
        if abs(careers[other].strength.rating - rating) > NEAR and chance.random() < 0.9:
            other = one
    return other


def _score(chance: random.Random, one: float, other: float, advantage: float) -> float:
    wins = compute_expected_score(one, Strength(other, 0.0, 0.06), advantage)
    draws = DRAWS * 2 * min(wins, 1 - wins)
    drawn = chance.random()
    if drawn < draws:
        return 0.5
    return 1.0 if drawn < draws / 2 + wins else 0.0


def _count(
    bins: list[Bin], one: PlayerRating, other: PlayerRating, score: float, advantage: float
) -> None:
    hoped = compute_mutual_expected_score(one.strength, other.strength, advantage)
    found = bins[min(9, int(10 * hoped))]
    found.games += 1
    found.expected += hoped
    found.scored += score
