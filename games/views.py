"""The match's pages: to play, to watch, to step through, and the whole record."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from games.boards import BOARDS
from games.models import Match
from games.protocol import Around, common, frames_of, personal
from games.records import Record
from games.records import record as stored
from games.row import Row
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
    frames = frames_of(row, found.moves)
    last = len(frames) - 1
    shown = _shown_ply(request, row, last)
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
        "previous_ply": max(0, shown - 1),
        "phrases": PHRASES,
        "next_ply": min(last, shown + 1),
        "frame": frames[shown],
        "moves": frames[1:],
        "role": state["you"] or "",
        "shown_ply": shown,
        "last_ply": last,
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


def as_json(found: Record, names: tuple[str, str]) -> dict[str, Any]:
    """The record of a match as the contract has it. Times in seconds since 1970."""
    row = found.row
    return {
        "match": row.id,
        "game": row.game,
        "clock": row.clock or None,
        "seats": dict(zip(row.rules.roles, ({"name": name} for name in names), strict=True)),
        "moves": [
            {
                "ply": move.ply,
                "role": move.role,
                "action": move.action,
                "at": move.at.timestamp(),
                "spent_ms": move.spent_ms,
            }
            for move in found.moves
        ],
        "status": row.status,
        "ended": row.ended or None,
        "goals": row.goals,
        "notation": row.notation,
        "created_at": row.created_at.timestamp(),
        "ended_at": row.ended_at.timestamp() if row.ended_at else None,
        "digest": row.digest or None,
    }


def _found(match_id: str) -> tuple[Record, tuple[str, str]]:
    found = stored(match_id)
    if found is None:
        raise Http404
    names = Match.objects.values_list("first__username", "second__username").get(pk=match_id)
    return found, names


def _shown_ply(request: HttpRequest, row: Row, last: int) -> int:
    asked = request.GET.get("ply", "")
    if row.is_live or not (asked.isascii() and asked.isdigit() and len(asked) < 8):
        return last
    return min(int(asked), last)


def _seats(row: Row, state: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"role": role, **state["seats"][role]} for role in row.rules.roles]
