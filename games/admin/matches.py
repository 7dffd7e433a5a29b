"""The list of matches, the pages of one match and of one player, and decisions on them."""

import json
from typing import Any

from csp.decorators import csp_replace
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from games.admin.queue import entry_address
from games.admin.review import ReviewAdmin, View
from games.messages import get_game_name
from games.messages.names import isolate_name
from games.models import Case, Match, Sign
from games.review import computer
from games.review.forms import DAYS, PLAYER_KINDS, decide
from games.review.lists import (
    BeforeFilter,
    FromFilter,
    GameFilter,
    LongerFilter,
    PlayerFilter,
    ShorterFilter,
    WorthFilter,
    build_players_filter,
    find_people,
)
from games.review.page import (
    build_match_context,
    build_player_context,
    find_player,
    render_picture,
    serialize_whole_record,
)
from games.rules import GAMES
from games.runtime.addresses import get_request_network
from games.store.records import MatchRecord
from games.store.records import get_record as stored


@admin.register(Match)
class MatchAdmin(ReviewAdmin):
    list_display = ("id", "game_name", "players", "result", "ply", "clock", "created_at")
    list_filter = (
        WorthFilter,
        GameFilter,
        "status",
        "ended",
        PlayerFilter,
        FromFilter,
        BeforeFilter,
        LongerFilter,
        ShorterFilter,
    )
    list_select_related = ("first", "second")
    search_fields = ("id",)
    search_help_text = _(
        "A game's id or a player's name. At most the newest 2,000 matches are listed."
    )
    sortable_by = ("created_at",)

    class Media:
        css = {"all": ("css/review-lists.css",)}

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        open_cases = Case.objects.filter(match=OuterRef("pk"), closed_at=None)
        open_signs = Sign.objects.filter(match=OuterRef("pk"), seen_at=None)
        found: QuerySet[Match] = super().get_queryset(request)
        return found.annotate(is_reported=Exists(open_cases), is_flagged=Exists(open_signs))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        if Match.objects.filter(pk=term).exists():
            return queryset.filter(pk=term), False
        return queryset.filter(build_players_filter(find_people(term))), False

    @admin.display(description=pgettext_lazy("kind of game", "game"), ordering=None)
    def game_name(self, match: Match) -> str:
        return get_game_name(match.game) if match.game in GAMES else match.game

    @admin.display(description=_("players"))
    def players(self, match: Match) -> SafeString:
        two = (match.first, match.second)
        return format_html("<bdi>{}</bdi> – <bdi>{}</bdi>", *two)  # noqa: RUF001  # an en dash is right between two names

    @admin.display(description=_("result"))
    def result(self, match: Match) -> SafeString:
        words = (
            match.get_status_display()
            if match.status == Match.Status.LIVE
            else match.get_ended_display()
        )
        goals = "" if match.first_goal is None else f"{match.first_goal}:{match.second_goal} "
        reported, sign = pgettext("game", "reported"), pgettext("noun", "sign")
        marks = f" ⚑ {reported}" if getattr(match, "is_reported", False) else ""
        marks += f" ◆ {sign}" if getattr(match, "is_flagged", False) else ""
        return format_html("{}{}<b>{}</b>", goals, words, marks)

    # -- viewing

    def pages(self) -> list[tuple[str, str, View]]:
        return [
            ("<slug:match_id>/decide/", "decide", require_POST(self.decide)),
            ("<slug:match_id>/analyse/", "analyse", require_POST(self.analyse)),
            ("<slug:match_id>/record.json", "record", require_safe(self.record)),
            ("<slug:match_id>/picture.svg", "picture", require_safe(self.picture)),
            ("player/<int:player_id>/", "player", require_safe(self.player)),
            (
                "player/<int:player_id>/decide/",
                "decide_player",
                require_POST(self.decide_player),
            ),
        ]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        self.must_view(request)
        return self._show(request, object_id)

    def _show(self, request: HttpRequest, match_id: str, status: int = 200) -> HttpResponse:
        found, match = self._found(match_id)
        context = build_match_context(found, match, request.GET.get("ply", ""))
        context |= {
            "title": str(match),
            "days": DAYS,
            "player_kinds": PLAYER_KINDS,
            "form": request.POST,
            "may_decide": request.user.has_perm("games.decide"),
            "may_reverse": request.user.has_perm("games.reverse"),
            "may_handle": request.user.has_perm("games.handle"),
        }
        return self.page(request, "match/review.html", context, status)

    def record(self, request: HttpRequest, match_id: str) -> HttpResponse:
        """Return a match with its moves, faults, connections and decisions, as a JSON file."""
        self.must_view(request)
        found, match = self._found(match_id)
        whole = serialize_whole_record(found, match)
        answer = HttpResponse(json.dumps(whole, indent=1), content_type="application/json")
        answer["Content-Disposition"] = f'attachment; filename="match-{found.state.id}.json"'
        return answer

    def picture(self, request: HttpRequest, match_id: str) -> HttpResponseBase:
        """Return the whole match as one picture, to print or save."""
        self.must_view(request)
        found, match = self._found(match_id)
        if found.state.game_is_unknown:
            raise Http404
        text = render_picture(found, (str(match.first), str(match.second)))

        # The picture has inline styles and must not load other resources.
        @csp_replace({"default-src": ["'none'"], "style-src": ["'unsafe-inline'"]})
        def answer(request: HttpRequest) -> HttpResponse:
            return HttpResponse(text, content_type="image/svg+xml")

        return answer(request)

    def player(self, request: HttpRequest, player_id: int) -> HttpResponse:
        """Show the matches, signs and decisions of a player."""
        self.must_view(request)
        return self._show_player(request, player_id)

    def _show_player(self, request: HttpRequest, player_id: int, status: int = 200) -> HttpResponse:
        player = find_player(player_id)
        if player is None:
            raise Http404
        context = build_player_context(player) | {
            "title": isolate_name(str(player)),
            "days": DAYS,
            "player_kinds": PLAYER_KINDS,
            "form": request.POST,
            "may_decide": request.user.has_perm("games.decide"),
            "may_reverse": request.user.has_perm("games.reverse"),
            "may_handle": request.user.has_perm("games.handle"),
        }
        return self.page(request, "match/player.html", context, status)

    # -- deciding

    def decide(self, request: HttpRequest, match_id: str) -> HttpResponse:
        """Carry out a decision sent from a match's page. Show the page again if it is refused."""
        if not request.user.has_perm("games.decide"):
            raise PermissionDenied
        self._found(match_id)
        form = request.POST.dict()
        if self.attempt(request, lambda: decide(request.user, form, match_id=match_id)):
            return redirect("admin:games_match_change", match_id)
        return self._show(request, match_id, status=409)

    def analyse(self, request: HttpRequest, match_id: str) -> HttpResponse:
        """Request the computer's analysis, and redirect to the page of the match or player."""
        if not request.user.has_perm("games.handle"):
            raise PermissionDenied
        self._found(match_id)

        def ask() -> str:
            address = get_request_network(request)
            computer.request_analysis(match_id, request.user, address)
            return gettext("Analysing.")

        self.attempt(request, ask)
        player = request.POST.get("player", "")
        if player.isascii() and player.isdigit() and len(player) < 19:
            return redirect(entry_address(int(player), match_id))
        return redirect("admin:games_match_change", match_id)

    def decide_player(self, request: HttpRequest, player_id: int) -> HttpResponse:
        """Carry out a decision sent from a player's page. Show the page again if it is refused."""
        if not request.user.has_perm("games.decide"):
            raise PermissionDenied
        form = request.POST.dict()
        if self.attempt(request, lambda: decide(request.user, form, player_id=player_id)):
            return redirect("admin:review_player", player_id)
        return self._show_player(request, player_id, status=409)

    def _found(self, match_id: str) -> tuple[MatchRecord, Match]:
        found = stored(match_id)
        if found is None:
            raise Http404
        return found, Match.objects.select_related("first", "second").get(pk=match_id)
