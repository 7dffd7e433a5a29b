"""Finding a player by name, and all rows of the person."""

from collections.abc import Sequence

from games.store.aliases import get_aliases
from games.store.visibility import find_hidden_players
from lobby.accounts.names import find_people
from lobby.models import Player
from lobby.models.player import BOT_MARK

LONGEST_NAME = 80  # characters of a name that is looked for: names are shorter


def find(name: str, viewer_id: int | None) -> Player | None:
    """The player of that name; else of one that cannot be told from it, as when case differs, or
    who had it not long ago. A guest who has an account now is that account. The mark of a bot may
    stand after it. None: nobody whom the viewer may see."""
    found = find_all([name], viewer_id)
    return found[0] if found else None


def find_all(names: Sequence[str], viewer_id: int | None) -> list[Player]:
    """The same for several names, in their order, everybody once. Two queries, and up to three more
    where one of them is protected."""
    people = find_any(names)
    hidden = find_hidden_players(viewer_id, [each.pk for each in people if each.is_protected])
    return [each for each in people if each.pk not in hidden]


def find_any(names: Sequence[str]) -> list[Player]:
    """The same for the operator, whoever may see them."""
    wanted = (" ".join(name.split()).removesuffix(BOT_MARK) for name in names)
    asked = dict.fromkeys(name for name in wanted if 0 < len(name) <= LONGEST_NAME)
    found = find_people(list(asked))
    return list({found[name].pk: found[name] for name in asked if name in found}.values())


def rows_of(player_id: int) -> list[int]:
    """The player, and the guests that they were: in the seats of any of them they play now."""
    return sorted(get_aliases(player_id))
