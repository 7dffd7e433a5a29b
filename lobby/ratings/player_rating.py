"""The change in a player's rating after a rated game or a refund.

These are pure functions, which the ledger, its replay and its verification share.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from msgspec import Struct

from lobby.ratings.glicko import (
    MOST_CHANGE,
    PROVISIONAL,
    VERSION,
    Strength,
    rate_game,
    widen_deviation,
)

_DAY = timedelta(days=1)

Formula = Callable[[Strength, Strength, float, float], tuple[Strength, Strength]]

FORMULAS: dict[int, Formula] = {VERSION: rate_game}
"""The rating function of each version. Each rated game stores its version."""


class PlayerRating(Struct, frozen=True, gc=False):
    """A player's rating in one game, after the last rated game or refund."""

    strength: Strength = Strength()
    games: int = 0
    best: float = 0.0  # the highest rating that was not provisional, or 0
    streak: int = 0  # current number of consecutive wins
    longest: int = 0
    at: datetime | None = None  # the time of the last rated game or refund
    before_at: datetime | None = None  # the time of the one before it


NEW = PlayerRating()


class RatingSide(Struct, frozen=True, gc=False):
    """One player's side of a rated game or refund, with the strength before and after it.

    `since` is the time of the player's previous rated game or refund.
    """

    since: datetime | None
    before: Strength
    after: Strength
    games: int
    best: float
    streak: int
    longest: int


def get_strength_at(career: PlayerRating, at: datetime) -> Strength:
    """Return the player's strength at the time `at`, before a game that ends then is rated."""
    if career.at is None:
        return career.strength
    return widen_deviation(career.strength, (at - career.at) / _DAY)


def rate_sides(
    first: PlayerRating,
    second: PlayerRating,
    score: float,
    advantage: float,
    at: datetime,
    version: int = VERSION,
) -> tuple[RatingSide, RatingSide]:
    """Return both sides of a game. `score` is the first player's score.

    Raise `KeyError` for an unknown version of the rating function.
    """
    one, other = get_strength_at(first, at), get_strength_at(second, at)
    new_one, new_other = FORMULAS[version](one, other, score, advantage)
    return _build_side(first, one, new_one, score), _build_side(second, other, new_other, 1 - score)


def build_refund_side(career: PlayerRating, points: float, at: datetime) -> RatingSide:
    """Return the side of a refund of at most `MOST_CHANGE` points.

    A refund is not a game, so it does not make the rating more reliable.
    """
    now = get_strength_at(career, at)
    rating = round(now.rating + min(points, MOST_CHANGE), 6)
    new = Strength(rating, now.deviation, now.volatility)
    best = _get_best(career, new)
    return RatingSide(career.at, now, new, career.games, best, career.streak, career.longest)


def get_rating_after(side: RatingSide, at: datetime) -> PlayerRating:
    """Return the player's rating after a game that ended, or a refund that was made, at `at`."""
    return PlayerRating(
        side.after, side.games, side.best, side.streak, side.longest, at, side.since
    )


def _build_side(career: PlayerRating, now: Strength, new: Strength, score: float) -> RatingSide:
    streak = career.streak + 1 if score == 1 else 0
    longest = max(career.longest, streak)
    return RatingSide(
        career.at, now, new, career.games + 1, _get_best(career, new), streak, longest
    )


def _get_best(career: PlayerRating, new: Strength) -> float:
    return career.best if new.deviation >= PROVISIONAL else max(career.best, new.rating)
