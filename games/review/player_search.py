"""The search for players, which every page of the review offers.

The search finds players by a name, a former name, a class or club, and by the key of a network or a
browser. Keys are hashes: they show that two players share a network or a browser, but not which
one.
"""

import re
from collections.abc import Callable, Iterable

from django.contrib.auth import get_user_model
from django.db.models import Case, F, When
from django.utils.translation import gettext
from msgspec import Struct

from games.messages.names import isolate_name
from games.models import Connection, Decision
from games.review.lists import find_people
from games.store.aliases import get_persons
from games.store.audit import list_addresses

MOST = 200
"""The maximum number of players that a search lists, and that moderators can handle together."""
SHORTEST = 2
"""The minimum number of characters of a search."""
_CONNECTIONS = 2000  # how many of the newest connections from a network are searched for players
_KEY = re.compile("[0-9a-f]{6,64}")


class Hit(Struct, frozen=True):
    """A player that a search found, and the reason."""

    player_id: int
    reasons: tuple[str, ...]


Source = Callable[[str], Iterable[tuple[int, str]]]
sources: list[Source] = []
"""Other functions that find players. Each yields at most `MOST` pairs of a player's id and the
reason. `config.wiring` sets them."""

key_sources: list[Callable[[int], list[str]]] = []
"""Functions that return the keys of a player's browsers, the latest first. `config.wiring` sets
them."""


def search_players(text: str) -> tuple[list[Hit], bool]:
    """Return at most `MOST` players for a text, and whether there may be more.

    A text that is shorter than `SHORTEST` finds nobody.
    """
    text = " ".join(text.split())
    if len(text) < SHORTEST:
        return [], False
    pairs = [pair for source in (_by_name, _by_rename, _by_network) for pair in source(text)]
    pairs += [pair for source in sources for pair in source(text)]
    people = get_persons({player_id for player_id, _ in pairs})
    found: dict[int, list[str]] = {}
    for player_id, reason in pairs:
        reasons = found.setdefault(people.get(player_id, player_id), [])
        if reason not in reasons:
            reasons.append(reason)
    hits = [Hit(player_id, tuple(reasons)) for player_id, reasons in found.items()]
    return hits[:MOST], len(pairs) >= MOST


def parse_key(text: str) -> str:
    """Return the text if it can be a key, or the beginning of one, otherwise ""."""
    return text if _KEY.fullmatch(text) else ""


def list_keys(player_id: int) -> dict[str, list[str]]:
    """Return the keys of the networks and browsers that a player used last."""
    return {
        "networks": list_addresses(player_id),
        "browsers": [key for source in key_sources for key in source(player_id)],
    }


def _by_name(text: str) -> Iterable[tuple[int, str]]:
    everyone = get_user_model()._default_manager.order_by("pk")
    field = get_user_model().USERNAME_FIELD
    exact = find_people(text)
    likely = everyone.filter(**{f"{field}__icontains": text}).values_list("pk", flat=True)
    for player_id in dict.fromkeys([*exact, *likely[:MOST]]):
        yield player_id, gettext("name")


def _by_rename(text: str) -> Iterable[tuple[int, str]]:
    """Yield players whose former name, replaced by moderators, contains the text."""
    renamed = Decision.objects.filter(kind=Decision.Kind.RENAME, before__name__icontains=text)
    for player_id, before in renamed.order_by("-pk").values_list("player", "before")[:MOST]:
        yield player_id or 0, _former(before["name"])


def _by_network(text: str) -> Iterable[tuple[int, str]]:
    key = parse_key(text)
    if not key:
        return
    # Use a range, because `startswith` does not use the index on every database.
    seen = Connection.objects.filter(address__gte=key, address__lt=f"{key}g")
    player = Case(When(seat=0, then=F("match__first")), default=F("match__second"))
    rows = seen.order_by("address", "-opened_at").values_list(player, "address")
    for player_id, address in dict.fromkeys(rows[:_CONNECTIONS]):
        yield player_id, gettext("network %(key)s") % {"key": address[:6]}


def _former(name: str) -> str:
    return gettext("former name %(name)s") % {"name": isolate_name(name)}
