"""The networks of players who send commands in rated matches or use the computer.

A network is an IPv4 address or an IPv6 /64, and is stored as a keyed hash (`games.store.audit`). In
a rated match, the journal stores it in the transaction of the command, so it is known before the
command can end the match. Further commands from the same network usually need no query.
"""

from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import connection, transaction
from msgspec import Struct

from games.models import Caller, ClientNetwork
from games.store.audit import hash_address

_MOST_KNOWN = 20_000  # the most seats and networks that a process remembers: about 5 MB
_INSERT = (
    "INSERT INTO games_clientnetwork (match_id, seat, network, at) VALUES (%s, %s, %s, %s)"
    " ON CONFLICT DO NOTHING"
)


class SeatNetwork(Struct, frozen=True):
    """A seat that sent a command, and its IPv4 address or IPv6 /64, not hashed."""

    match_id: str
    seat: int
    network: str


_known: dict[SeatNetwork, None] = {}  # networks that this process stored, oldest first


def store_networks(actions: Sequence[tuple[SeatNetwork, bool]], now: datetime) -> None:
    """Store the networks from which these commands came, in the caller's transaction.

    The flag marks a command that is the seat's first action in its match. For such a command, the
    cache of this process is ignored, because an older copy of the database may have been restored.
    """
    new = {action: None for action, is_first in actions if is_first or action not in _known}
    if not new:
        return
    at = connection.ops.adapt_datetimefield_value(now)
    with connection.cursor() as cursor:
        cursor.executemany(
            _INSERT, [(each.match_id, each.seat, hash_address(each.network), at) for each in new]
        )
    transaction.on_commit(lambda: _remember(new))


def find_matches_of_one_network(match_ids: Collection[str]) -> set[str]:
    """Return the ids of the matches in which both seats sent commands from the same network."""
    if not match_ids:
        return set()
    rows = ClientNetwork.objects.filter(match__in=match_ids)
    seats: dict[tuple[str, str], set[int]] = {}
    for match_id, network, seat in rows.values_list("match", "network", "seat"):
        seats.setdefault((match_id, network), set()).add(seat)
    return {match_id for (match_id, _), of in seats.items() if len(of) > 1}


def _remember(stored: Collection[SeatNetwork]) -> None:
    _known.update(dict.fromkeys(stored))
    while len(_known) > _MOST_KNOWN:
        _known.pop(next(iter(_known)), None)


def store_caller(player_id: int, client_network: str, now: datetime) -> None:
    """Store the network of a player who uses the computer.

    The processes that search serve these networks round-robin.
    """
    Caller.objects.bulk_create(
        [Caller(player_id=player_id, address=hash_address(client_network), at=now)],
        update_conflicts=True,
        unique_fields=["player"],
        update_fields=["address", "at"],
    )


def get_caller_networks(player_ids: Collection[int]) -> dict[int, str]:
    """Return a dictionary that maps the ids of these players to hashed networks.

    Each is the network from which the player last used the computer. Players without a known
    network are left out.
    """
    found = Caller.objects.filter(player_id__in=player_ids)
    return dict(found.values_list("player_id", "address"))
