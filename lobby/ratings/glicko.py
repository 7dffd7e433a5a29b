"""The Glicko-2 rating system, as pure functions.

Based on Mark Glickman, "Example of the Glicko-2 system" (glicko.net/glicko/glicko2.pdf), with two
changes that lichess.org made: every game is rated immediately, and a player's deviation grows by
fractions of a rating period between games.

The paper's example is a player with three opponents in one period:

>>> opponents = [(1400, 30, 1.0), (1550, 100, 0.0), (1700, 300, 0.0)]
>>> results = [GameScore(Strength(r, d, 0.06), score) for r, d, score in opponents]
>>> [round(compute_weight(each.opponent.deviation), 4) for each in results]
[0.9955, 0.9531, 0.7242]
>>> [round(compute_expected_score(1500, each.opponent), 3) for each in results]
[0.639, 0.432, 0.303]
>>> after = update_strength(Strength(1500, 200, 0.06), results, tau=0.5, periods=1)
>>> mu, phi = (after.rating - 1500) / 173.7178, after.deviation / 173.7178
>>> round(mu, 4), round(phi, 4), f"{after.volatility:.6f}"  # the paper prints 0.05999
(-0.2069, 0.8722, '0.059996')
>>> round(1500 + 173.7178 * round(mu, 4), 2)  # the paper continues with four digits
1464.06
>>> round(after.deviation, 2)
151.52
"""

from collections.abc import Sequence
from math import exp, log, pi, sqrt

from msgspec import Struct

VERSION = 1  # the version of the algorithm and its constants, stored with each rated game

START_RATING, START_DEVIATION, START_VOLATILITY = 1500.0, 500.0, 0.09
TAU = 0.75  # limits how fast the volatility changes
LEAST_DEVIATION, MOST_DEVIATION = 45.0, 500.0
MOST_VOLATILITY = 0.1
MOST_CHANGE = 700.0  # the maximum number of rating points that a player can win or lose in one game
PERIODS_PER_DAY = 0.21436  # with a volatility of 0.06, a deviation of 60 grows to 110 in a year
PROVISIONAL = 110.0  # ratings with at least this deviation are displayed as provisional
LISTED = 75.0  # players on a leaderboard must have a smaller deviation than this

_SCALE = 173.7178
_WIDEST = MOST_DEVIATION**2
_CLOSE = 0.000001  # the tolerance for the logarithm of the volatility, as in the paper
# The number of stored decimals, low enough to hide the differences in `exp` between machines.
_DECIMALS = 6


class Strength(Struct, frozen=True, gc=False):
    """An estimate of a player's strength: rating, deviation and volatility.

    The deviation is the standard deviation of the rating, in points.
    """

    rating: float = START_RATING
    deviation: float = START_DEVIATION
    volatility: float = START_VOLATILITY


class GameScore(Struct, frozen=True, gc=False):
    """A game from the view of one player: the opponent, and the score of 1, 0.5 or 0.

    `advantage` is the value of the player's role in points. It is negative for the weaker role.
    """

    opponent: Strength
    score: float
    advantage: float = 0.0


def widen_deviation(strength: Strength, days: float) -> Strength:
    """Return the strength after a number of days without a game, with a larger deviation.

    >>> round(widen_deviation(Strength(1500, 60, 0.06), 365).deviation)
    110
    """
    if days <= 0 or strength.deviation >= MOST_DEVIATION:
        return strength
    variance = strength.deviation**2 + _compute_growth(strength) * days
    deviation = round(sqrt(variance), _DECIMALS) if variance < _WIDEST else MOST_DEVIATION
    return Strength(strength.rating, max(strength.deviation, deviation), strength.volatility)


def count_days_until(strength: Strength, deviation: float) -> float:
    """Return the number of days without a game until the deviation reaches a value.

    Return 0 if it has already reached the value.

    >>> round(count_days_until(Strength(1500, 60, 0.06), 110))
    365
    """
    return max(0.0, (deviation**2 - strength.deviation**2) / _compute_growth(strength))


def compute_weight(deviation: float) -> float:
    """Return the weight of a result against an opponent with this deviation (`g` in the paper)."""
    phi = deviation / _SCALE
    return 1 / sqrt(1 + 3 * phi * phi / (pi * pi))


