"""Search for players by name."""

import sys
from collections.abc import Sequence

from django.db import connection
from django.db.models import Q

from games.messages.names import SHORTEST, compute_name_key
from games.store.aliases import get_aliases
from games.store.visibility import find_hidden_players
from lobby.accounts.names import find_people
from lobby.models import Player
from lobby.models.player import BOT_MARK

LONGEST_NAME = 80  # characters in a searched name; all names are shorter
_MOST_READ = 500  # players that one search reads
_MOST_FOUND = 20


def find_player(name: str, viewer_id: int | None) -> Player | None:
    """Return the player with this name whom the viewer may see, or None.

    Former names, the names of merged guests, the marked names of bots, and different spellings with
    the same key are found, too.
    """
    found = find_players([name], viewer_id)
    return found[0] if found else None


def find_players(names: Sequence[str], viewer_id: int | None) -> list[Player]:
    """Return the players with these names whom the viewer may see, in order, without duplicates.

    There are at most two queries, and up to three more if one of the players is protected.
    """
    people = find_players_for_operator(names)
    hidden = find_hidden_players(viewer_id, [each.pk for each in people if each.is_protected])
    return [each for each in people if each.pk not in hidden]


def search(text: str, viewer_id: int | None) -> list[Player]:
    """Return players whom the viewer may see and whose names begin with the text.

    An exact match comes first, then accounts, then guests. At most `_MOST_FOUND` are returned. If
    very many names begin with the text, only some are read, so that the query is bounded. A text
    that is too short finds only an exact match.
    """
    key = compute_name_key(text[:LONGEST_NAME])
    if len(key) < SHORTEST:
        return find_players([text], viewer_id)
    people = Player.objects.filter(
        begins_with(key), is_active=True, alias_of=None, beside=None, closed_at=None
    )
    read = list(people[:_MOST_READ])
    hidden = find_hidden_players(viewer_id, [each.pk for each in read if each.is_protected])
    seen = [each for each in read if each.pk not in hidden]
    seen.sort(key=lambda each: (each.is_guest, each.name.casefold(), each.pk))
    exact = find_players([text], viewer_id)
    return list({each.pk: each for each in (*exact, *seen)}.values())[:_MOST_FOUND]


def begins_with(key: str) -> Q:
    """Return a condition on the beginning of `name_key` that can use the index."""
    if connection.vendor == "postgresql":
        return Q(name_key__startswith=key)
    return Q(name_key__gte=key, name_key__lt=key + chr(sys.maxunicode))


def find_players_for_operator(names: Sequence[str]) -> list[Player]:
    """Return the players with these names, regardless of visibility.

    Only the operator may see the result as it is.
    """
    wanted = (" ".join(name.split()).removesuffix(BOT_MARK) for name in names)
    asked = dict.fromkeys(name for name in wanted if 0 < len(name) <= LONGEST_NAME)
    found = find_people(list(asked))
    return list({found[name].pk: found[name] for name in asked if name in found}.values())


def get_person_rows(player_id: int) -> list[int]:
    """Return the ids of the player and of the player's aliases."""
    return sorted(get_aliases(player_id))
