"""The queue of players with open items, highest weight first.

Each request computes the queue from the open items, so there are no counters that could be wrong.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from math import log2
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Count, Min
from msgspec import Struct

from games.messages.refusal import Refused
from games.models import Assignment, Case, Report, Sign
from games.review import handling

_REPORTS = {
    Report.Reason.CHEATING: 3.0,
    Report.Reason.NAME: 2.5,
    Report.Reason.LOSING: 2.0,
    Report.Reason.STALLING: 2.0,
    Report.Reason.OTHER: 1.0,
}
_SIGNS = {
    Sign.Kind.RHYTHM: 4.0,
    Sign.Kind.PAIR: 4.0,
    Sign.Kind.THROWN: 3.0,
    Sign.Kind.ABORTS: 3.0,
    Sign.Kind.FARMING: 3.5,
    Sign.Kind.SUDDEN: 3.0,
    Sign.Kind.LOSING: 3.0,
    Sign.Kind.ADDRESS: 1.5,
    Sign.Kind.WIDE: 1.0,
}
_SAME = (
    (Report.Reason.CHEATING, Sign.Kind.RHYTHM),
    (Report.Reason.CHEATING, Sign.Kind.SUDDEN),
    (Report.Reason.LOSING, Sign.Kind.LOSING),
    (Report.Reason.LOSING, Sign.Kind.THROWN),
    (Report.Reason.LOSING, Sign.Kind.PAIR),
    (Report.Reason.STALLING, Sign.Kind.ABORTS),
)
_TOGETHER = 5.0


def weigh_items(reporters: Mapping[str, int], signs: Mapping[str, int]) -> float:
    """Return the weight of a player's open reports (the number of different reporters for each
    reason) and signs (the number of each kind)."""
    found = sum(_REPORTS[Report.Reason(reason)] * log2(1 + n) for reason, n in reporters.items())
    found += sum(_SIGNS[Sign.Kind(kind)] * log2(1 + n) for kind, n in signs.items())
    return found + _TOGETHER * sum(reason in reporters and kind in signs for reason, kind in _SAME)


def get_weight(kind: str) -> float:
    """Return the weight of one report or one sign of this kind."""
    return _REPORTS[Report.Reason(kind)] if kind in _REPORTS else _SIGNS[Sign.Kind(kind)]


MOST = 20_000  # cases, and likewise signs, that are considered, oldest first
_TRIES = 20  # entries to try, because other moderators may take some at the same time


class QueueEntry(Struct, frozen=True):
    """A player in the queue."""

    player_id: int
    reports: dict[str, int]  # the number of different reporters for each reason
    signs: dict[str, int]  # the number of signs of each kind
    since: datetime
    telling: float

    @property
    def order(self) -> tuple[float, datetime, int]:
        """A sort key: highest weight first, then the oldest."""
        return (-self.telling, self.since, self.player_id)


class Counts(Struct, frozen=True):
    """The numbers of open items for the front page, each at most `MOST`."""

    players: int
    reports: int
    signs: int
    most: int = MOST


def list_entries() -> list[QueueEntry]:
    """Return all entries, in order."""
    found: dict[int, tuple[dict[str, int], dict[str, int], datetime]] = {}
    reports = Report.objects.filter(case__in=_oldest_cases()).order_by()
    by_reason = reports.values_list("case__player", "reason").annotate(
        number=Count("by", distinct=True), since=Min("at")
    )
    for player_id, reason, number, since in by_reason:
        entry = found.get(player_id, ({}, {}, since))
        entry[0][reason] = number
        found[player_id] = (entry[0], entry[1], min(entry[2], since))
    by_kind = (
        Sign.objects.filter(pk__in=_oldest_signs())
        .order_by()
        .values_list("player", "kind")
        .annotate(number=Count("pk"), since=Min("at"))
    )
    for player_id, kind, number, since in by_kind:
        entry = found.get(player_id, ({}, {}, since))
        entry[1][kind] = number
        found[player_id] = (entry[0], entry[1], min(entry[2], since))
    made = [
        QueueEntry(player_id, of_reports, of_signs, since, weigh_items(of_reports, of_signs))
        for player_id, (of_reports, of_signs, since) in found.items()
    ]
    return sorted(made, key=lambda entry: entry.order)


def count_items() -> Counts:
    """Count the open items."""
    return Counts(len(list_entries()), _oldest_cases().count(), _oldest_signs().count())


def get_assignments() -> dict[int, Assignment]:
    """Return the assignments in force, by player."""
    held = Assignment.objects.filter(at__gte=handling.get_expiry_limit()).select_related("by")
    return {assignment.player_id: assignment for assignment in held.order_by("-at")[:MOST]}


def get_neighbours(queue: list[QueueEntry], player_id: int) -> tuple[int | None, int | None]:
    """Return the players before and after this one in the queue."""
    ids = [entry.player_id for entry in queue]
    if player_id not in ids:
        return None, ids[0] if ids else None
    at = ids.index(player_id)
    return (ids[at - 1] if at else None), (ids[at + 1] if at + 1 < len(ids) else None)


def take_next(by: Any, after: QueueEntry | None = None) -> int | None:
    """Assign the next player to a moderator: the one they already have, else the first free entry,
    starting after `after`. Return None if no entry is free. Raises `Refused`."""
    handling.must_handle(by)
    queue, held = list_entries(), get_assignments()
    own = {pk for pk, assignment in held.items() if assignment.by_id == by.pk}
    for entry in queue:
        if entry.player_id in own:
            return entry.player_id
    closed = handling.get_own_opponents(by) | set(held)
    if not by.is_superuser:
        closed |= _get_staff()
    free = (entry for entry in _iterate_from(queue, after) if entry.player_id not in closed)
    for entry, _ in zip(free, range(_TRIES), strict=False):
        try:
            handling.take_player(entry.player_id, by)
        except Refused:
            continue  # another moderator was faster
        return entry.player_id
    return None


def _iterate_from(queue: list[QueueEntry], after: QueueEntry | None) -> Iterator[QueueEntry]:
    """Iterate over the queue from the entry after this one, then from the beginning."""
    start = 0
    if after is not None:
        start = sum(entry.order <= after.order for entry in queue)
    yield from queue[start:]
    yield from queue[:start]


def _get_staff() -> set[int]:
    """Return the staff's ids, on whom only an administrator may decide."""
    staff = get_user_model()._default_manager.filter(is_staff=True)
    return set(staff.values_list("pk", flat=True)[:MOST])


def _oldest_cases() -> Any:
    rows = Case.objects.filter(closed_at=None).order_by("opened_at", "pk")
    return rows.values("pk")[:MOST]


def _oldest_signs() -> Any:
    return Sign.objects.filter(seen_at=None).order_by("at", "pk").values("pk")[:MOST]
