"""Which other players came from the addresses of one, as far as the log of connections tells.

An address is known only by its keyed hash. A household, a school and a club share one.
"""

from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from msgspec import Struct

from games.models import Connection, Match
from games.review.lists import of_players
from games.store.suspensions import suspended

_MATCHES = 100  # of the player, the newest
_ADDRESSES = 10  # of those, the newest
_EACH = 300  # connections of each address, the newest
_SHOWN = 12


class Neighbour(Struct, frozen=True):
    """Another player who came from the same address."""

    player: Any
    last: datetime
    connections: int
    is_suspended: bool


def neighbours(player_id: int) -> tuple[list[Neighbour], int]:
    """The other players at the player's addresses, the newest first, and how many there are."""
    newest = Match.objects.filter(of_players([player_id])).order_by("-created_at")
    seats = {
        pk: 0 if first == player_id else 1
        for pk, first in newest.values_list("pk", "first")[:_MATCHES]
    }
    own = Connection.objects.filter(match__in=list(seats)).exclude(address="")
    addresses = dict.fromkeys(
        address
        for match_id, seat, address in own.order_by("-opened_at").values_list(
            "match", "seat", "address"
        )
        if seats[match_id] == seat
    )
    found: dict[int, list[datetime]] = {}
    for address in list(addresses)[:_ADDRESSES]:
        there = Connection.objects.filter(address=address).order_by("-opened_at")
        rows = there.values_list("seat", "match__first", "match__second", "opened_at")[:_EACH]
        for seat, first, second, at in rows:
            found.setdefault(second if seat else first, []).append(at)
    found.pop(player_id, None)
    order = sorted(found, key=lambda pk: max(found[pk]), reverse=True)
    shown = order[:_SHOWN]
    people = get_user_model()._default_manager.in_bulk(shown)
    held = suspended(shown)
    return [
        Neighbour(people[pk], max(found[pk]), len(found[pk]), pk in held)
        for pk in shown
        if pk in people
    ], len(order)
