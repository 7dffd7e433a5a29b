"""The pages of the queue, of one player's open items, and of the search for players."""

import secrets
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_POST, require_safe

from games.admin.review import ReviewAdmin, View
from games.messages import render
from games.messages.names import isolate_name
from games.models import Match, Report, Sign
from games.review import bulk, computer, handling, queue
from games.review.entry import build_entry_context
from games.review.forms import STAY
from games.review.forms import handle as carry_out
from games.review.page import find_player, get_players
from games.review.player_search import MOST, SHORTEST, search_players
from games.review.queue import QueueEntry
from games.review.queue_filters import EVERYTHING, ORDERS, QueueFilter, list_choices
from games.store.suspensions import get_suspensions

_PER_PAGE = 50  # entries of the queue on a page
_LONGEST_SEARCH = 80  # the maximum length of a search; the rest is ignored
_LONGEST_KEY = 32  # the maximum length of `BulkAction.key`


class QueuePages(ReviewAdmin):
    """The pages of the queue and of the search for players.

    Their addresses are below the address of the list of cases.
    """

    def pages(self) -> list[tuple[str, str, View]]:
        one = "queue/<int:player_id>/"
        return [
            ("queue/", "queue", require_safe(self.show_queue)),
            ("queue/next/", "next", require_POST(self.take_next)),
            ("search/", "search", require_safe(self.search)),
            ("bulk/", "bulk", require_POST(self.handle_together)),
            (one, "entry", require_safe(self.entry)),
            (f"{one}take/", "take", require_POST(self.take)),
            (f"{one}release/", "release", require_POST(self.release)),
            (f"{one}handle/", "handle", require_POST(self.handle)),
            (f"{one}note/", "note", require_POST(self.note)),
        ]

    def show_queue(self, request: HttpRequest) -> HttpResponse:
        """Show a page of the queue, with the moderators who have taken its entries."""
        self.must_view(request)
        chosen = _chosen(request)
        found = queue.list_entries(chosen, request.user)
        selects = "select" in request.GET and request.user.has_perm("games.handle")
        per_page = MOST if selects else _PER_PAGE
        page = Paginator(found, per_page).get_page(request.GET.get("page"))
        context = {
            "title": gettext("The queue"),
            "rows": _build_rows(list(page.object_list)),
            "page": page,
            "total": len(found),
            "chosen": chosen,
            # The part of the query string that is kept in links to other pages of the list.
            "kept": "".join(f"{each}&" for each in (chosen.query, selects and "select=1") if each),
            "fields": list_choices(chosen),
            "orders": list(ORDERS.items()),
            **(_build_selection() if selects else {}),
            "may_handle": request.user.has_perm("games.handle"),
            # The table needs the sidebar's width.
            "is_nav_sidebar_enabled": False,
        }
        return self.page(request, "queue/list.html", context)

    def search(self, request: HttpRequest) -> HttpResponse:
        """Show the players that match the text in the search field of the review's pages."""
        self.must_view(request)
        text = " ".join(request.GET.get("q", "").split())[:_LONGEST_SEARCH]
        hits, has_more = search_players(text)
        ids = [hit.player_id for hit in hits]
        people, held = get_players(ids), get_suspensions(ids)
        entries = {entry.player_id: entry for entry in queue.list_entries()} if hits else {}
        context = {
            "title": gettext("Search for a player"),
            "query": text,
            "is_too_short": bool(text) and len(text) < SHORTEST,
            "has_more": has_more,
            "most": MOST,
            "rows": [
                {
                    "player": people[hit.player_id],
                    "reasons": hit.reasons,
                    "is_suspended": hit.player_id in held,
                    **_label(entries.get(hit.player_id)),
                }
                for hit in hits
                if hit.player_id in people
            ],
            "match": Match.objects.filter(pk=text).first() if text else None,
            **(_build_selection() if entries and request.user.has_perm("games.handle") else {}),
            "is_nav_sidebar_enabled": False,
        }
        return self.page(request, "queue/search.html", context)

    def handle_together(self, request: HttpRequest) -> HttpResponse:
        """Dismiss the selected players' open items, or merge the players, and show the result."""
        self._must_handle(request)
        form, chosen = request.POST, _chosen(request)
        back = queue_address(chosen)
        if form.get("q"):
            back = f"{reverse('admin:review_search')}?{urlencode({'q': form['q']})}"
        done: list[bulk.Done] = []

        def carry() -> str:
            ids = [int(pk) for pk in form.getlist("player") if _is_number(pk)]
            reason, key = form.get("reason", ""), form.get("key", "")[:_LONGEST_KEY]
            if form.get("do") == "merge":
                done.append(bulk.merge_players(request.user, ids, reason, key))
            else:
                latest = bulk.Latest.read(form.get("latest", ""))
                done.append(bulk.dismiss_players(request.user, ids, reason, key, latest, chosen))
            count = len(done[0].action.players)
            words = ngettext("Done for %(count)d player.", "Done for %(count)d players.", count)
            return words % {"count": count}

        if not self.attempt(request, carry):
            return redirect(back)
        people = get_players(list(done[0].left_out))
        for pk, refusal in done[0].left_out.items():
            words = {"name": isolate_name(str(people[pk])), "reason": render(refusal.words)}
            messages.warning(request, gettext("Left out: %(name)s. %(reason)s") % words)
        return redirect("admin:games_bulkaction_change", done[0].action.pk)

    def entry(self, request: HttpRequest, player_id: int) -> HttpResponse:
        """Show a player's open items, one of the player's matches, and the decision form."""
        self.must_view(request)
        return self._show(request, player_id)

    def _show(self, request: HttpRequest, player_id: int, status: int = 200) -> HttpResponse:
        player = find_player(player_id)
        if player is None:
            raise Http404
        form = request.POST
        match_id = form.get("match") or request.GET.get("match", "")
        chosen = _chosen(request)
        ply = request.GET.get("ply", "")
        shown = build_entry_context(player, request.user, match_id, ply, chosen)
        context = shown | {
            "title": isolate_name(str(player)),
            "form": form,
            "may_handle": request.user.has_perm("games.handle"),
            "may_decide": request.user.has_perm("games.decide"),
            # The page needs the sidebar's width.
            "is_nav_sidebar_enabled": False,
        }
        return self.page(request, "queue/entry.html", context, status)

    # -- forms sent from these pages

    def take_next(self, request: HttpRequest) -> HttpResponse:
        """Take the next player from the queue, and redirect to the player's page."""
        self._must_handle(request)
        return self._go_on(request, None)

    def take(self, request: HttpRequest, player_id: int) -> HttpResponse:
        """Assign one player to the moderator."""
        return self._do(request, player_id, lambda: self._take(request, player_id))

    def release(self, request: HttpRequest, player_id: int) -> HttpResponse:
        """Return a player to the queue."""

        def release() -> str:
            handling.release_player(player_id, request.user)
            return gettext("Released.")

        return self._do(request, player_id, release)

    def note(self, request: HttpRequest, player_id: int) -> HttpResponse:
        """Store a private note on a player."""

        def write() -> str:
            text, match_id = request.POST.get("note", ""), request.POST.get("match")
            handling.write_note(player_id, request.user, text, match_id)
            return gettext("Note saved.")

        return self._do(request, player_id, write, request.POST.get("back", ""))

    def handle(self, request: HttpRequest, player_id: int) -> HttpResponse:
        """Carry out the submitted form about the player, then show the next player or the queue.

        Show the same player again if the items stay open or the form is refused.
        """
        self._must_handle(request)
        form = request.POST.dict()
        after = next((e for e in queue.list_entries() if e.player_id == player_id), None)
        if not self.attempt(request, lambda: carry_out(request.user, form, player_id)):
            return self._show(request, player_id, status=409)
        if form.get("do") == STAY:
            return redirect(entry_address(player_id, form.get("match", ""), _chosen(request)))
        return self._go_on(request, after)

    def _go_on(self, request: HttpRequest, after: QueueEntry | None) -> HttpResponse:
        """Take the next player and redirect to their page, or to the queue if none is left."""
        chosen = _chosen(request)
        taken = queue.take_next(request.user, after, chosen)
        if taken is None:
            messages.info(
                request,
                gettext("The queue has no other players of this kind that you can take.")
                if chosen.is_narrow
                else gettext("The queue has no players that you can take."),
            )
            return redirect(queue_address(chosen))
        computer.request_for_reported(taken, request.user)
        return redirect(entry_address(taken, chosen=chosen))

    def _take(self, request: HttpRequest, player_id: int) -> str:
        handling.take_player(player_id, request.user)
        computer.request_for_reported(player_id, request.user)
        return gettext("Assigned to you.")

    def _do(
        self, request: HttpRequest, player_id: int, do: Callable[[], str], back: str = ""
    ) -> HttpResponse:
        self._must_handle(request)
        self.attempt(request, do)
        if find_player(player_id) is None:
            return redirect("admin:review_queue")
        if back == "player":
            return redirect("admin:review_player", player_id)
        match_id = request.POST.get("match", "")
        return redirect(entry_address(player_id, match_id, _chosen(request)))

    def _must_handle(self, request: HttpRequest) -> None:
        if not request.user.has_perm("games.handle"):
            raise PermissionDenied


