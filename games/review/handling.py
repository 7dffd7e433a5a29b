"""Handling a player's open items: assigning them to moderators, appeals, notes, and closing.

Only one moderator at a time is assigned to a player. The assignment expires `CASE_LOCK_MINUTES`
after that moderator last took the player; another moderator can then take the player. A moderator
closes only the items that their page showed (`Seen`); items that arrived later stay open.
"""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Count, Max, Min, Q, QuerySet
from django.utils import timezone
from msgspec import Struct

from games.messages import build_message
from games.messages.refusal import Refused
from games.models import (
    Assignment,
    BulkAction,
    Case,
    Decision,
    Match,
    MergedEntry,
    Note,
    Report,
    Sign,
)
from games.models.review import WORDS
from games.review.locks import lock_player, lock_players
from games.review.moderators import HOURS, get_own_report_limit, may_handle_own_reports
from games.review.notices import notify_players
from games.store.aliases import get_aliases

log = structlog.get_logger(__name__)


class Seen(NamedTuple):
    """The open items that the page about a player showed.

    These are the highest report id, the highest sign id, and the number of items. Their text form
    is "12-7-3".
    """

    report: int
    sign: int
    number: int

    def __str__(self) -> str:
        return "-".join(map(str, self))

    @classmethod
    def read(cls, text: str) -> "Seen":
        """Parse the text form. Raise `Refused` if it is invalid."""
        parts = text.split("-")
        if len(parts) != 3 or not all(p.isascii() and p.isdigit() and len(p) < 19 for p in parts):
            raise Refused("no-number", field="open")
        return cls(*map(int, parts))


def get_group(player_id: int) -> list[int]:
    """Return the player's id, and the ids of the players merged into the player's entry."""
    merged = MergedEntry.objects.filter(into=player_id).order_by("pk")
    return [player_id, *merged.values_list("pk", flat=True)]


def get_open_items(player_id: int) -> Seen:
    """Return the highest ids and the number of the open reports and signs in a player's entry."""
    group = get_group(player_id)
    of_reports = _open_reports(group).aggregate(last=Max("pk"), number=Count("pk"))
    of_signs = _open_signs(group).aggregate(last=Max("pk"), number=Count("pk"))
    number = of_reports["number"] + of_signs["number"]
    return Seen(of_reports["last"] or 0, of_signs["last"] or 0, number)


def take_player(player_id: int, by: Any) -> None:
    """Assign a player to a moderator.

    Raise `Refused` if the player has no open items, is merged into another entry, or is assigned to
    another moderator, or if this moderator is involved or may not handle players.
    """
    must_handle(by)
    with transaction.atomic():
        group = _lock_group(player_id)
        merged = MergedEntry.objects.filter(player=player_id).select_related("into").first()
        if merged is not None:
            raise Refused("merged-into", name=str(merged.into))
        if not get_open_items(player_id).number and not any(
            list_open_appeals(1, pk) for pk in group
        ):
            raise Refused("nothing-open")
        _must_not_be_concerned(list(group), by)
        held = get_holder(player_id)
        if held is not None and held.by_id != by.pk:
            raise Refused("taken-by", name=str(held.by))
        Assignment.objects.update_or_create(
            player_id=player_id, defaults={"by": by, "at": timezone.now()}
        )


def release_player(player_id: int, by: Any) -> None:
    """Return a player to the queue if the player is assigned to this moderator."""
    must_handle(by)
    Assignment.objects.filter(player=player_id, by=by).delete()


def close_player(player_id: int, by: Any, seen: Seen, acted: bool) -> int:
    """Close the seen items of an entry, and notify the reporters.

    Also end the assignment, and separate merged entries. Return the number of items that have
    arrived since. Raise `Refused` if the player is not assigned to this moderator, or if somebody
    has handled some of the seen items.
    """
    must_handle(by)
    with transaction.atomic():
        group = _lock_group(player_id)
        must_hold(player_id, by)
        reports = _open_reports(group).filter(pk__lte=seen.report)
        signs = _open_signs(group).filter(pk__lte=seen.sign)
        if reports.count() + signs.count() != seen.number:
            raise Refused("overtaken")
        # A case stays open as a whole if another report has been added to it since.
        cases = Case.objects.filter(player__in=group, closed_at=None)
        cases = cases.exclude(reports__pk__gt=seen.report)
        now = timezone.now()
        outcome = Case.Outcome.ACTED if acted else Case.Outcome.NOTHING
        close_cases(by, cases, group, outcome, now)
        signs.update(seen_by=by, seen_at=now)
        Assignment.objects.filter(player__in=group).delete()
        late = _open_reports(group).filter(pk__gt=seen.report).count()
        late += _open_signs(group).filter(pk__gt=seen.sign).count()
        MergedEntry.objects.filter(into=player_id).delete()
        return late


