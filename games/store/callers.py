"""Which players have the computer think, and from where. Its time is shared by network."""

from collections.abc import Collection
from datetime import datetime

from games.models import Caller
from games.store.audit import hashed


def note_caller(player_id: int, client_network: str, now: datetime) -> None:
    """Store from which network a player has the computer think."""
    Caller.objects.bulk_create(
        [Caller(player_id=player_id, address=hashed(client_network), at=now)],
        update_conflicts=True,
        unique_fields=["player"],
        update_fields=["address", "at"],
    )


def client_networks(player_ids: Collection[int]) -> dict[int, str]:
    """The hashed networks from which these players called the computer, by player id. Unknown
    players are left out."""
    found = Caller.objects.filter(player_id__in=player_ids)
    return dict(found.values_list("player_id", "address"))
