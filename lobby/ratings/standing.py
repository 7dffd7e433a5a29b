"""Current ratings of players."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.utils import timezone
from msgspec import Struct

from lobby.models import Rating
from lobby.ratings.glicko import (
    PROVISIONAL,
    START_DEVIATION,
    START_RATING,
    START_VOLATILITY,
    Strength,
    widened,
)

_DAY = timedelta(days=1)


class Standing(Struct, frozen=True):
    """A player's strength in one game, with its deviation as of now."""

    rating: float = START_RATING
    deviation: float = START_DEVIATION
    volatility: float = START_VOLATILITY
    games: int = 0

    @property
    def is_provisional(self) -> bool:
        """Return whether the rating is uncertain. It is then displayed with a question mark."""
        return self.deviation >= PROVISIONAL

    @property
    def rating_if_rated(self) -> float | None:
        """The rating, or None without a rated game."""
        return self.rating if self.games else None

    @property
    def strength(self) -> Strength:
        return Strength(self.rating, self.deviation, self.volatility)

    @property
    def shown(self) -> str:
        """The displayed rating: "1512", or "1512?" if provisional."""
        return shown(self.rating, self.deviation)


def shown(rating: float, deviation: float) -> str:
    """Format a rating: "1512", or "1512?" if provisional."""
    return f"{rating:.0f}{'?' if deviation >= PROVISIONAL else ''}"


def standings(
    player_ids: Collection[int], game: str, now: datetime | None = None
) -> dict[int, Standing]:
    """Return each player's standing in a game, with the initial one for players who never played
    it.

    The caller resolves aliases. One query.
    """
    now = now or timezone.now()
    found = dict.fromkeys(player_ids, Standing())
    for row in Rating.objects.filter(player__in=found, game=game):
        found[row.player_id] = standing_of(row, now)
    return found


def shown_to_all(wanted: Collection[tuple[int, str]]) -> dict[tuple[int, str], str]:
    """Return the displayed ratings of these pairs of player ID and game. One query."""
    if not wanted:
        return {}
    now, begins = timezone.now(), Standing().shown
    players, games = {player for player, _ in wanted}, {game for _, game in wanted}
    found = dict.fromkeys(wanted, begins)
    for row in Rating.objects.filter(player__in=players, game__in=games):
        if (row.player_id, row.game) in found:
            found[row.player_id, row.game] = standing_of(row, now).shown
    return found


def standing_of(row: Rating, now: datetime) -> Standing:
    """Return the standing of a stored rating as of now."""
    strength = Strength(row.rating, row.deviation, row.volatility)
    wide = widened(strength, (now - row.rated_at) / _DAY)
    return Standing(wide.rating, wide.deviation, wide.volatility, row.games)
