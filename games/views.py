"""The match's pages: to play, to watch, to step through, and the whole record."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from games.boards import BOARDS
from games.models import Match, Report
from games.protocol import Around, common, frames_of, personal
from games.records import Record, as_json
from games.records import record as stored
from games.review import notices, reports
from games.review.decisions import decisions_for
from games.review.refusal import NO_SUCH, Refusal
from games.row import Row
from games.stepping import stepping
from games.wording import PHRASES


@require_safe
@ensure_csrf_cookie
def match(request: HttpRequest, match_id: str) -> HttpResponse:
    """The page of a match. `?ply=n` shows one that is over as it was after n actions."""
    found, names = _found(match_id)
    row = found.row
    if not row.is_readable:
        return render(request, "games/damaged.html", status=500)
    seat = row.seat_of(request.user.pk)
    around = Around(names)
    state = {**common(row, around), **personal(row, seat, around)}
    seats = _seats(row, state)
    context = {
        "match_id": row.id,
        "game": row.rules,
        "board": BOARDS[row.game],
        "state": state,
        "seats": seats,
        # The viewer sits at the near side; watchers see the first role there.
        "far_and_near": seats if seat == 1 else seats[::-1],
        "board_label": f"{row.rules.name}: {names[0]} against {names[1]}",
        "phrases": PHRASES,
        "role": state["you"] or "",
        "decisions": decisions_for(row, request.user.pk),
        "reportable": _reportable(row, names, request.user.pk),
        "reasons": Report.Reason.choices,
        **stepping(found, request.GET.get("ply", "")),
    }
    return render(request, "games/match.html", context)


@require_safe
def record(request: HttpRequest, match_id: str) -> JsonResponse:
    """The whole match for machines: every move with its time, and how it ended."""
    found, names = _found(match_id)
    return JsonResponse(as_json(found, names))


@require_safe
def replay(request: HttpRequest, match_id: str) -> JsonResponse:
    """Every position of the match, for stepping through it."""
    found, _ = _found(match_id)
    return JsonResponse({"frames": frames_of(found.row, found.moves)})


@require_POST
def report(request: HttpRequest, match_id: str) -> HttpResponse:
    """Store what a player reports of a match, and say what becomes of it."""
    if not request.user.is_authenticated:
        raise PermissionDenied
    whom = request.POST.get("player", "")
    try:
        reports.report(
            request.user.pk,
            match_id,
            int(whom) if whom.isascii() and whom.isdigit() and len(whom) < 19 else 0,
            request.POST.get("reason", ""),
            request.POST.get("words", ""),
        )
    except Refusal as refusal:
        if refusal is NO_SUCH:
            raise Http404 from None
        messages.error(request, str(refusal))
    else:
        messages.success(request, "Thank you. The staff will look at it, and you will be told.")
    return redirect("match", match_id)


@require_POST
def notice_read(request: HttpRequest, notice_id: int) -> HttpResponse:
    """The player has read a notice; back to where they were."""
    if request.user.pk is not None:
        notices.read(request.user.pk, notice_id)
    back = request.POST.get("next", "/")
    safe = url_has_allowed_host_and_scheme(back, allowed_hosts=None) and back.startswith("/")
    return redirect(back if safe else "/")


def _found(match_id: str) -> tuple[Record, tuple[str, str]]:
    found = stored(match_id)
    if found is None:
        raise Http404
    names = Match.objects.values_list("first__username", "second__username").get(pk=match_id)
    return found, names


def _reportable(row: Row, names: tuple[str, str], viewer: int | None) -> list[tuple[int, str]]:
    """Whom the viewer may report here: their opponent, or as a watcher either player."""
    if viewer is None:
        return []
    ids = (row.first_id, row.second_id)
    return [(pk, name) for pk, name in zip(ids, names, strict=True) if pk != viewer]


def _seats(row: Row, state: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"role": role, **state["seats"][role]} for role in row.rules.roles]
