"""Which players have the computer think, and from where. Its time is shared by household."""

from collections.abc import Collection
from datetime import datetime

from games.models import Caller
from games.store.audit import hashed


def note_caller(player_id: int, household: str, now: datetime) -> None:
    """Store from which household a player has the computer think."""
    Caller.objects.bulk_create(
        [Caller(player_id=player_id, address=hashed(household), at=now)],
        update_conflicts=True,
        unique_fields=["player"],
        update_fields=["address", "at"],
    )


def households(player_ids: Collection[int]) -> dict[int, str]:
    """The hashed households from which these players called the computer, by player id. Unknown
    players are left out."""
    found = Caller.objects.filter(player_id__in=player_ids)
    return dict(found.values_list("player_id", "address"))
