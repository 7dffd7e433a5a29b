"""How strong players are now."""

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
    """A player's strength in one game. The deviation is as of now."""

    rating: float = START_RATING
    deviation: float = START_DEVIATION
    volatility: float = START_VOLATILITY
    games: int = 0

    @property
    def is_provisional(self) -> bool:
        """Whether too little is known of it: it is shown with a question mark."""
        return self.deviation >= PROVISIONAL

    @property
    def rating_if_rated(self) -> float | None:
        """The rating; None without a rated game, where it would be what everybody begins with."""
        return self.rating if self.games else None

    @property
    def strength(self) -> Strength:
        return Strength(self.rating, self.deviation, self.volatility)

    @property
    def shown(self) -> str:
        """As people read it: "1512", provisional "1512?"."""
        return shown(self.rating, self.deviation)


def shown(rating: float, deviation: float) -> str:
    """A rating as people read it: "1512", provisional "1512?"."""
    return f"{rating:.0f}{'?' if deviation >= PROVISIONAL else ''}"


def standings(
    player_ids: Collection[int], game: str, now: datetime | None = None
) -> dict[int, Standing]:
    """Each of these players in a game, by its slug; those who never played it as who begins.

    They are people: who an alias is, the caller has found out. One query.
    """
    now = now or timezone.now()
    found = dict.fromkeys(player_ids, Standing())
    for row in Rating.objects.filter(player__in=found, game=game):
        found[row.player_id] = standing_of(row, now)
    return found


def shown_to_all(wanted: Collection[tuple[int, str]]) -> dict[tuple[int, str], str]:
    """The ratings, as people read them, of these players in these games (ids, slugs). One query."""
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
    """A stored rating as of now."""
    strength = Strength(row.rating, row.deviation, row.volatility)
    wide = widened(strength, (now - row.rated_at) / _DAY)
    return Standing(wide.rating, wide.deviation, wide.volatility, row.games)
