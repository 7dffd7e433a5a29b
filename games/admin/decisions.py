"""The log of decisions, and the view that reverses one."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from games.admin.review import ReviewAdmin, View
from games.models import Decision
from games.review.decisions import get_reversible, reverse_decision


@admin.register(Decision)
class DecisionAdmin(ReviewAdmin):
    list_display = ("at", "about", "summary", "reason", "whose")
    list_filter = ("kind", "at")
    list_select_related = ("match", "player", "by")
    search_by = ("player", "by")
    sortable_by = ()

    @admin.display(description=_("about"))
    def about(self, decision: Decision) -> SafeString:
        about = [(each,) for each in (decision.player, decision.match) if each]
        return format_html_join(", ", "<bdi>{}</bdi>", about)

    @admin.display(description=_("by"))
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
        }

    def reverse(self, request: HttpRequest, decision_id: int) -> HttpResponse:
        """Reverse a decision with a new decision."""
        if not request.user.has_perm("games.reverse"):
            raise PermissionDenied
        reason = request.POST.get("reason", "")
        self.attempt(request, lambda: reverse_decision(request.user, decision_id, reason).summary)
        if not Decision.objects.filter(pk=decision_id).exists():
            return redirect("admin:games_decision_changelist")
        return redirect("admin:games_decision_change", decision_id)