def close_cases(
    by: Any,
    cases: QuerySet[Case],
    players: Mapping[int, Any],
    outcome: Case.Outcome,
    at: datetime,
    bulk: BulkAction | None = None,
) -> int:
    """Close open cases about these locked players, and notify the reporters.

    Return the number of cases. A case with a report by the moderator is marked as such.
    """
    own = list(cases.filter(reports__by__in=get_aliases(by.pk)).values_list("pk", flat=True))
    reported = set(cases.order_by().values_list("player", flat=True).distinct())
    for player_id in sorted(reported):
        told = build_message(f"notice.report-{outcome.value}", name=str(players[player_id]))
        notify_players(list_reporters(cases.filter(player=player_id)), told, at)
    if own:
        Case.objects.filter(pk__in=own).update(is_own_report=True)
        log.info("own reports handled", moderator=by.pk, cases=own)
    return cases.update(closed_by=by, closed_at=at, outcome=outcome, bulk=bulk)


def was_closed_by(player_id: int, by: Any, seen: Seen) -> bool:
    """Return whether the moderator has just closed these items, so that the form is a duplicate."""
    group = get_group(player_id)
    if _open_reports(group).filter(pk__lte=seen.report).exists():
        return False
    if _open_signs(group).filter(pk__lte=seen.sign).exists():
        return False
    since = timezone.now() - timedelta(minutes=settings.CASE_LOCK_MINUTES)
    reports = Report.objects.filter(pk=seen.report, case__closed_by=by, case__closed_at__gte=since)
    signs = Sign.objects.filter(pk=seen.sign, seen_by=by, seen_at__gte=since)
    return reports.exists() or signs.exists()


def has_acted(player_id: int, by: Any) -> bool:
    """Return whether the moderator has decided on this entry since taking the assignment.

    A decision on one of its players counts, and so does one on a match of an open case about them.
    """
    held = get_holder(player_id)
    if held is None or held.by_id != by.pk:
        return False
    group = get_group(player_id)
    about = Q(player__in=group) | Q(match__cases__player__in=group, match__cases__closed_at=None)
    return Decision.objects.filter(about, by=by, at__gte=held.at).exists()


def get_holder(player_id: int) -> Assignment | None:
    """Return the player's assignment if one is in force, otherwise None."""
    found = Assignment.objects.filter(player=player_id, at__gte=get_expiry_limit())
    return found.select_related("by").first()


def get_expiry_limit() -> datetime:
    """Return the time before which assignments have expired."""
    return timezone.now() - timedelta(minutes=settings.CASE_LOCK_MINUTES)


def must_hold(player_id: int, by: Any) -> None:
    """Raise `Refused` unless the player is assigned to the moderator."""
    held = get_holder(player_id)
    if held is None:
        raise Refused("not-taken")
    if held.by_id != by.pk:
        raise Refused("taken-by", name=str(held.by))


def get_own_opponents(by: Any) -> set[int]:
    """Return the ids of the players that the moderator is too involved with to handle.

    These are the moderator, players with open items from a match in which the moderator played, and
    players whom the moderator has reported. Old reports do not count if no other moderator has been
    active (`games.review.moderators`).
    """
    cases, signs = Case.objects.filter(closed_at=None), Sign.objects.filter(seen_at=None)
    mine = get_aliases(by.pk)
    found = set(mine)
    for rows in (cases, signs):
        for seat in ("match__first__in", "match__second__in"):
            found.update(rows.filter(**{seat: mine}).values_list("player", flat=True))
    own = Report.objects.filter(by__in=mine, case__closed_at=None)
    if own.exists():
        limit = get_own_report_limit(by)
        recent = own if limit is None else own.filter(at__gt=limit)
        found.update(recent.values_list("case__player", flat=True))
    return found


