"""The queue of reports, oldest first."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST

from games.admin.review import OpenFilter, Review, View
from games.models import Case, Match, Sign
from games.review import reports
from games.review.page import how_it_ended
from games.store.records import record as stored
from games.words.names import isolated


@admin.register(Case)
class CaseAdmin(Review):
    list_display = ("opened_at", "about", "what", "of_player", "whose", "outcome")
    list_filter = (OpenFilter, "reports__reason")
    list_select_related = ("match", "player", "taken_by", "closed_by")
    sortable_by = ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Case]:
        found: QuerySet[Case] = super().get_queryset(request)
        of_player = Case.objects.filter(player=OuterRef("player"), closed_at=None).order_by()
        number = of_player.values("player").annotate(n=Count("pk")).values("n")
        return found.prefetch_related("reports").annotate(open_of_player=Subquery(number))

    @admin.display(description="about")
    def about(self, case: Case) -> SafeString:
        return format_html("<bdi>{}</bdi> in {}", case.player, case.match)

    @admin.display(description="reports")
    def what(self, case: Case) -> str:
        found = list(case.reports.all())
        kinds = ", ".join(sorted({each.get_reason_display() for each in found}))
        return f"{len(found)}: {kinds}"

    @admin.display(description="open ones of the player")
    def of_player(self, case: Case) -> int:
        return getattr(case, "open_of_player", None) or 0

    @admin.display(description="seen to by")
    def whose(self, case: Case) -> SafeString | str:
        if case.closed_by is not None:
            when = f"{case.closed_at:%Y-%m-%d %H:%M}"
            return format_html("<bdi>{}</bdi>, {}", case.closed_by, when)
        if reports.is_taken(case):
            return format_html("<bdi>{}</bdi> (now)", case.taken_by)
        return "nobody"

    def pages(self) -> list[tuple[str, str, View]]:
        return [
            ("<int:case_id>/take/", "take", require_POST(self.take)),
            ("<int:case_id>/release/", "release", require_POST(self.release)),
            ("<int:case_id>/close/", "close", require_POST(self.close)),
        ]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        self.must_view(request)
        case = self.get_object(request, object_id)
        if case is None:
            raise Http404
        others = Case.objects.filter(player=case.player_id).exclude(pk=case.pk)
        context = {
            "title": f"Report of {isolated(str(case.player))}",
            "case": case,
            "reports": case.reports.select_related("by"),
            "others": others.order_by("-opened_at")[:20],
            "signs": Sign.objects.filter(match=case.match_id),
            "verdict": _verdict(case.match_id),
            "is_mine": reports.is_taken(case) and case.taken_by_id == request.user.pk,
            "is_taken": reports.is_taken(case),
            "may_handle": request.user.has_perm("games.handle"),
            "outcomes": Case.Outcome.choices,
        }
        return self.page(request, "case/review.html", context)

    def take(self, request: HttpRequest, case_id: int) -> HttpResponse:
        """Take a case."""
        return self._do(request, case_id, lambda: reports.take(case_id, request.user))

    def release(self, request: HttpRequest, case_id: int) -> HttpResponse:
        """Give a case back to the queue."""
        return self._do(request, case_id, lambda: reports.release(case_id, request.user))

    def close(self, request: HttpRequest, case_id: int) -> HttpResponse:
        """Close a case."""
        outcome = request.POST.get("outcome", "")
        return self._do(request, case_id, lambda: reports.close(case_id, request.user, outcome))

    def _do(self, request: HttpRequest, case_id: int, do: Callable[[], Any]) -> HttpResponse:
        if not request.user.has_perm("games.handle"):
            raise PermissionDenied

        def done() -> str:
            do()
            return "Done."

        self.attempt(request, done)
        if not Case.objects.filter(pk=case_id).exists():
            return redirect("admin:games_case_changelist")
        return redirect("admin:games_case_change", case_id)


def _verdict(match_id: str) -> str:
    found = stored(match_id)
    if found is None or found.state.game_is_unknown:
        return ""
    match = Match.objects.select_related("first", "second").get(pk=match_id)
    names = (str(match.first), str(match.second))
    return how_it_ended(found.state, names)
