"""The queue: one entry for each player about whom something is open, the most telling first.

It is worked out from what is open whenever it is asked for, so that no counter of it can be wrong.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Count, Min
from msgspec import Struct

from games.messages.refusal import Refused
from games.models import Assignment, Case, Report, Sign
from games.review import handling
from games.review.ranking import telling

MOST = 20_000  # cases, and signs, that are looked at: the oldest first
_TRIES = 20  # entries that are tried for the next one, while others take theirs


class Entry(Struct, frozen=True):
    """A player in the queue."""

    player_id: int
    reports: dict[str, int]  # for each reason, by how many different players
    signs: dict[str, int]  # for each kind, how many
    since: datetime
    telling: float

    @property
    def order(self) -> tuple[float, datetime, int]:
        """The most telling first; of equal ones, the oldest."""
        return (-self.telling, self.since, self.player_id)


class Counts(Struct, frozen=True):
    """What is open, for the front page. None is counted beyond `MOST`."""

    players: int
    reports: int
    signs: int
    most: int = MOST


def entries() -> list[Entry]:
    """All entries, in their order."""
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
        Entry(player_id, of_reports, of_signs, since, telling(of_reports, of_signs))
        for player_id, (of_reports, of_signs, since) in found.items()
    ]
    return sorted(made, key=lambda entry: entry.order)


def counts() -> Counts:
    """What is open."""
    return Counts(len(entries()), _oldest_cases().count(), _oldest_signs().count())


def taken() -> dict[int, Assignment]:
    """Who has which player now."""
    held = Assignment.objects.filter(at__gte=handling.lapsed()).select_related("by")
    return {assignment.player_id: assignment for assignment in held.order_by("-at")[:MOST]}


def beside(queue: list[Entry], player_id: int) -> tuple[int | None, int | None]:
    """The players before and after one in the queue."""
    ids = [entry.player_id for entry in queue]
    if player_id not in ids:
        return None, ids[0] if ids else None
    at = ids.index(player_id)
    return (ids[at - 1] if at else None), (ids[at + 1] if at + 1 < len(ids) else None)


def take_next(by: Any, after: Entry | None = None) -> int | None:
    """Take the next player for a moderator: whom they have already, else the most telling entry
    that is free, below `after` first. None if there is none. Raises `Refused`."""
    handling.must_handle(by)
    queue, held = entries(), taken()
    own = {pk for pk, assignment in held.items() if assignment.by_id == by.pk}
    for entry in queue:
        if entry.player_id in own:
            return entry.player_id
    closed = handling.concerning(by) | set(held)
    if not by.is_superuser:
        closed |= _staff()
    free = (entry for entry in _from(queue, after) if entry.player_id not in closed)
    for entry, _ in zip(free, range(_TRIES), strict=False):
        try:
            handling.take(entry.player_id, by)
        except Refused:
            continue  # somebody else was faster
        return entry.player_id
    return None


def _from(queue: list[Entry], after: Entry | None) -> Iterator[Entry]:
    """The queue from behind an entry on, then from its beginning."""
    start = 0
    if after is not None:
        start = sum(entry.order <= after.order for entry in queue)
    yield from queue[start:]
    yield from queue[:start]


def _staff() -> set[int]:
    """Only an administrator decides on these."""
    staff = get_user_model()._default_manager.filter(is_staff=True)
    return set(staff.values_list("pk", flat=True)[:MOST])


def _oldest_cases() -> Any:
    rows = Case.objects.filter(closed_at=None).order_by("opened_at", "pk")
    return rows.values("pk")[:MOST]


def _oldest_signs() -> Any:
    return Sign.objects.filter(seen_at=None).order_by("at", "pk").values("pk")[:MOST]
