"""The interface to the ratings of players in rated matches. `lobby.ratings` computes them."""

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from games.match.state import MatchState


class SeatRating(Struct, frozen=True):
    """A player's rating before and after a rated match.

    The ratings are in display form: "1512", or "1512?" if provisional. `after` is None until the
    match is rated, or if it does not count.
    """

    before: str
    after: str | None = None

    @property
    def change(self) -> str:
        """The change of the rating with its sign, or "" if there is no rating after the match."""
        if self.after is None:
            return ""
        points = int(self.after.rstrip("?")) - int(self.before.rstrip("?"))
        return f"{'−' if points < 0 else '+'}{abs(points)}"  # noqa: RUF001  # a minus sign


Ratings = tuple[SeatRating | None, SeatRating | None]
Source = Callable[[Sequence[MatchState]], dict[str, Ratings]]

NOT_RATED: Ratings = (None, None)
# How long pages wait for the new ratings after the end of a rated match, in seconds. They do not
# wait longer, because the match may not count.
RATED_WITHIN = 60.0

sources: list[Source] = []
"""Functions that return a dictionary that maps the ids of rated matches to the players' ratings.
`config.wiring` sets them."""


def is_rated(ratings: Ratings) -> bool:
    """Return whether a player has a rating after the match, that is, whether it was rated."""
    return any(each and each.after for each in ratings)


def get_seat_ratings(states: Iterable[MatchState]) -> dict[str, Ratings]:
    """Return the players' ratings in the given matches that are rated.

    The result maps the ids of the matches to the ratings.
    """
    rated = [state for state in states if state.rated]
    found: dict[str, Ratings] = {}
    for source in sources if rated else ():
        found |= source(rated)
    return found
