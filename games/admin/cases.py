"""The list of reported cases, oldest first, and the page of one case. Moderators handle them in the
queue, one player at a time."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.admin.queue import QueuePages
from games.admin.review import OpenFilter
from games.messages.names import isolate_name
from games.models import Case, Match, Sign
from games.review.page import describe_end
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

    @admin.display(description=_("about"))
    def about(self, case: Case) -> SafeString:
        return format_html(gettext("<bdi>{}</bdi> in {}"), case.player, case.match)

    @admin.display(description=_("reports"))
    def what(self, case: Case) -> str:
        found = list(case.reports.all())
        kinds = ", ".join(sorted({each.get_reason_display() for each in found}))
        return f"{len(found)}: {kinds}"

    @admin.display(description=_("handled by"))
    def whose(self, case: Case) -> SafeString | str:
        if case.closed_by is None:
            return gettext("nobody")
        when = f"{case.closed_at:%Y-%m-%d %H:%M}"
        return format_html("<bdi>{}</bdi>, {}", case.closed_by, when)

    def shown(self, request: HttpRequest, case: Case) -> dict[str, Any]:
        others = Case.objects.filter(player=case.player_id).exclude(pk=case.pk)
        return {
            "title": gettext("Report of %(name)s") % {"name": isolate_name(str(case.player))},
            "case": case,
            "reports": case.reports.select_related("by")[:100],
            "others": others.order_by("-opened_at")[:20],
            "signs": Sign.objects.filter(match=case.match_id)[:20],
            "verdict": _verdict(case.match_id),
        }


def _verdict(match_id: str) -> str:
    found = stored(match_id)
    if found is None or found.state.game_is_unknown:
        return ""
    match = Match.objects.select_related("first", "second").get(pk=match_id)
    names = (str(match.first), str(match.second))
    return describe_end(found.state, names)
