"""Which players the staff has suspended, read from the decisions themselves."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import connection
from django.utils import timezone
from msgspec import Struct

from games.models import Decision

_RECENT = timedelta(minutes=1)
_HELD = """
    SELECT player_id FROM games_decision AS held
    WHERE kind = 'suspend' AND player_id IN ({marks}) AND (until IS NULL OR until > %s)
    AND NOT EXISTS (SELECT 1 FROM games_decision WHERE reverses_id = held.id)
"""
WORDS = "You are suspended {until}. The reason: {reason}"


class Suspension(Struct, frozen=True):
    """Why a player is suspended, and until when (None: for good)."""

    reason: str
    until: datetime | None

    @property
    def words(self) -> str:
        """What the player is told."""
        until = f"until {self.until:%Y-%m-%d %H:%M} UTC" if self.until else "for good"
        return WORDS.format(until=until, reason=self.reason)


def suspensions(player_ids: Collection[int]) -> dict[int, Suspension]:
    """The current suspensions of these players, by player; of several, the longest."""
    if not player_ids:
        return {}
    now = timezone.now()
    held = Decision.objects.filter(
        kind="suspend", player_id__in=player_ids, reversed_by__isnull=True
    ).values_list("player_id", "reason", "until")
    found: dict[int, Suspension] = {}
    for player_id, reason, until in held:
        if until is not None and until <= now:
            continue
        known = found.get(player_id)
        if known is None or (known.until and (until is None or until > known.until)):
            found[player_id] = Suspension(reason, until)
    return found


def suspended(player_ids: Collection[int]) -> set[int]:
    """Which of these players are suspended now. Plain SQL, as every batch of actions needs it."""
    if not player_ids:
        return set()
    marks = ", ".join(["%s"] * len(player_ids))
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    with connection.cursor() as cursor:
        cursor.execute(_HELD.format(marks=marks), [*player_ids, now])
        return {player_id for (player_id,) in cursor.fetchall()}


def newly_suspended() -> list[int]:
    """The players who were suspended in the last minute."""
    recent = Decision.objects.filter(kind="suspend", at__gt=timezone.now() - _RECENT)
    return list(recent.values_list("player_id", flat=True))


def suspension(player_id: int | None) -> Suspension | None:
    """The player's current suspension, if any."""
    return None if player_id is None else suspensions([player_id]).get(player_id)
