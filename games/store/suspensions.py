"""Suspensions of players, which follow from the decisions of moderators."""

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from django.db import connection
from django.utils import timezone
from msgspec import Struct

from games.messages.refusal import Refused
from games.models import Decision
from games.runtime.postgres import execute_prepared
from games.runtime.prepared_query import PreparedQuery
from games.store.aliases import get_kin, get_persons

_RECENT = timedelta(minutes=1)
_IDS_IN_STEPS_OF = 8
_HELD = """
    SELECT player_id FROM games_decision AS held
    WHERE kind = 'suspend' AND player_id {among} AND (until IS NULL OR until > %s)
    AND NOT EXISTS (SELECT 1 FROM games_decision WHERE reverses_id = held.id)
"""
_HELD_IN_ARRAY = _HELD.format(among="= ANY(%s)")


class Suspension(Struct, frozen=True):
    """The reason for a suspension, and its end (None: permanent)."""

    reason: str
    until: datetime | None
    decision_id: int = 0

    @property
    def refusal(self) -> Refused:
        """The refusal that is shown to the player."""
        if self.until is None:
            return Refused("suspended", reason=self.reason)
        return Refused("suspended-until", until=f"{self.until:%Y-%m-%d %H:%M}", reason=self.reason)


def get_suspensions(player_ids: Collection[int]) -> dict[int, Suspension]:
    """Return a dictionary that maps the id of each player who is suspended to the suspension.

    If there are several, it is the one that ends last. A suspension applies to all rows of the
    person (`games.store.aliases`).
    """
    if not player_ids:
        return {}
    rows = get_kin(player_ids)
    known = _current({pk for ids in rows.values() for pk in ids})
    found = {}
    for player_id, ids in rows.items():
        if held := [known[pk] for pk in ids if pk in known]:
            found[player_id] = max(held, key=_length)
    return found


def _current(player_ids: Collection[int]) -> dict[int, Suspension]:
    now = timezone.now()
    found: dict[int, Suspension] = {}
    for player_id, reason, until, decision_id in _of_players(player_ids):
        each = Suspension(reason, until, decision_id)
        if until is not None and until <= now:
            continue
        known = found.get(player_id)
        if known is None or _length(each) > _length(known):
            found[player_id] = each
    return found


_of_players = PreparedQuery(
    lambda players: Decision.objects.filter(
        kind="suspend", player_id__in=players, reversed_by__isnull=True
    ).values_list("player_id", "reason", "until", "pk")
)


def _length(held: Suspension) -> tuple[bool, datetime]:
    return held.until is None, held.until or datetime.max.replace(tzinfo=UTC)


def find_suspended_rows(player_ids: Collection[int]) -> set[int]:
    """Return the given ids that are suspended now, without looking up aliases.

    To find people who are suspended under any of their ids, the caller must pass all of these ids.
    """
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    with connection.cursor() as cursor:
        return select_suspended_rows(cursor, player_ids, now)


def select_suspended_rows(cursor: Any, player_ids: Collection[int], now: Any) -> set[int]:
    """Do the same as `find_suspended_rows`, in plain SQL because every batch of actions needs it.

    `now` is the time in the form that the database expects.
    """
    if not player_ids:
        return set()
    ids = list(player_ids)
    if connection.vendor == "postgresql":
        return {player_id for (player_id,) in execute_prepared(_HELD_IN_ARRAY, [ids, now])}
    # Repeat an id, so that there are few different queries. The database keeps those prepared.
    ids += ids[-1:] * (-len(ids) % _IDS_IN_STEPS_OF)
    cursor.execute(_held_among(len(ids)), [*ids, now])
    return {player_id for (player_id,) in cursor.fetchall()}


@lru_cache(maxsize=256)
def _held_among(number: int) -> str:
    return _HELD.format(among=f"IN ({', '.join(['%s'] * number)})")


def list_newly_suspended() -> list[int]:
    """Return the ids of the people who were suspended in the last minute."""
    recent = Decision.objects.filter(kind="suspend", at__gt=timezone.now() - _RECENT)
    return sorted(set(get_persons(list(recent.values_list("player_id", flat=True))).values()))


def get_suspension(player_id: int | None) -> Suspension | None:
    return None if player_id is None else get_suspensions([player_id]).get(player_id)
