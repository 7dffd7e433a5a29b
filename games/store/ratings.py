"""Interface to the ratings of players in rated matches. `lobby.ratings` computes them."""

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from games.match.state import MatchState


class SeatRating(Struct, frozen=True):
    """A player's rating as displayed: "1512", or "1512?" if it is provisional.

    `after` is the rating after the match; None until it is rated, or if it does not count.
    """

    before: str
    after: str | None = None

    @property
    def change(self) -> str:
        """The change with its sign; "" without one."""
        if self.after is None:
            return ""
        points = int(self.after.rstrip("?")) - int(self.before.rstrip("?"))
        return f"{'−' if points < 0 else '+'}{abs(points)}"  # noqa: RUF001  # a minus sign


Ratings = tuple[SeatRating | None, SeatRating | None]
Source = Callable[[Sequence[MatchState]], dict[str, Ratings]]

NOT_RATED: Ratings = (None, None)
RATED_WITHIN = 60.0  # seconds after a match; without a new rating by then, it does not count

sources: list[Source] = []
"""Functions that return the ratings of rated matches, by match. `config.wiring` sets them."""


def is_rated(ratings: Ratings) -> bool:
    """Return whether the match has changed a rating."""
    return any(each and each.after for each in ratings)


def get_seat_ratings(states: Iterable[MatchState]) -> dict[str, Ratings]:
    """Return the players' ratings in those of these matches that are rated, by match."""
    rated = [state for state in states if state.rated]
    found: dict[str, Ratings] = {}
    for source in sources if rated else ():
        found |= source(rated)
    return found
