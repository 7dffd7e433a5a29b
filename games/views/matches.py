"""Pages of a match: playing, watching, replay, record, picture, analysis and reports.

`mark_notice_read` handles the form of a notice from moderators, which can be on any page.
"""

import time
from collections.abc import Collection
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from msgspec import to_builtins
from msgspec.structs import asdict

from games.boards import BOARDS
from games.engine import analysis
from games.engine.replay import build_replay_context, build_steps
from games.engine.verdicts import Verdict, build_chart, judge_moves, render_summary
from games.formats import FORMATS, get_format
from games.formats.addresses import encode_actions
from games.live.frames import encode_bytes
from games.live.protocol import MatchPeople, build_shared_state, build_viewer_state
from games.match.commands import PHRASES
from games.match.conduct import seat_in_hand
from games.match.offers import DRAW_FROM_PLY
from games.match.outcome import get_outcome_for
from games.match.state import MatchState
from games.messages import build_message, get_game_name
from games.messages import render as render_message
from games.messages.refusal import Refused
from games.models import Analysis, Match, Report
from games.previews.responses import build_match_scene, json_refusal, picture_response, rate_limited
from games.previews.titles import render_headline, render_title
from games.review import notices, reports
from games.review.decisions import list_decisions_for
from games.runtime.addresses import get_request_network
from games.runtime.next_page import get_next_page
from games.store.aliases import get_aliases
from games.store.ratings import NOT_RATED, RATED_WITHIN, get_seat_ratings, is_rated
from games.store.records import (
    MatchRecord,
    VisibleRecord,
    build_sheet,
    get_record_for,
    serialize_record,
)
from games.store.seats import get_held_seats
from games.store.visibility import HIDDEN_NAME, can_see_match
from games.views.previews import render_iframe

_NOT_ANALYSED = {"not-allowed": "analysis.not-over", "too-fast": "analysis.waiting"}


