"""Bulk actions, which dismiss several players' open items or merge the players into one entry.

An action is one transaction with one reason. It concerns at most `MOST` players, and can be undone
once, as a whole. Players whom the moderator may not handle now are left out, and returned with the
reasons. If an action with the same key is stored already, because a form was sent twice, the action
is returned and nothing is changed.
"""

from collections.abc import Collection, Iterable
from typing import Any

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone
from msgspec import Struct

from games.messages.refusal import Refused
from games.models import Assignment, BulkAction, Case, MergedEntry, Notice, Report, Sign
from games.models.review import WORDS
from games.review import handling, queue
from games.review.locks import lock_players
from games.review.player_search import MOST
from games.review.queue_filters import EVERYTHING, QueueFilter

Kind = BulkAction.Kind


class Latest(Struct, frozen=True):
    """The ids of the newest report and sign when a page was rendered. The text form is "12-7"."""

    report: int
    sign: int

    def __str__(self) -> str:
        return f"{self.report}-{self.sign}"

    @classmethod
    def read(cls, text: str) -> "Latest":
        """Parse the text form. Raise `Refused` if it is invalid."""
        parts = text.split("-")
        if len(parts) != 2 or not all(p.isascii() and p.isdigit() and len(p) < 19 for p in parts):
            raise Refused("no-number", field="latest")
        return cls(*map(int, parts))


class Done(Struct, frozen=True):
    """A bulk action, and the ids of the players who were left out, with the reasons."""

    action: BulkAction
    left_out: dict[int, Refused] = {}


def get_latest() -> Latest:
    """Return the ids of the newest report and sign, for a form."""
    reports = Report.objects.aggregate(last=Max("pk"))["last"]
    return Latest(reports or 0, Sign.objects.aggregate(last=Max("pk"))["last"] or 0)


def dismiss_players(
    by: Any,
    player_ids: Iterable[int],
    reason: str,
    key: str,
    latest: Latest,
    chosen: QueueFilter = EVERYTHING,
) -> Done:
    """Close these players' open reports and signs that a filter selects, without a decision.

    Signs that are newer than the page (`latest`) stay open. A case stays open if one of its reports
    is newer than the page or is excluded by the filter. Raise `Refused` if nothing can be closed.
    """
    asked, reason = _must_be_sound(by, player_ids, reason)
    with transaction.atomic():
        members = MergedEntry.objects.filter(into__in=asked).values_list("pk", flat=True)
        players = lock_players(*asked, *members)
        known = BulkAction.objects.filter(key=key).first()
        if known is not None:
            return Done(known)
        left_out = _list_unavailable(by, players)
        free = [pk for pk in players if pk not in left_out]
        cases = Case.objects.filter(pk__in=_select_cases(free, latest, chosen))
        signs = _select_signs(free, latest, chosen)
        concerned = {*cases.values_list("player", flat=True)}
        concerned.update(signs.order_by().values_list("player", flat=True).distinct())
        if not concerned:
            raise next(iter(left_out.values()), Refused("bulk-nothing"))
        now = timezone.now()
        made = BulkAction.objects.create(
            key=key, kind=Kind.DISMISS, players=sorted(concerned), reason=reason, by=by, at=now
        )
        handling.close_cases(by, cases, players, Case.Outcome.NOTHING, now, made)
        signs.update(seen_by=by, seen_at=now, bulk=made)
        Assignment.objects.filter(player__in=free, by=by).delete()
        return Done(made, left_out)


def merge_players(by: Any, player_ids: Iterable[int], reason: str, key: str) -> Done:
    """Merge the entries of these players into a single entry.

    The single entry is the one that already has other entries merged into it or, if there is none,
    that of the most urgent player. Raise `Refused` if fewer than two entries can be merged.
    """
    asked, reason = _must_be_sound(by, player_ids, reason)
    with transaction.atomic():
        players = lock_players(*asked)
        known = BulkAction.objects.filter(key=key).first()
        if known is not None:
            return Done(known)
        left_out = _list_unavailable(by, players)
        entries = [e for e in queue.list_entries() if e.player_id in players]
        listed = {entry.player_id for entry in entries}
        left_out |= {pk: Refused("nothing-open") for pk in players if pk not in listed}
        free = [entry for entry in entries if entry.player_id not in left_out]
        main = next((entry for entry in free if entry.merged), free[0] if free else None)
        others = [entry for entry in free if entry is not main]
        for entry in others:
            if entry.merged:
                left_out[entry.player_id] = Refused("merged-already")
        joined = [entry.player_id for entry in others if not entry.merged]
        if main is None or not joined:
            raise Refused("merge-two")
        made = BulkAction.objects.create(
            key=key,
            kind=Kind.MERGE,
            players=[main.player_id, *joined],
            into_id=main.player_id,
            reason=reason,
            by=by,
            at=timezone.now(),
        )
        MergedEntry.objects.bulk_create(
            MergedEntry(player_id=pk, into_id=main.player_id, action=made) for pk in joined
        )
        Assignment.objects.filter(player__in=joined).delete()
        return Done(made, left_out)


