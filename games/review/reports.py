"""Reports by players.

The reports about one player in one match form a case until moderators close it, and so do the
reports about the player outside matches. Moderators handle all open items about a player together:
see `games.review.handling`.
"""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.messages.refusal import Refused
from games.models import Case, Decision, Match, Report
from games.models.review import WORDS
from games.review.locks import lock_players
from games.store.aliases import get_aliases
from games.store.seats import get_holders

WITHOUT_MATCH = (Report.Reason.NAME, Report.Reason.LOBBY, Report.Reason.OTHER)
"""The reasons to report a player outside a match."""


def list_reasons(in_match: bool) -> list[tuple[str, Any]]:
    """Return the reasons to report a player, with their labels.

    Outside a match, only the reasons in `WITHOUT_MATCH` are available.
    """
    return [choice for choice in Report.Reason.choices if in_match or choice[0] in WITHOUT_MATCH]


def store_report(
    by_id: int, match_id: str | None, player_id: int, reason: str, words: str
) -> Report:
    """Store a report about a player in a match, or about a player outside all matches.

    Reports about behaviour in the lobby never refer to a match. Raise `Refused` if the report is
    invalid, is a duplicate or exceeds the daily limit.
    """
    words = " ".join(words.split())
    _must_be_sound(match_id, reason, words)
    with transaction.atomic():
        if match_id is not None:
            match = Match.objects.filter(pk=match_id).first()
            if match is None or player_id not in (match.first_id, match.second_id):
                raise Refused("no-such")
        if reason == Report.Reason.LOBBY:
            match_id = None
        # The reporter's lock enforces the daily limit. The reported player's lock keeps the case
        # open while a report is being added to it; otherwise the report could be lost.
        lock_players(by_id, player_id)
        if Match.is_computer(player_id):
            raise Refused("the-computer")
        mine = get_aliases(by_id)
        if player_id in mine or by_id in get_holders([player_id]).get(player_id, ()):
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
        if match_id and Decision.objects.filter(match=match_id, player=None).exists():
            Case.objects.filter(pk=case.pk).update(disputed_at=now)
        return made


def _must_be_sound(match_id: str | None, reason: str, words: str) -> None:
    if reason not in Report.Reason.values:
        raise Refused("report-reason")
    if len(words) > WORDS:
        raise Refused("report-too-long", most=WORDS)
    if reason == Report.Reason.OTHER and not words:
        raise Refused("report-words")
    if match_id is None and reason not in WITHOUT_MATCH:
        raise Refused("report-needs-game")


def _open_case(match_id: str | None, player_id: int) -> Case:
    wanted = {"match_id": match_id, "player_id": player_id, "closed_at": None}
    known = Case.objects.filter(**wanted).first()
    if known is not None:
        return known
    try:
        with transaction.atomic():
            return Case.objects.create(**wanted, opened_at=timezone.now())
    except IntegrityError:  # another report opened the case at the same moment
        return Case.objects.get(**wanted)
