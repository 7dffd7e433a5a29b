"""The match's pages: to play, to watch, to step through, and the whole record."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from games.boards import BOARDS
from games.journal import read
from games.models import Match, Move
from games.protocol import Around, common, frames_of, personal
from games.row import Row
from games.wording import PHRASES


@require_safe
@ensure_csrf_cookie
def match(request: HttpRequest, match_id: str) -> HttpResponse:
    """The page of a match. `?ply=n` shows one that is over as it was after n actions."""
    row, names = _found(match_id)
    seat = row.seat_of(request.user.pk)
    around = Around(names)
    state = {**common(row, around), **personal(row, seat, around)}
    frames = frames_of(row, _moves(row.id))
    shown = _shown_ply(request, row)
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
        "next_ply": min(row.ply, shown + 1),
        "frame": frames[shown],
        "moves": frames[1:],
        "role": state["you"] or "",
        "shown_ply": shown,
        "last_ply": row.ply,
    }
    return render(request, "games/match.html", context)


@require_safe
def record(request: HttpRequest, match_id: str) -> JsonResponse:
    """The whole match for machines: every move with its time, and how it ended."""
    row, names = _found(match_id)
    moves = Move.objects.filter(match_id=row.id).order_by("ply")
    return JsonResponse(
        {
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
                for move in moves
            ],
            "status": row.status,
            "ended": row.ended or None,
            "goals": row.goals,
            "notation": row.notation,
            "created_at": row.created_at.timestamp(),
            "ended_at": row.ended_at.timestamp() if row.ended_at else None,
        }
    )


@require_safe
def replay(request: HttpRequest, match_id: str) -> JsonResponse:
    """Every position of the match, for stepping through it."""
    row, _ = _found(match_id)
    return JsonResponse({"frames": frames_of(row, _moves(row.id))})


def _found(match_id: str) -> tuple[Row, tuple[str, str]]:
    row = read([match_id]).get(match_id)
    if row is None:
        raise Http404
    names = Match.objects.values_list("first__username", "second__username").get(pk=match_id)
    return row, names


def _moves(match_id: str) -> list[tuple[str, str]]:
    return list(
        Move.objects.filter(match_id=match_id).order_by("ply").values_list("role", "action")
    )


def _shown_ply(request: HttpRequest, row: Row) -> int:
    asked = request.GET.get("ply", "")
    if row.is_live or not (asked.isascii() and asked.isdigit() and len(asked) < 8):
        return row.ply
    return min(int(asked), row.ply)


def _seats(row: Row, state: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"role": role, **state["seats"][role]} for role in row.rules.roles]
