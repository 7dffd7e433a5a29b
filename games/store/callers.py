"""Who calls the computer, and from where."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from games.models import Caller
from games.store.audit import hashed

_EACH = 1000  # rows deleted in one go


def note_caller(player_id: int, household: str, now: datetime) -> None:
    """Note from where a player has the computer think."""
    Caller.objects.bulk_create(
        [Caller(player_id=player_id, address=hashed(household), at=now)],
        update_conflicts=True,
        unique_fields=["player"],
        update_fields=["address", "at"],
    )


def households(player_ids: Collection[int]) -> dict[int, str]:
    """From where these players call the computer, by their ids. Who is not known is left out."""
    found = Caller.objects.filter(player_id__in=player_ids)
    return dict(found.values_list("player_id", "address"))


def forget_old() -> None:
    """Remove who has not called the computer for CONNECTION_DAYS, some at a time."""
    old = timezone.now() - timedelta(days=settings.CONNECTION_DAYS)
    found = Caller.objects.filter(at__lt=old).order_by("at")
    Caller.objects.filter(pk__in=list(found.values_list("pk", flat=True)[:_EACH])).delete()
