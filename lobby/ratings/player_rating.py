"""What one rated game after another makes of a player. Pure; the ledger, its recount and its
verification all go by it."""

from collections.abc import Callable
from datetime import datetime, timedelta

from msgspec import Struct

from lobby.ratings.glicko import (
    MOST_CHANGE,
    PROVISIONAL,
    VERSION,
    Strength,
    after_game,
    widened,
)

_DAY = timedelta(days=1)

Formula = Callable[[Strength, Strength, float, float], tuple[Strength, Strength]]

FORMULAS: dict[int, Formula] = {VERSION: after_game}
"""How games were rated, by the version that is stored with each."""


class PlayerRating(Struct, frozen=True, gc=False):
    """A player in one game, after their last rated game of it."""

    strength: Strength = Strength()
    games: int = 0
    best: float = 0.0  # the highest rating that was not provisional; 0: none was
    streak: int = 0  # games won in a row, up to now
    longest: int = 0
    at: datetime | None = None  # when the last one ended
    before_at: datetime | None = None  # when the one before it ended


NEW = PlayerRating()


class Side(Struct, frozen=True, gc=False):
    """What a rated game was for one of its players: the strength as of the game, and what came of
    it. `since` is when their game before it ended."""

    since: datetime | None
    before: Strength
    after: Strength
    games: int
    best: float
    streak: int
    longest: int


def at_game(career: PlayerRating, at: datetime) -> Strength:
    """The strength as of a game that ends then."""
    if career.at is None:
        return career.strength
    return widened(career.strength, (at - career.at) / _DAY)


def played(
    first: PlayerRating,
    second: PlayerRating,
    score: float,
    advantage: float,
    at: datetime,
    version: int = VERSION,
) -> tuple[Side, Side]:
    """What a game makes of its two players. `score` is the first one's. Raises KeyError for a
    version that is not known."""
    one, other = at_game(first, at), at_game(second, at)
    new_one, new_other = FORMULAS[version](one, other, score, advantage)
    return _side(first, one, new_one, score), _side(second, other, new_other, 1 - score)


def refunded(career: PlayerRating, points: float, at: datetime) -> Side:
    """What giving points back makes of a player: no game, so nothing more is known of them."""
    now = at_game(career, at)
    rating = round(now.rating + min(points, MOST_CHANGE), 6)
    new = Strength(rating, now.deviation, now.volatility)
    best = _best(career, new)
    return Side(career.at, now, new, career.games, best, career.streak, career.longest)


def after(side: Side, at: datetime) -> PlayerRating:
    """The player's career after a game that ended then."""
    return PlayerRating(
        side.after, side.games, side.best, side.streak, side.longest, at, side.since
    )


def _side(career: PlayerRating, now: Strength, new: Strength, score: float) -> Side:
    streak = career.streak + 1 if score == 1 else 0
    longest = max(career.longest, streak)
    return Side(career.at, now, new, career.games + 1, _best(career, new), streak, longest)


def _best(career: PlayerRating, new: Strength) -> float:
    return career.best if new.deviation >= PROVISIONAL else max(career.best, new.rating)
