"""The admin pages of cases (oldest first), signs, decisions and bulk actions.

Here, moderators dismiss single signs, reverse decisions and undo bulk actions. They decide on
players in the queue (`games.admin.queue`), and on the pages of `games.admin.matches`.
"""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from games.admin.queue import QueuePages
from games.admin.review import OpenFilter, ReviewAdmin, View
from games.messages import join_list, render
from games.messages.names import isolate_name
from games.models import BulkAction, Case, Decision, Match, Sign
from games.review import bulk
from games.review.decisions import get_reversible, reverse_decision
from games.review.moderators import HOURS, has_reported
from games.review.page import describe_end, get_players
from games.review.signs import MEANINGS, dismiss_sign
from games.store.records import get_record as stored


@admin.register(Case)
class CaseAdmin(QueuePages):
    list_display = ("opened_at", "about", "what", "whose", "outcome")
    list_filter = (OpenFilter, "reports__reason")
    list_select_related = ("match", "player", "closed_by")
    sortable_by = ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Case]:
        found: QuerySet[Case] = super().get_queryset(request)
        return found.prefetch_related("reports")

    @admin.display(description=pgettext_lazy("column", "about"))
    def about(self, case: Case) -> SafeString:
        if case.match is None:
            return format_html(gettext("<bdi>{}</bdi>, no game"), case.player)
        return format_html(gettext("<bdi>{}</bdi> in {}"), case.player, case.match)

    @admin.display(description=pgettext_lazy("noun", "reports"))
    def what(self, case: Case) -> str:
        found = list(case.reports.all())
        kinds = join_list(sorted({each.get_reason_display() for each in found}))
        return f"{len(found)}: {kinds}"

    @admin.display(description=pgettext_lazy("column", "handled by"))
    def whose(self, case: Case) -> SafeString | str:
        if case.closed_by is None or case.closed_at is None:
            return pgettext("moderator", "nobody")
        when = date_format(case.closed_at, "DATETIME_FORMAT")
        text = (
            gettext("<bdi>{}</bdi>, {} (own report)")
            if case.is_own_report
            else gettext("<bdi>{}</bdi>, {}")
        )
        return format_html(text, case.closed_by, when)

    def shown(self, request: HttpRequest, case: Case) -> dict[str, Any]:
        others = Case.objects.filter(player=case.player_id).exclude(pk=case.pk)
        return {
            "title": gettext("Report of %(name)s") % {"name": isolate_name(str(case.player))},
            "case": case,
            "reports": case.reports.select_related("by")[:100],
            "others": others.order_by("-opened_at")[:20],
            "signs": Sign.objects.filter(match=case.match_id)[:20] if case.match_id else [],
            "verdict": _verdict(case.match_id) if case.match_id else "",
            "hours": HOURS,
        }


def _verdict(match_id: str) -> str:
    found = stored(match_id)
    if found is None or found.state.game_is_unknown:
        return ""
    match = Match.objects.select_related("first", "second").get(pk=match_id)
    names = (str(match.first), str(match.second))
    return describe_end(found.state, names)


class UnseenFilter(OpenFilter):
    field = "seen_at"


@admin.register(Sign)
class SignAdmin(ReviewAdmin):
    list_display = ("at", "about", "kind", "seen", "looked")
    list_filter = (UnseenFilter, "kind")
    list_select_related = ("match", "player", "seen_by")
    sortable_by = ()

    @admin.display(description=pgettext_lazy("column", "about"))
    def about(self, sign: Sign) -> SafeString:
        return format_html(gettext("<bdi>{}</bdi> in {}"), sign.player, sign.match)

    @admin.display(description=_("observation and possible meaning"))
    def seen(self, sign: Sign) -> str:
        return f"{sign.sentence} {render(MEANINGS[Sign.Kind(sign.kind)])}"

    @admin.display(description=pgettext_lazy("column", "reviewed by"))
    def looked(self, sign: Sign) -> SafeString:
        return format_html("<bdi>{}</bdi>", sign.seen_by or pgettext("moderator", "nobody"))

    def pages(self) -> list[tuple[str, str, View]]:
        return [("<int:sign_id>/set-aside/", "set_aside", require_POST(self.set_aside))]

    def shown(self, request: HttpRequest, sign: Sign) -> dict[str, Any]:
        return {
            "title": f"{sign.get_kind_display()}: {isolate_name(str(sign.player))}",
            "sign": sign,
            "meaning": render(MEANINGS[Sign.Kind(sign.kind)]),
            "may_handle": request.user.has_perm("games.handle"),
        }

    def set_aside(self, request: HttpRequest, sign_id: int) -> HttpResponse:
        """Mark the sign as seen by the moderator, and return to the list of signs."""
        if not request.user.has_perm("games.handle"):
            raise PermissionDenied
        self.attempt(request, lambda: dismiss_sign(sign_id, request.user))
        return redirect("admin:games_sign_changelist")


