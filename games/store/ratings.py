"""The ratings of the players of rated matches. `games` only asks for them; `lobby.ratings` computes
them.
"""

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from games.match.state import MatchState


class SeatRating(Struct, frozen=True):
    """A player's rating as people read it: "1512", or "1512?" while little is known of it. `after`
    is what the match has made of it; None until it is rated, or where it does not count."""

    before: str
    after: str | None = None


Ratings = tuple[SeatRating | None, SeatRating | None]
Source = Callable[[Sequence[MatchState]], dict[str, Ratings]]

NOT_RATED: Ratings = (None, None)
RATED_WITHIN = 60.0  # seconds after a match; without a new rating by then, it does not count

sources: list[Source] = []
"""Functions that return the ratings of rated matches, by match. `config.wiring` sets them."""


def is_rated(ratings: Ratings) -> bool:
    """Whether the match has changed somebody's rating."""
    return any(each and each.after for each in ratings)


def get_seat_ratings(states: Iterable[MatchState]) -> dict[str, Ratings]:
    """The ratings of the players of these matches, by match; of rated ones only."""
    rated = [state for state in states if state.rated]
    found: dict[str, Ratings] = {}
    for source in sources if rated else ():
        found |= source(rated)
    return found
