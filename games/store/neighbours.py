"""Players who share a network, according to the connection log.

A network is stored as a keyed hash (`games.store.audit`). A shared network proves nothing, because
all computers of a school share one.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import Case, F, When
from django.utils import timezone
from msgspec import Struct

from games.models import Connection, Match
from games.store.aliases import get_kin, get_persons, match_players_filter
from games.store.audit import hash_address
from games.store.suspensions import get_suspensions

_MATCHES = 200  # how many of a player's newest matches are searched for addresses
_ADDRESSES = 10  # how many of a player's latest addresses are considered
_CONNECTIONS = 1000  # how many of the newest connections from an address are considered


class Neighbour(Struct, frozen=True):
    """A player who connected from the same network, with the number of times and the last time."""

    player_id: int
    times: int
    last_at: datetime
    is_suspended: bool


def list_addresses(player_id: int) -> list[str]:
    """Return the hashes of the networks from which the player played their newest matches."""
    rows = get_kin([player_id]).get(player_id, frozenset({player_id}))
    newest = (
        Match.objects.filter(match_players_filter(rows))
        .order_by("-created_at")
        .values_list("pk", "first")
    )
    seats = {pk: 0 if first in rows else 1 for pk, first in newest[:_MATCHES]}
    found: dict[str, datetime] = {}
    known = Connection.objects.filter(match__in=seats).exclude(address="")
    for match_id, seat, address, at in known.values_list("match_id", "seat", "address", "seen_at"):
        if seats[match_id] == seat:
            found[address] = max(at, found.get(address, at))
    return sorted(found, key=lambda address: found[address], reverse=True)[:_ADDRESSES]


def list_neighbours(player_id: int) -> list[Neighbour]:
    """Return the people who recently played from one of the player's networks, the latest first."""
    mine = get_kin([player_id]).get(player_id, frozenset({player_id}))
    seen = [each for address in list_addresses(player_id) for each in _seen_at(address)]
    people = get_persons({row for row, _ in seen})
    times: dict[int, list[datetime]] = {}
    for row, at in seen:
        if row not in mine:
            times.setdefault(people.get(row, row), []).append(at)
    held = get_suspensions(times)
    found = [Neighbour(pk, len(each), max(each), pk in held) for pk, each in times.items()]
    return sorted(found, key=lambda each: each.last_at, reverse=True)


def has_suspended(client_network: str, days: int) -> bool:
    """Return whether a currently suspended player used that network in the last `days`."""
    since = timezone.now() - timedelta(days=days)
    seen = _seen_at(hash_address(client_network), since)
    return bool(get_suspensions({row for row, _ in seen}))


def _seen_at(address: str, since: datetime | None = None) -> Collection[tuple[int, datetime]]:
    """Return the players in the newest connections from an address, and when each was last seen."""
    found = Connection.objects.filter(address=address).order_by("-opened_at")
    if since is not None:
        found = found.filter(opened_at__gt=since)
    player = Case(When(seat=0, then=F("match__first")), default=F("match__second"))
    return list(found.values_list(player, "seen_at")[:_CONNECTIONS])