@admin.register(Decision)
class DecisionAdmin(ReviewAdmin):
    list_display = ("at", "about", "summary", "reason", "whose")
    list_filter = ("kind", "at")
    list_select_related = ("match", "player", "by")
    search_by = ("player", "by")
    sortable_by = ()

    @admin.display(description=pgettext_lazy("column", "about"))
    def about(self, decision: Decision) -> SafeString:
        about = [(each,) for each in (decision.player, decision.match) if each]
        return format_html_join(join_list(("", "")), "<bdi>{}</bdi>", about)

    @admin.display(description=pgettext_lazy("column", "by"))
    def whose(self, decision: Decision) -> SafeString:
        return format_html("<bdi>{}</bdi>", decision.by)

    def pages(self) -> list[tuple[str, str, View]]:
        return [("<int:decision_id>/reverse/", "reverse", require_POST(self.reverse))]

    def shown(self, request: HttpRequest, found: Decision) -> dict[str, Any]:
        return {
            "title": gettext("Decision %(number)s") % {"number": found.pk},
            "decision": found,
            "reversible": get_reversible(found),
            "may_reverse": request.user.has_perm("games.reverse"),
            "is_own_report": has_reported(found),
        }

    def reverse(self, request: HttpRequest, decision_id: int) -> HttpResponse:
        """Reverse a decision by storing a new decision with the submitted reason."""
        if not request.user.has_perm("games.reverse"):
            raise PermissionDenied
        reason = request.POST.get("reason", "")
        self.attempt(request, lambda: reverse_decision(request.user, decision_id, reason).summary)
        if not Decision.objects.filter(pk=decision_id).exists():
            return redirect("admin:games_decision_changelist")
        return redirect("admin:games_decision_change", decision_id)


@admin.register(BulkAction)
class BulkActionAdmin(ReviewAdmin):
    """The log of bulk actions, with a button to undo each of them."""

    list_display = ("at", "kind", "number", "reason", "whose", "undone")
    list_filter = ("kind",)
    list_select_related = ("by", "undone_by")
    search_fields = ()
    sortable_by = ()

    @admin.display(description=_("players"))
    def number(self, action: BulkAction) -> int:
        return len(action.players)

    @admin.display(description=pgettext_lazy("column", "by"))
    def whose(self, action: BulkAction) -> SafeString:
        return format_html("<bdi>{}</bdi>", action.by)

    @admin.display(description=pgettext_lazy("column", "undone by"))
    def undone(self, action: BulkAction) -> SafeString | str:
        return format_html("<bdi>{}</bdi>", action.undone_by) if action.undone_by else "-"

    def pages(self) -> list[tuple[str, str, View]]:
        return [("<int:action_id>/undo/", "undo_bulk", require_POST(self.undo))]

    def shown(self, request: HttpRequest, found: BulkAction) -> dict[str, Any]:
        people = get_players(found.players)
        is_own = found.by_id == request.user.pk
        return {
            "title": str(found),
            "action": found,
            "people": [people[pk] for pk in found.players if pk in people],
            "may_undo": found.undone_at is None
            and request.user.has_perm("games.handle")
            and (is_own or request.user.has_perm("games.reverse")),
        }

    def undo(self, request: HttpRequest, action_id: int) -> HttpResponse:
        """Undo a bulk action as a whole, and return to its page."""
        if not request.user.has_perm("games.handle"):
            raise PermissionDenied

        def undo() -> str:
            bulk.undo_action(request.user, action_id)
            return gettext("Undone.")

        self.attempt(request, undo)
        if not BulkAction.objects.filter(pk=action_id).exists():
            return redirect("admin:games_bulkaction_changelist")
        return redirect("admin:games_bulkaction_change", action_id)
