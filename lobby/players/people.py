"""Lookup of players by name."""

from collections.abc import Sequence

from games.store.aliases import get_aliases
from games.store.visibility import find_hidden_players
from lobby.accounts.names import find_people
from lobby.models import Player
from lobby.models.player import BOT_MARK

LONGEST_NAME = 80  # characters of a searched name; all names are shorter


def find(name: str, viewer_id: int | None) -> Player | None:
    """Return the player with a name that equals or resembles this one, if the viewer may see them.

    Former names, guest names and names with a bot's mark are found too.
    """
    found = find_all([name], viewer_id)
    return found[0] if found else None


def find_all(names: Sequence[str], viewer_id: int | None) -> list[Player]:
    """Return the players with these names whom the viewer may see, in order, without duplicates.

    Two queries, and up to three more if one of them is protected.
    """
    people = find_any(names)
    hidden = find_hidden_players(viewer_id, [each.pk for each in people if each.is_protected])
    return [each for each in people if each.pk not in hidden]


def find_any(names: Sequence[str]) -> list[Player]:
    """Return the players with these names without regard to visibility, for the operator."""
    wanted = (" ".join(name.split()).removesuffix(BOT_MARK) for name in names)
    asked = dict.fromkeys(name for name in wanted if 0 < len(name) <= LONGEST_NAME)
    found = find_people(list(asked))
    return list({found[name].pk: found[name] for name in asked if name in found}.values())


def rows_of(player_id: int) -> list[int]:
    """Return the ids of the player and of the guests merged into them."""
    return sorted(get_aliases(player_id))
