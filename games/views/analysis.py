"""Pages for positions and imported games. The site stores only requested evaluations of them.

The URL of a position or an imported game contains all of its data. It is therefore permanent, and
can be shared.
"""

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_safe

from games import formats
from games.boards import BOARDS
from games.engine import positions as looks
from games.formats.addresses import decode_actions, encode_actions
from games.formats.sheet import list_positions
from games.messages import Message, build_message, get_game_name
from games.messages.refusal import Refused
from games.previews.responses import json_refusal
from games.rules import GAMES, LISTED_GAMES, IllegalAction, Position
from games.runtime.addresses import get_request_network
from games.runtime.limiter import is_within_limit

_WHO = ("position.first", "position.second")


@require_http_methods(["GET", "HEAD", "POST"])
@ensure_csrf_cookie
def import_record(request: HttpRequest) -> HttpResponse:
    """Show the form for a pasted or uploaded record.

    A POST imports the record, and redirects to a URL that contains its moves.
    """
    refused = None
    text = request.POST.get("text", "")
    if request.method == "POST":
        try:
            _must_be_calm(request)
            sheet = formats.read_record(_brought(request))
        except Refused as why:
            refused = why
        else:
            if not sheet.actions:
                return redirect("analysis-start", sheet.game)
            return redirect(
                "analysis-game",
                sheet.game,
                encode_actions(sheet.game, sheet.actions, sheet.options),
            )
    context = {
        "refused": refused and refused.words,
        "text": text[: formats.MOST_BYTES],
        "games": [{"slug": slug, "name": get_game_name(slug)} for slug in LISTED_GAMES],
        **{each.name: get_game_name(each.game) for each in formats.FORMATS.values() if each.game},
    }
    return render(request, "games/import.html", context, status=400 if refused else 200)


def _must_be_calm(request: HttpRequest) -> None:
    """Raise `Refused` if the network imports too many records."""
    address = get_request_network(request)
    if not is_within_limit(settings.RECORDS_PER_MINUTE, "RECORDS_PER_MINUTE", address):
        raise Refused("too-often", seconds=60)


def _brought(request: HttpRequest) -> str | bytes:
    file = request.FILES.get("file")
    if file is None:
        # Browsers send CRLF for a line break, which would count twice towards the limit.
        return request.POST.get("text", "").replace("\r\n", "\n")
    if file.size is None or file.size > formats.MOST_BYTES:
        raise Refused("record-too-long", most=formats.MOST_BYTES // 1024)
    brought: bytes = file.read()
    return brought


@require_safe
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to the start position of a game."""
    if slug not in GAMES:
        raise Http404
    return redirect("analysis-position", slug, GAMES[slug].start.notation)


@require_safe
@ensure_csrf_cookie
def position(request: HttpRequest, slug: str, notation: str) -> HttpResponse:
    """Show a position. `?play=` redirects to the position after an action; 400 if it is illegal."""
    shown = _read(slug, notation)
    action = request.GET.get("play")
    if action is not None:
        try:
            after = shown.play(action)
        except IllegalAction:
            return json_refusal(Refused("illegal-action"))
        query = f"?last={action.replace(' ', '-')}"
        address = reverse("analysis-position", args=[slug, after.notation])
        return redirect(address + query)
    last = request.GET.get("last", "").replace("-", " ")[:64]
    return render(request, "games/position.html", _context(slug, shown, last))


@require_safe
@ensure_csrf_cookie
def game(request: HttpRequest, slug: str, moves: str) -> HttpResponse:
    """Show the game in the URL, move by move. `?ply=n` shows the position after n actions."""
    try:
        sheet = decode_actions(slug, moves)
    except Refused:
        raise Http404 from None
    asked = request.GET.get("ply", "")
    actions, last = sheet.actions, len(sheet.actions)
    is_ply = asked.isascii() and asked.isdigit() and len(asked) < 8
    ply = min(int(asked), last) if is_ply else last
    before = list_positions(slug, actions, sheet.options)
    board = BOARDS[slug]
    context = _context(slug, before[ply], actions[ply - 1] if ply else "")
    steps = {
        "moves": [
            {
                "ply": number,
                "mark": board.mark_of_move(before[number], str(before[number - 1].turn), action),
                "said": board.say(action),
            }
            for number, action in enumerate(actions, 1)
        ],
        "shown_ply": ply,
        "previous_ply": max(0, ply - 1),
        "next_ply": min(last, ply + 1),
        "last_ply": last,
    }
    return render(request, "games/position.html", {**context, **steps})


@require_http_methods(["GET", "HEAD", "POST"])
def look(request: HttpRequest) -> HttpResponse:
    """Return the computer's evaluation of a position as JSON; a POST requests it.

    After a POST, a script gets 202, and a form is redirected to the position. Both get 429 if they
    request too many evaluations or too many are waiting, and 400 if the position cannot be
    evaluated. Raise `Http404` for an invalid position.
    """
    asked = request.POST if request.method == "POST" else request.GET
    slug, notation = asked.get("game", ""), asked.get("notation", "")
    shown = _read(slug, notation)
    if request.method != "POST":
        answer = JsonResponse(looks.serialize_evaluation(slug, shown))
        answer.headers["Cache-Control"] = "no-store"
        return answer
    is_script = request.headers.get("Accept") == "application/json"
    try:
        looks.request_evaluation(slug, shown, get_request_network(request))
    except Refused as refused:
        is_fast = refused.code == "too-fast"
        answer = json_refusal(refused, 429 if is_fast else 400)
        if is_fast:
            answer.headers["Retry-After"] = "60"
        return answer
    return HttpResponse(status=202) if is_script else redirect("analysis-position", slug, notation)


def _read(slug: str, notation: str) -> Position:
    try:
        return GAMES[slug].read(notation)
    except (KeyError, ValueError):
        raise Http404 from None


def _context(slug: str, shown: Position, last: str) -> dict[str, Any]:
    board = BOARDS[slug]
    fresh = board.find_fresh(shown, last) if last else ()
    known = looks.serialize_evaluation(slug, shown) if looks.can_be_evaluated(slug, shown) else None
    return {
        "game": {"slug": slug, "name": get_game_name(slug)},
        "position": shown,
        "notation": shown.notation,
        "fresh": fresh,
        "better": (known or {}).get("better", ()),
        "targets": board.targets(shown) if not shown.is_over else (),
        "status": _status(slug, shown),
        "links": [(action, board.say(action)) for action in shown.actions()]
        if "sheet" in board.traits
        else [],
        "look": known,
        "state": {
            "diagram": shown.diagram,
            "open": "" if shown.is_over else board.packed_targets(shown),
            "hand": board.mark_of(shown),
            "closing": () if shown.is_over else board.closing(shown),
            "line": shown.line,
            "fresh": fresh,
            "better": (known or {}).get("better", ()),
            "buttons": [] if shown.is_over else board.list_buttons(shown),
            **({"paths": board.paths(shown)} if board.paths and not shown.is_over else {}),
        },
    }


def _status(slug: str, shown: Position) -> Message:
    goals = shown.goals
    if goals is not None:
        one, other = (goals[role] for role in GAMES[slug].roles)
        return build_message("position.over", one=one, other=other)
    who = GAMES[slug].roles.index(str(shown.turn))
    return build_message("position.turn", who=build_message(_WHO[who]))