def _must_not_be_concerned(group: Collection[int], by: Any) -> None:
    open_cases = Case.objects.filter(player__in=group, closed_at=None)
    mine = get_aliases(by.pk)
    own = Q(match__first__in=mine) | Q(match__second__in=mine)
    if mine & set(group) or open_cases.filter(own).exists():
        raise Refused("own-match")
    if _open_signs(group).filter(own).exists():
        raise Refused("own-match")
    if may_handle_own_reports(group, by) is False:
        raise Refused("own-report", hours=HOURS)


def must_handle(by: Any) -> None:
    """Raise `Refused` if the user may not handle players."""
    if not (by.is_active and by.is_staff and by.has_perm("games.handle")):
        raise Refused("no-right")


def _lock_group(player_id: int) -> dict[int, Any]:
    """Lock the players of an entry, and return a dictionary that maps their ids to them.

    Raise `Refused` if the entry has just changed.
    """
    group = get_group(player_id)
    locked = lock_players(*group)
    if get_group(player_id) != group:
        raise Refused("overtaken")
    return locked


def _open_reports(group: Collection[int]) -> QuerySet[Report]:
    return Report.objects.filter(case__player__in=group, case__closed_at=None)


def _open_signs(group: Collection[int]) -> QuerySet[Sign]:
    return Sign.objects.filter(player__in=group, seen_at=None)


def list_reporters(cases: QuerySet[Case]) -> list[tuple[int, str | None]]:
    """Return the id of each reporter once, with the id of the match that the report was about.

    The match's id is None if the reporter made several reports, or reported outside a match.
    """
    found = Report.objects.filter(case__in=cases).order_by().values("by")
    rows = found.annotate(one=Min("case__match"), number=Count("case"))
    return [
        (by, one if number == 1 else None)
        for by, one, number in rows.values_list("by", "one", "number")
    ]


_NOTES_SHOWN = 20


def write_note(player_id: int, by: Any, text: str, match_id: str | None = None) -> Note:
    """Store a note on a player, without the match if the player has no seat in it.

    If the last note is the same, return it instead. Raise `Refused` if the user may not handle
    players, or if the text is empty or too long.
    """
    if not (by.is_active and by.is_staff and by.has_perm("games.handle")):
        raise Refused("no-right")
    text = " ".join(text.split())
    if not text:
        raise Refused("no-note")
    if len(text) > WORDS:
        raise Refused("reason-too-long", most=WORDS)
    with transaction.atomic():
        player = lock_player(player_id)
        own = Q(first=player) | Q(second=player)
        match = Match.objects.filter(own, pk=match_id).first() if match_id else None
        last = Note.objects.filter(player=player).first()
        if last is not None and (last.by_id, last.words) == (by.pk, text):
            return last  # the same form was sent twice
        return Note.objects.create(player=player, match=match, by=by, words=text)


def list_notes(player_id: int) -> list[Note]:
    """Return the newest notes on a player."""
    return list(Note.objects.filter(player=player_id).select_related("by")[:_NOTES_SHOWN])


class OpenAppeal(Struct, frozen=True):
    """An appeal that nobody has answered yet."""

    id: int
    player_id: int
    words: str
    at: datetime
    decided_by: int  # the moderator who suspended the player, and may not answer

    def may_be_answered_by(self, moderator_id: int, is_superuser: bool) -> bool:
        """Return whether this moderator may answer the appeal. Administrators always may."""
        return is_superuser or self.decided_by != moderator_id


AppealSource = Callable[[int, int | None], list[OpenAppeal]]
appeal_sources: list[AppealSource] = []
"""Functions that return at most a given number of open appeals, oldest first, of all players or of
one player. `config.wiring` sets them."""


def list_open_appeals(most: int, player_id: int | None = None) -> list[OpenAppeal]:
    """Return the oldest open appeals, of all players or of one, at most `most` per source."""
    return [each for source in appeal_sources for each in source(most, player_id)]