@require_safe
@ensure_csrf_cookie
def match(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show a match. `?ply=n` shows a finished match after n actions."""
    seen = _found(request, match_id)
    found, names = seen.record, seen.names
    state = found.state
    if not state.is_readable:
        return render(request, "games/damaged.html", status=500)
    viewer = get_aliases(request.user.pk)
    held = get_held_seats(state, request.user.pk)
    seat = seat_in_hand(state, held)
    around = MatchPeople(names, ratings=get_seat_ratings([state]).get(state.id, NOT_RATED))
    shared, own = build_shared_state(state, around), build_viewer_state(state, held, around)
    by_role = dict(zip(state.rules.roles, names, strict=True))
    seats = [{"role": role, **asdict(sitting)} for role, sitting in shared.seats.items()]
    looked = analysis.get_analysis(state)
    found_there = judge_moves(state, found.moves, looked.looks) if looked else []
    steps = build_replay_context(found, request.GET.get("ply", ""), verdicts=found_there)
    context = {
        "match_id": state.id,
        "title": render_title(state, names),
        "game": state.rules,
        "game_name": get_game_name(state.game),
        "board": BOARDS[state.game],
        "state": {**to_builtins(shared), **to_builtins(own), "now": time.time()},
        "ended": shared.verdict and get_outcome_for(shared.verdict, by_role, own.you),
        "seats": seats,
        "hidden_name": HIDDEN_NAME,
        # The viewer sits on the near side. Watchers see the first role there.
        "far_and_near": seats if seat == 1 else seats[::-1],
        "targets": BOARDS[state.game].targets(state.position) if _is_to_move(state, seat) else (),
        "board_label": render_message(
            build_message(
                "board.label", game=get_game_name(state.game), one=names[0], other=names[1]
            )
        ),
        "formats": [each for each in FORMATS.values() if each.game == state.game],
        "iframe": _iframe(request, state, names) if seen.is_public else "",
        "phrases": PHRASES,
        "role": own.you or "",
        "opening": _explain_opening(state) if seat is not None else "",
        "setup": state.setup,
        "decisions": list_decisions_for(state, viewer),
        "at_one_screen": len(held) == 2,
        # On a small board, which fills with every move, the game ends before `DRAW_FROM_PLY`.
        "draw_from": DRAW_FROM_PLY + 1 if len(shared.diagram) > DRAW_FROM_PLY else None,
        "reportable": _reportable(state, names, viewer, held),
        "reasons": [each for each in Report.Reason.choices if each[0] != Report.Reason.LOBBY],
        "unrated": _is_unrated(state, around),
        "rated_within": int(1000 * RATED_WITHIN),
        "analysis": _analysis(found, names, looked, found_there, steps),
        **steps,
    }
    return render(request, "games/match.html", context)


def _explain_opening(state: MatchState) -> str:
    """Return the explanation of the game's opening while it lasts, otherwise ""."""
    board = BOARDS[state.game]
    is_opening = state.is_live and board.prompt(state.position, state.last) is not None
    return gettext(board.opening) if board.opening and is_opening else ""


@require_safe
@rate_limited("RECORDS_PER_MINUTE")
def record(request: HttpRequest, match_id: str) -> HttpResponse:
    """Return the whole match as JSON, with the time of each move and the result.

    `?format=` selects another of the `games.formats`; 400 if the game does not have that format.
    """
    seen = _found(request, match_id)
    found, names = seen.record, seen.names
    asked = request.GET.get("format", "json")
    try:
        wanted = get_format(asked, found.state.game)
        if asked == "json":
            return JsonResponse(serialize_record(found, names))
        text = wanted.write(build_sheet(found, names))
    except Refused as refused:
        return json_refusal(refused)
    name = f"{found.state.id}.{wanted.ending}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text, content_type=wanted.content_type, headers=headers)


@require_safe
@rate_limited("RECORDS_PER_MINUTE")
def picture(request: HttpRequest, match_id: str) -> HttpResponse:
    """Return the current position as a picture, for previews on other sites."""
    seen = _found(request, match_id)
    state = seen.record.state
    if not state.is_readable:
        raise Http404
    scene = build_match_scene(state, render_headline(state, seen.names))
    return picture_response(request, scene, not state.is_live, seen.is_public)


@require_safe
@rate_limited("RECORDS_PER_MINUTE")
def replay(request: HttpRequest, match_id: str) -> HttpResponse:
    """Return every position of the match as JSON, for a replay."""
    found = _found(request, match_id).record
    seen = analysis.get_analysis(found.state)
    found_there = judge_moves(found.state, found.moves, seen.looks) if seen else []
    steps = build_steps(found.state, found.moves, found_there)
    return HttpResponse(encode_bytes({"frames": steps}), content_type="application/json")


@require_http_methods(["GET", "HEAD", "POST"])
def analysis_of_match(request: HttpRequest, match_id: str) -> HttpResponse:
    """Redirect to the analysis board with the moves of a finished match; 404 if it is live.

    A player's POST requests the analysis instead; the page of the match shows the progress and the
    result. A script gets 202, or 409 with the `words` of the refusal. A form is redirected to the
    page of the match.
    """
    found = _found(request, match_id).record
    if request.method != "POST":
        return _show_on_analysis_board(found)
    if request.user.pk is None:
        raise PermissionDenied
    try:
        where = get_request_network(request)
        analysis.request_analysis(found.state, request.user.pk, where)
    except Refused as refused:
        why = build_message(_NOT_ANALYSED[refused.code])
        if _is_script(request):
            return JsonResponse({"words": why}, status=409)
        messages.error(request, render_message(why))
    if _is_script(request):
        return HttpResponse(status=202)
    return redirect("match", match_id)


@require_safe
def analysis_json(request: HttpRequest, match_id: str) -> JsonResponse:
    """Return the progress and the result of an analysis; 404 if the match has no analysis."""
    found = _found(request, match_id).record
    seen = analysis.get_analysis(found.state)
    if seen is None:
        return JsonResponse({"state": "none"}, status=404)
    state = "ready" if seen.due_at is None else "waiting"
    told = {"state": state, "looked": seen.looked, "plies": len(found.moves), "looks": seen.looks}
    found_there = judge_moves(found.state, found.moves, seen.looks)
    told["kinds"] = [verdict.kind for verdict in found_there]
    return JsonResponse(told)


@require_POST
def report(request: HttpRequest, match_id: str) -> HttpResponse:
    """Store a player's report, and redirect to the match with a confirmation or a refusal."""
    if not request.user.is_authenticated:
        raise PermissionDenied
    if not can_see_match(request.user.pk, match_id):
        raise Http404
    whom = request.POST.get("player", "")
    try:
        reports.store_report(
            request.user.pk,
            match_id,
            int(whom) if whom.isascii() and whom.isdigit() and len(whom) < 19 else 0,
            request.POST.get("reason", ""),
            request.POST.get("words", ""),
        )
    except Refused as refusal:
        if refusal.code == "no-such":
            raise Http404 from None
        messages.error(request, render_message(refusal.words))
    else:
        messages.success(request, render_message(build_message("report.thanks")))
    return redirect("match", match_id)


@require_POST
def mark_notice_read(request: HttpRequest, notice_id: int) -> HttpResponse:
    """Mark a notice as read, and redirect to the page that the form names, or to the front page."""
    if request.user.pk is not None:
        notices.mark_read(request.user.pk, notice_id)
    return redirect(get_next_page(request) or "/")


def _found(request: HttpRequest, match_id: str) -> VisibleRecord:
    """Return the match as the viewer may see it. Raise `Http404` if there is no such match."""
    found = get_record_for(lambda: request.user.pk, match_id)
    if found is None:
        raise Http404
    return found


def _show_on_analysis_board(found: MatchRecord) -> HttpResponse:
    game = found.state.game
    if found.state.is_live or not found.state.is_readable:
        raise Http404
    if not found.moves:
        return redirect("analysis-start", game)
    moves = encode_actions(game, [move.action for move in found.moves], found.state.options)
    return redirect("analysis-game", game, moves)


def _iframe(request: HttpRequest, state: MatchState, names: tuple[str, str]) -> str:
    """Return the HTML that embeds the match on another site."""
    address = request.build_absolute_uri(reverse("embed-match", args=[state.id]))
    return render_iframe(address, render_title(state, names))


def _is_to_move(state: MatchState, seat: int | None) -> bool:
    return seat is not None and state.turn == state.rules.roles[seat]


def _is_script(request: HttpRequest) -> bool:
    """Return whether a script of the page sent the request, so that a redirect is not needed."""
    return request.headers.get("Accept") == "application/json"


def _analysis(
    found: MatchRecord,
    names: tuple[str, str],
    seen: Analysis | None,
    found_there: list[Verdict],
    steps: dict[str, Any],
) -> dict[str, Any] | None:
    """Return the page's data about the analysis, or None if the match cannot be analysed."""
    state = found.state
    if not analysis.may_be_asked(state):
        return None
    if seen is None:
        return {"state": "none", "better": []}
    if seen.due_at is not None:
        plies = len(found.moves)
        return {"state": "waiting", "looked": seen.looked, "plies": plies, "better": []}
    by_role = dict(zip(state.rules.roles, names, strict=True))
    drawn = build_chart(state, seen.looks, by_role)
    return {
        "state": "ready",
        "better": list(found_there[-1].better) if found_there else [],
        "chart": drawn,
        "marker": round(steps["shown_ply"] * drawn["step"], 1),
        "lines": list(
            zip(
                drawn["marks"],
                render_summary(state, [move.role for move in found.moves], found_there, by_role),
                strict=True,
            )
        ),
    }


def _is_unrated(state: MatchState, around: MatchPeople) -> bool:
    """Return whether a rated match has ended, and changed no rating within the allowed time."""
    if not state.rated or state.status != Match.Status.OVER or state.ended_at is None:
        return False
    age = (timezone.now() - state.ended_at).total_seconds()
    return age > RATED_WITHIN and not is_rated(around.ratings)


def _reportable(
    state: MatchState, names: tuple[str, str], viewer: Collection[int], held: Collection[int]
) -> list[tuple[int, str]]:
    """Return the ids and names of the players whom the viewer may report.

    These are the opponent, or both players for a watcher, but never the computer. Visitors who are
    not logged in may report nobody.
    """
    if not viewer:
        return []
    people = zip((0, 1), (state.first_id, state.second_id), names, state.levels, strict=True)
    return [(pk, name) for seat, pk, name, level in people if seat not in held and level is None]