def undo_action(by: Any, action_id: int) -> int:
    """Undo an action as a whole, and return how many cases and signs, or players, were restored.

    A case stays closed if another case about the same player and match was opened meanwhile.
    Notices about the dismissal that reporters have not read yet are deleted. Raise `Refused` if the
    user may not undo the action, or if there is nothing to undo any more.
    """
    handling.must_handle(by)
    with transaction.atomic():
        found = BulkAction.objects.select_for_update().filter(pk=action_id).first()
        if found is None:
            raise Refused("no-such")
        if found.undone_at is not None:
            raise Refused("undone-already")
        if found.by_id != by.pk and not by.has_perm("games.reverse"):
            raise Refused("undo-of-another")
        lock_players(*found.players)
        back = _reopen(found) if found.kind == Kind.DISMISS else _part(found)
        if not back:
            raise Refused("undo-nothing")
        found.undone_by, found.undone_at = by, timezone.now()
        found.save(update_fields=["undone_by", "undone_at"])
        return back


def _reopen(action: BulkAction) -> int:
    cases = list(action.cases.order_by("pk").values_list("pk", "match", "player"))
    players = {player for _, _, player in cases}
    again = Case.objects.filter(player__in=players, closed_at=None)
    open_ones = set(again.values_list("match", "player"))
    closed = [pk for pk, match, player in cases if (match, player) not in open_ones]
    reporters = set(
        Report.objects.filter(case__in=closed).order_by().values_list("by", flat=True).distinct()
    )
    told = Notice.objects.filter(player__in=reporters, seen_at=None, at=action.at)
    told.filter(said__code="notice.report-nothing").delete()
    back = Case.objects.filter(pk__in=closed).update(
        closed_by=None, closed_at=None, outcome="", bulk=None, is_own_report=False
    )
    return back + action.signs.update(seen_by=None, seen_at=None, bulk=None)


def _part(action: BulkAction) -> int:
    return action.entries.all().delete()[0]


def _must_be_sound(by: Any, player_ids: Iterable[int], reason: str) -> tuple[list[int], str]:
    handling.must_handle(by)
    asked, reason = sorted(set(player_ids)), " ".join(reason.split())
    if not asked:
        raise Refused("bulk-nobody")
    if len(asked) > MOST:
        raise Refused("bulk-many", most=MOST)
    if not reason:
        raise Refused("bulk-reason")
    if len(reason) > WORDS:
        raise Refused("reason-too-long", most=WORDS)
    return asked, reason


def _list_unavailable(by: Any, players: dict[int, Any]) -> dict[int, Refused]:
    """Return the ids of the players whom the moderator may not handle now, each with a reason."""
    held, own = queue.get_assignments(), handling.get_own_opponents(by)
    found: dict[int, Refused] = {}
    for pk, player in players.items():
        if pk in own:
            found[pk] = Refused("concerned")
        elif player.is_staff and not by.is_superuser:
            found[pk] = Refused("on-staff")
        elif pk in held and held[pk].by_id != by.pk:
            found[pk] = Refused("taken-by", name=str(held[pk].by))
    return found


def _select_cases(
    player_ids: Collection[int], latest: Latest, chosen: QueueFilter
) -> Collection[int]:
    of_reports = chosen.build_report_filter()
    if of_reports is None:
        return ()
    selected = of_reports & Q(pk__lte=latest.report)
    open_ones = Report.objects.filter(case__player__in=player_ids, case__closed_at=None).order_by()
    found = set(open_ones.filter(selected).values_list("case", flat=True).distinct())
    return found - set(open_ones.exclude(selected).values_list("case", flat=True).distinct())


def _select_signs(player_ids: Collection[int], latest: Latest, chosen: QueueFilter) -> Any:
    of_signs = chosen.build_sign_filter()
    if of_signs is None:
        return Sign.objects.none()
    return Sign.objects.filter(of_signs, player__in=player_ids, seen_at=None, pk__lte=latest.sign)