def compute_expected_score(rating: float, opponent: Strength, advantage: float = 0.0) -> float:
    """Return the expected score of a player with this rating against the opponent."""
    ahead = (rating - opponent.rating + advantage) / _SCALE
    return 1 / (1 + exp(-compute_weight(opponent.deviation) * ahead))


def compute_mutual_expected_score(one: Strength, other: Strength, advantage: float = 0.0) -> float:
    """Return the expected score of one player against another, considering both deviations."""
    both = sqrt(one.deviation**2 + other.deviation**2)
    return compute_expected_score(
        one.rating, Strength(other.rating, both, other.volatility), advantage
    )


def update_strength(
    player: Strength, results: Sequence[GameScore], periods: float = 0.0, tau: float = TAU
) -> Strength:
    """Return the player's strength after the games of one rating period, in any order.

    The deviation first grows by `periods`; pass 0 if it was already widened. These are steps 2 to 8
    of the paper.
    """
    phi2 = (player.deviation / _SCALE) ** 2
    information = surprise = 0.0
    for result in results:
        opponent = result.opponent
        g = compute_weight(opponent.deviation)
        ahead = (player.rating - opponent.rating + result.advantage) / _SCALE
        # The formula of `compute_expected_score`, with the weight computed above.
        e = 1 / (1 + exp(-g * ahead))
        information += g * g * e * (1 - e)
        surprise += g * (result.score - e)
    if not results:
        sigma = player.volatility
        deviation = _SCALE * sqrt(phi2 + periods * sigma * sigma)
        return Strength(player.rating, deviation, sigma)
    sigma = _compute_volatility(
        player.volatility, phi2, 1 / information, surprise / information, tau
    )
    new_phi2 = 1 / (1 / (phi2 + periods * sigma * sigma) + information)
    rating = player.rating + _SCALE * new_phi2 * surprise
    return Strength(rating, _SCALE * sqrt(new_phi2), sigma)


def rate_game(
    first: Strength, second: Strength, score: float, advantage: float = 0.0
) -> tuple[Strength, Strength]:
    """Return the strengths of both players after a game between them, within this module's bounds.

    `score` is that of the first player: 1, 0.5 or 0. `advantage` is the value of the first role in
    points, which is added to the difference between the ratings. Both deviations must be those at
    the time of the game.
    """
    return (
        _limit_change(first, update_strength(first, (GameScore(second, score, advantage),))),
        _limit_change(second, update_strength(second, (GameScore(first, 1 - score, -advantage),))),
    )


def _compute_growth(strength: Strength) -> float:
    """Return the growth of the squared deviation per day."""
    return PERIODS_PER_DAY * (strength.volatility * _SCALE) ** 2


def _limit_change(before: Strength, after: Strength) -> Strength:
    rating, deviation, volatility = after.rating, after.deviation, after.volatility
    if not -MOST_CHANGE <= rating - before.rating <= MOST_CHANGE:
        rating = before.rating + (MOST_CHANGE if rating > before.rating else -MOST_CHANGE)
    if not LEAST_DEVIATION <= deviation <= MOST_DEVIATION:
        deviation = LEAST_DEVIATION if deviation < LEAST_DEVIATION else MOST_DEVIATION
    return Strength(
        round(rating, _DECIMALS),
        round(deviation, _DECIMALS),
        round(volatility if volatility < MOST_VOLATILITY else MOST_VOLATILITY, _DECIMALS + 3),
    )


def _compute_volatility(sigma: float, phi2: float, v: float, delta: float, tau: float) -> float:
    """Return the new volatility.

    The function finds the zero of `f` in step 5 of the paper with the Illinois algorithm.
    """
    start, tau2, delta2, known = log(sigma * sigma), tau * tau, delta * delta, phi2 + v

    def f(x: float) -> float:
        variance = exp(x)
        whole = known + variance
        return variance * (delta2 - whole) / (2 * whole * whole) - (x - start) / tau2

    a = start
    if delta2 > known:
        b = log(delta2 - known)
    else:
        b = start - tau
        while f(b) < 0:
            b -= tau
    at_a, at_b = f(a), f(b)
    while abs(b - a) > _CLOSE:
        c = a + (a - b) * at_a / (at_b - at_a)
        at_c = f(c)
        if at_c * at_b <= 0:
            a, at_a = b, at_b
        else:
            at_a /= 2
        b, at_b = c, at_c
    return exp(a / 2)
