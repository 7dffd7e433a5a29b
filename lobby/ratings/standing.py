"""The current ratings of players, whose deviations have grown since their last games."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from django.utils import timezone
from msgspec import Struct

from games.match.setup import RATED_GAMES
from games.match.state import MatchState
from games.store.aliases import get_persons
from games.store.ratings import Ratings, SeatRating
from lobby.models import Rating
from lobby.ratings import ledger
from lobby.ratings.glicko import (
    PROVISIONAL,
    START_DEVIATION,
    START_RATING,
    START_VOLATILITY,
    Strength,
    widen_deviation,
)
from lobby.ratings.player_rating import RatingSide

_DAY = timedelta(days=1)


class CurrentRating(Struct, frozen=True):
    """A player's strength in one game, with the deviation that it has now."""

    rating: float = START_RATING
    deviation: float = START_DEVIATION
    volatility: float = START_VOLATILITY
    games: int = 0

    @property
    def is_provisional(self) -> bool:
        """Return whether the rating is unreliable. It is then displayed with a question mark."""
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
        """The rating in display form: "1512", or "1512?" if it is provisional."""
        return format_rating(self.rating, self.deviation)


def format_rating(rating: float, deviation: float) -> str:
    """Return a rating in display form: "1512", or "1512?" if it is provisional."""
    return f"{rating:.0f}{'?' if deviation >= PROVISIONAL else ''}"


def get_current_ratings(
    player_ids: Collection[int], game: str, now: datetime | None = None
) -> dict[int, CurrentRating]:
    """Return a dictionary that maps each player to their current rating in a game.

    Without a rated game, this is the initial rating. The caller must resolve aliases. This takes
    one query.
    """
    now = now or timezone.now()
    found = dict.fromkeys(player_ids, CurrentRating())
    for row in Rating.objects.filter(player__in=found, game=game):
        found[row.player_id] = build_current_rating(row, now)
    return found


def get_displayed_ratings(wanted: Collection[tuple[int, str]]) -> dict[tuple[int, str], str]:
    """Return the displayed ratings of these pairs of player id and game, with one query."""
    return {pair: standing.shown for pair, standing in get_standings_in(wanted).items()}


def get_standings_in(wanted: Collection[tuple[int, str]]) -> dict[tuple[int, str], CurrentRating]:
    """Return the current ratings of these pairs of player id and game, with one query."""
    if not wanted:
        return {}
    now = timezone.now()
    players, games = {player for player, _ in wanted}, {game for _, game in wanted}
    found = dict.fromkeys(wanted, CurrentRating())
    for row in Rating.objects.filter(player__in=players, game__in=games):
        if (row.player_id, row.game) in found:
            found[row.player_id, row.game] = build_current_rating(row, now)
    return found


def build_current_rating(row: Rating, now: datetime) -> CurrentRating:
    """Return the current rating that follows from a stored one."""
    strength = Strength(row.rating, row.deviation, row.volatility)
    wide = widen_deviation(strength, (now - row.rated_at) / _DAY)
    return CurrentRating(wide.rating, wide.deviation, wide.volatility, row.games)


def get_seat_ratings(states: Sequence[MatchState]) -> dict[str, Ratings]:
    """Return a dictionary that maps matches to the ratings of both seats.

    For a match that was rated, these are the ratings before and after it; for other matches, the
    current ratings. Matches of games that cannot be rated are left out.
    """
    known = ledger.get_known_entries([state.id for state in states if not state.is_live])
    found: dict[str, Ratings] = {
        key: (_get_change(entry.first), _get_change(entry.second))
        for key, entry in known.items()
        if entry.counts and entry.second is not None
    }
    others = [state for state in states if state.id not in found and state.game in RATED_GAMES]
    by_game: defaultdict[str, list[MatchState]] = defaultdict(list)
    for state in others:
        by_game[state.game].append(state)
    people = get_persons({pk for each in others for pk in (each.first_id, each.second_id)})
    for game, some in by_game.items():
        now = get_current_ratings(set(people.values()), game)
        for state in some:
            one, other = (now[people[pk]].shown for pk in (state.first_id, state.second_id))
            found[state.id] = SeatRating(one), SeatRating(other)
    return found


def _get_change(side: RatingSide | None) -> SeatRating | None:
    if side is None:
        return None
    before, after = side.before, side.after
    return SeatRating(
        format_rating(before.rating, before.deviation), format_rating(after.rating, after.deviation)
    )
