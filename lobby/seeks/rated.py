"""Requirements for rated matches: an account, and a rating in the requested range."""

from collections.abc import Collection

from msgspec import Struct

from games.messages.refusal import Refused
from lobby.models import Player, Seek
from lobby.models.seek import HIGHEST, LOWEST
from lobby.ratings.standing import get_current_ratings


class Between(Struct, frozen=True):
    """The range of ratings of an opponent. The bounds are included."""

    lowest: int = LOWEST
    highest: int = HIGHEST


ANYBODY = Between()


def build_rating_range(lowest: int | None, highest: int | None) -> Between:
    """Return the range with these bounds; None stands for no bound.

    Raise `ValueError` if the range is empty or exceeds the possible ratings.
    """
    low = LOWEST if lowest is None else lowest
    high = HIGHEST if highest is None else highest
    if not LOWEST <= low <= high <= HIGHEST:
        raise ValueError(f"no range of ratings: {low} to {high}")
    return Between(low, high)


def get_bounds(lowest: int, highest: int) -> tuple[int | None, int | None]:
    """Return the bounds of a stored range; None stands for no bound."""
    return (None if lowest <= LOWEST else lowest), (None if highest >= HIGHEST else highest)


def must_have_accounts(player_ids: Collection[int]) -> None:
    """Raise `Refused` if one of the players is a guest."""
    if Player.objects.filter(pk__in=player_ids, is_guest=True).exists():
        raise Refused("rated-account")


def must_be_in_range(player_id: int, by: Seek) -> None:
    """Raise `Refused` if the player is a guest, or not in the range of the rated seek."""
    must_have_accounts([player_id])
    rating = round(get_current_ratings([player_id], by.game)[player_id].rating)
    if not by.lowest <= rating <= by.highest:
        raise Refused("out-of-range", lowest=by.lowest, highest=by.highest, rating=rating)