def queue_address(chosen: QueueFilter = EVERYTHING) -> str:
    return reverse("admin:review_queue") + chosen.suffix


def entry_address(player_id: int, match_id: str = "", chosen: QueueFilter = EVERYTHING) -> str:
    """Return the address of a player's entry, with the match to show and the queue's filter."""
    where = reverse("admin:review_entry", args=[player_id])
    is_id = match_id.replace("-", "").isalnum()
    query = "&".join(filter(None, [f"match={match_id}" if is_id else "", chosen.query]))
    return f"{where}?{query}" if query else where


def _chosen(request: HttpRequest) -> QueueFilter:
    return QueueFilter.parse(request.GET)


def _build_selection() -> dict[str, Any]:
    """Return the template context of the form that handles several players at once."""
    return {"selects": True, "key": secrets.token_hex(12), "latest": str(bulk.get_latest())}


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19


def _build_rows(entries: list[QueueEntry]) -> list[dict[str, Any]]:
    """Return the template context of each entry, without entries of deleted players."""
    held, people = queue.get_assignments(), get_players([entry.player_id for entry in entries])
    return [
        {
            "entry": entry,
            "player": people[entry.player_id],
            "taken": held.get(entry.player_id),
            **_label(entry),
        }
        for entry in entries
        if entry.player_id in people
    ]


def _label(entry: QueueEntry | None) -> dict[str, Any]:
    """Return the kinds of an entry's items, with their labels and counts."""
    if entry is None:
        return {"reports": [], "signs": [], "appeals": ()}
    return {
        "reports": _labelled(entry.reports, Report.Reason),
        "signs": _labelled(entry.signs, Sign.Kind),
        "appeals": entry.appeals,
    }


def _labelled(found: dict[str, int], kinds: Any) -> list[tuple[str, int]]:
    """Return the kinds with their labels and counts, the most frequent first."""
    order = sorted(found.items(), key=lambda item: -item[1])
    return [(kinds(kind).label, number) for kind, number in order]
