"""Reports by players, and the queue in which staff handle them.

What several people report of one player in one match is one case. A case is taken by one reviewer
at a time; one that lies untouched for `CASE_MINUTES` may be taken by another.
"""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from games.models import Case, Decision, Match, Report
from games.models.review import WORDS
from games.review.notices import notify
from games.store.holders import acting_as
from games.words.names import isolated
from games.words.refusal import Refused

# -- from players


def report(by_id: int, match_id: str, player_id: int, reason: str, words: str) -> Report:
    """Store what a player says of one of a match's players. Raises `Refused`."""
    words = " ".join(words.split())
    if reason not in Report.Reason.values:
        raise Refused("report-reason")
    if len(words) > WORDS:
        raise Refused("report-too-long", most=WORDS)
    if reason == Report.Reason.OTHER and not words:
        raise Refused("report-words")
    with transaction.atomic():
        # One reporter's reports are stored one after another, so that the daily limit holds.
        get_user_model()._default_manager.select_for_update().get(pk=by_id)
        match = Match.objects.filter(pk=match_id).first()
        if match is None or player_id not in (match.first_id, match.second_id):
            raise Refused("no-such")
        if Match.is_computer(player_id):
            raise Refused("the-computer")
        mine = acting_as(by_id)
        if player_id in mine:
            raise Refused("report-yourself")
        today = Report.objects.filter(by__in=mine, at__gt=timezone.now() - timedelta(days=1))
        if settings.RATE_LIMITS and today.count() >= settings.REPORTS_PER_DAY:
            raise Refused("many-reports", most=settings.REPORTS_PER_DAY)
        case = _open_case(match_id, player_id)
        if case.reports.filter(by__in=mine).exists():
            raise Refused("reported-already")
        now = timezone.now()
        try:
            with transaction.atomic():
                made = Report.objects.create(
                    case=case, by_id=by_id, reason=reason, words=words, at=now
                )
        except IntegrityError:
            raise Refused("reported-already") from None
        if Decision.objects.filter(match=match_id, player=None).exists():
            Case.objects.filter(pk=case.pk).update(disputed_at=now)
        return made


def _open_case(match_id: str, player_id: int) -> Case:
    wanted = {"match_id": match_id, "player_id": player_id, "closed_at": None}
    known = Case.objects.filter(**wanted).first()
    if known is not None:
        return known
    try:
        with transaction.atomic():
            return Case.objects.create(**wanted, opened_at=timezone.now())
    except IntegrityError:  # somebody else opened it at the same moment
        return Case.objects.get(**wanted)


# -- by staff


def take(case_id: int, by: Any) -> Case:
    """Take a case. Refused while somebody else has it."""
    case = _case(case_id, by)
    mine = acting_as(by.pk)
    if case.match.first_id in mine or case.match.second_id in mine:
        raise Refused("own-match")
    if case.reports.filter(by__in=mine).exists():
        raise Refused("own-report")
    free = Q(taken_by=None) | Q(taken_by=by) | Q(taken_at__lt=_lapsed())
    now = timezone.now()
    taken = Case.objects.filter(free, pk=case_id, closed_at=None)
    if not taken.update(taken_by=by, taken_at=now):
        case.refresh_from_db()
        if case.closed_at is not None:
            raise Refused("closed-by", name=str(case.closed_by))
        raise Refused("taken-by", name=str(case.taken_by))
    case.refresh_from_db()
    return case


def release(case_id: int, by: Any) -> None:
    """Give a case back to the queue."""
    _case(case_id, by)
    Case.objects.filter(pk=case_id, taken_by=by, closed_at=None).update(
        taken_by=None, taken_at=None
    )


def close(case_id: int, by: Any, outcome: str) -> None:
    """Close a case, and notify the players who reported it."""
    if outcome not in Case.Outcome.values:
        raise Refused("no-outcome")
    with transaction.atomic():
        case = _case(case_id, by)
        mine = Case.objects.filter(pk=case_id, taken_by=by, closed_at=None)
        if not mine.update(closed_by=by, closed_at=timezone.now(), outcome=outcome):
            raise Refused("not-taken")
        words = (
            f"Thank you for your report of {isolated(str(case.player))}. The moderators have looked"
            f" at it: {Case.Outcome(outcome).label}."
        )
        for reporter in case.reports.values_list("by", flat=True):
            notify(reporter, words, case.match_id)


def is_taken(case: Case) -> bool:
    """Whether somebody has the case now."""
    return case.taken_at is not None and case.taken_at >= _lapsed()


def _lapsed() -> datetime:
    return timezone.now() - timedelta(minutes=settings.CASE_MINUTES)


def _case(case_id: int, by: Any) -> Case:
    if not (by.is_active and by.is_staff and by.has_perm("games.handle")):
        raise Refused("no-right")
    case = Case.objects.select_related("match", "player").filter(pk=case_id).first()
    if case is None:
        raise Refused("no-such")
    return case
