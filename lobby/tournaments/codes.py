"""The code by which a tournament is entered, and how often one may be wrong about it."""

from games.messages.refusal import Refused
from lobby.groups.codes import as_stored, may_try, new_code, was_wrong
from lobby.models import Tournament

__all__ = ["must_be_right", "new_code"]


def must_be_right(tournament: Tournament, typed: str, player_id: int, address: str) -> None:
    """Raises `Refused` for a wrong code ("wrong-code"), and for more tries than a player or an
    address has, right or wrong ("many-tries"). The tries are those of groups' codes, too."""
    if not may_try(player_id, address):
        raise Refused("many-tries")
    if not tournament.code or as_stored(typed) != tournament.code:
        was_wrong(address)
        raise Refused("wrong-code")
