"""The queue of players with open items.

By default, players who were reported or who appealed come before players with only signs, and
within both groups, those with the highest weight come first.

Each request computes the queue from the open items, so there are no counters that could become
wrong.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from math import log2
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Count, Min
from msgspec import Struct

from games.messages.refusal import Refused
from games.models import Assignment, Case, MergedEntry, Report, Sign
from games.review import handling
from games.review.handling import OpenAppeal, list_open_appeals
from games.review.queue_filters import (
    EVERYTHING,
    ME,
    NEWEST,
    NOBODY,
    OLDEST,
    QueueFilter,
)

_REPORTS = {
    Report.Reason.CHEATING: 3.0,
    Report.Reason.NAME: 2.5,
    Report.Reason.LOBBY: 2.0,
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
_APPEAL = 2.5


def weigh_items(reporters: Mapping[str, int], signs: Mapping[str, int]) -> float:
    """Return the weight of a player's open reports and signs.

    The weight of a reason grows with the number of different reporters, and that of a kind of sign
    with the number of signs. A report and a sign that indicate the same problem add to the weight.
    """
    found = sum(_REPORTS[Report.Reason(reason)] * log2(1 + n) for reason, n in reporters.items())
    found += sum(_SIGNS[Sign.Kind(kind)] * log2(1 + n) for kind, n in signs.items())
    return found + _TOGETHER * sum(reason in reporters and kind in signs for reason, kind in _SAME)


def get_weight(kind: str) -> float:
    """Return the weight of one report with this reason, or of one sign of this kind."""
    return _REPORTS[Report.Reason(kind)] if kind in _REPORTS else _SIGNS[Sign.Kind(kind)]


MOST = 20_000  # the maximum number of rows that a query reads; of cases and signs, the oldest ones
# The maximum number of entries to try. Other moderators may take some of them at the same time.
_TRIES = 20


class QueueEntry(Struct, frozen=True):
    """A player in the queue, with the items that are open."""

    player_id: int
    reports: dict[str, int]  # the number of different reporters for each reason
    signs: dict[str, int]  # the number of signs of each kind
    since: datetime
    telling: float
    appeals: tuple[OpenAppeal, ...] = ()
    merged: tuple[int, ...] = ()  # other players whose items are part of this entry

    @property
    def order(self) -> tuple[bool, float, datetime, int]:
        """A sort key: players with only signs come last; ties are decided by weight, then age."""
        is_by_people = bool(self.reports or self.appeals)
        return (not is_by_people, -self.telling, self.since, self.player_id)


class Counts(Struct, frozen=True):
    """The numbers of players and open items for the admin's front page.

    `reports` counts cases. At most `MOST` cases, `MOST` signs and `MOST` appeals are counted.
    """

    players: int
    reports: int
    signs: int
    appeals: int
    most: int = MOST


def list_entries(chosen: QueueFilter = EVERYTHING, by: Any = None) -> list[QueueEntry]:
    """Return the entries that a filter selects, in its order.

    `by` is the moderator who is viewing the queue. A filter can select the entries that are
    assigned to this moderator.
    """
    found = _list_all_entries()
    if chosen.selects_items:
        selected = _select_players(chosen)
        found = [entry for entry in found if entry.player_id in selected]
    if chosen.taken:
        found = _select_taken(found, chosen.taken, by)
    if chosen.order:
        found.sort(key=lambda entry: (entry.since, entry.player_id))
        if chosen.order == NEWEST:
            found.reverse()
    return found


def _select_players(chosen: QueueFilter) -> set[int]:
    """Return the ids of the players whose entry has an open item that the filter selects."""
    found: set[int] = set()
    of_reports, of_signs = chosen.build_report_filter(), chosen.build_sign_filter()
    if of_reports is not None:
        reports = Report.objects.filter(of_reports, case__in=_oldest_cases()).order_by()
        found.update(reports.values_list("case__player", flat=True).distinct())
    if of_signs is not None:
        signs = Sign.objects.filter(of_signs, pk__in=_oldest_signs()).order_by()
        found.update(signs.values_list("player", flat=True).distinct())
    found.update(
        each.player_id for each in list_open_appeals(MOST) if chosen.selects_appeal(each.at)
    )
    into = get_merged()
    return {into.get(player_id, player_id) for player_id in found}


def _select_taken(found: list[QueueEntry], taken: str, by: Any) -> list[QueueEntry]:
    holders = {pk: assignment.by_id for pk, assignment in get_assignments().items()}
    own = None if by is None else by.pk
    if taken == NOBODY:
        return [entry for entry in found if entry.player_id not in holders]
    if taken == ME:
        return [entry for entry in found if holders.get(entry.player_id, 0) == own]
    return [entry for entry in found if holders.get(entry.player_id, own) != own]


def _list_all_entries() -> list[QueueEntry]:
    """Return all entries, most urgent first."""
    into = get_merged()
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
    appeals: dict[int, list[OpenAppeal]] = {}
    for appeal in list_open_appeals(MOST):
        appeals.setdefault(appeal.player_id, []).append(appeal)
        of_reports, of_signs, since = found.get(appeal.player_id, ({}, {}, appeal.at))
        found[appeal.player_id] = (of_reports, of_signs, min(since, appeal.at))
    merged: dict[int, list[int]] = {}
    for player_id in into.keys() & found.keys():
        main, (of_reports, of_signs, since) = into[player_id], found.pop(player_id)
        all_reports, all_signs, first = found.get(main, ({}, {}, since))
        found[main] = (
            dict(Counter(all_reports) + Counter(of_reports)),
            dict(Counter(all_signs) + Counter(of_signs)),
            min(first, since),
        )
        appeals.setdefault(main, []).extend(appeals.pop(player_id, []))
        merged.setdefault(main, []).append(player_id)
    made = [
        QueueEntry(
            player_id,
            of_reports,
            of_signs,
            since,
            weigh_items(of_reports, of_signs) + _APPEAL * bool(appeals.get(player_id)),
            tuple(appeals.get(player_id, ())),
            tuple(merged.get(player_id, ())),
        )
        for player_id, (of_reports, of_signs, since) in found.items()
    ]
    return sorted(made, key=lambda entry: entry.order)


def count_items() -> Counts:
    """Count the players in the queue, and the open items."""
    found = list_entries()
    appeals = sum(len(entry.appeals) for entry in found)
    return Counts(len(found), _oldest_cases().count(), _oldest_signs().count(), appeals)


def get_merged() -> dict[int, int]:
    """Return a dictionary that maps the id of each merged player to that of the main player.

    The main player's entry contains the items of the merged player.
    """
    rows = MergedEntry.objects.order_by("pk").values_list("player", "into")
    return dict(rows[:MOST])


def get_assignments() -> dict[int, Assignment]:
    """Return a dictionary that maps the ids of assigned players to the assignments in force."""
    held = Assignment.objects.filter(at__gte=handling.get_expiry_limit()).select_related("by")
    return {assignment.player_id: assignment for assignment in held.order_by("-at")[:MOST]}


def get_neighbours(queue: list[QueueEntry], player_id: int) -> tuple[int | None, int | None]:
    """Return the ids of the players before and after this one in the queue; None if there is none.

    If this player is not in the queue, the first player counts as the next.
    """
    ids = [entry.player_id for entry in queue]
    if player_id not in ids:
        return None, ids[0] if ids else None
    at = ids.index(player_id)
    return (ids[at - 1] if at else None), (ids[at + 1] if at + 1 < len(ids) else None)


def take_next(
    by: Any, after: QueueEntry | None = None, chosen: QueueFilter = EVERYTHING
) -> int | None:
    """Assign the next player in the queue to a moderator, and return the player's id.

    If a player in the queue is already assigned to the moderator, return that one. Otherwise, take
    the first free entry after `after`, or else from the beginning. Return None if no entry is free.
    Raise `Refused` if the user may not handle players.
    """
    handling.must_handle(by)
    queue, held = list_entries(chosen, by), get_assignments()
    own = {pk for pk, assignment in held.items() if assignment.by_id == by.pk}
    for entry in queue:
        if entry.player_id in own:
            return entry.player_id
    closed = handling.get_own_opponents(by) | set(held)
    if not by.is_superuser:
        closed |= _get_staff()
    closed |= {main for player_id, main in get_merged().items() if player_id in closed}
    free = (
        entry
        for entry in _iterate_from(queue, after, chosen)
        if entry.player_id not in closed and _is_for(entry, by)
    )
    for entry, _ in zip(free, range(_TRIES), strict=False):
        try:
            handling.take_player(entry.player_id, by)
        except Refused:
            continue  # another moderator has just taken this player, or the entry has changed
        return entry.player_id
    return None


def _is_for(entry: QueueEntry, by: Any) -> bool:
    """Return whether the moderator may handle at least one item of the entry."""
    if entry.reports or entry.signs:
        return True
    return any(each.may_be_answered_by(by.pk, by.is_superuser) for each in entry.appeals)


def _iterate_from(
    queue: list[QueueEntry], after: QueueEntry | None, chosen: QueueFilter
) -> Iterator[QueueEntry]:
    """Iterate over the queue from the entry that follows `after`, then from the beginning."""
    start = 0
    if after is not None:
        if chosen.order == OLDEST:
            start = sum(entry.since <= after.since for entry in queue)
        elif chosen.order == NEWEST:
            start = sum(entry.since >= after.since for entry in queue)
        else:
            start = sum(entry.order <= after.order for entry in queue)
    yield from queue[start:]
    yield from queue[:start]


def _get_staff() -> set[int]:
    """Return the ids of staff members. Only administrators may make decisions about them."""
    staff = get_user_model()._default_manager.filter(is_staff=True)
    return set(staff.values_list("pk", flat=True)[:MOST])


def _oldest_cases() -> Any:
    rows = Case.objects.filter(closed_at=None).order_by("opened_at", "pk")
    return rows.values("pk")[:MOST]


def _oldest_signs() -> Any:
    return Sign.objects.filter(seen_at=None).order_by("at", "pk").values("pk")[:MOST]
