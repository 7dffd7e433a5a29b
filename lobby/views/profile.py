"""The profile of a player, the search for players, and the pages of the viewer's own games.

Players are also blocked and reported from their profile.
"""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from asgiref.sync import async_to_sync
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe
from msgspec.structs import asdict

from games.match.outcome import get_outcome_for
from games.messages import build_message, get_game_name
from games.messages import render as render_message
from games.messages.refusal import Refused
from games.models import Report
from games.review import reports
from games.rules import GAMES
from games.runtime.addresses import get_client_network, get_request_network
from games.runtime.limiter import is_within_limit
from games.runtime.streaming import ChunkedResponse
from lobby.live.room import lobby_room
from lobby.models import Played, Player
from lobby.players import blocks, games
from lobby.players.games import Filters, NobodyError, PlayerMatch
from lobby.players.history import LENGTHS, get_head_to_head, get_totals
from lobby.players.people import LONGEST_NAME, find_player, search
from lobby.privacy.visibility import is_public
from lobby.ratings import rating_history
from lobby.seeks.challenges import can_be_challenged

ROWS = 25  # rows of the history on a page
RESULTS = tuple(Played.Result.values)


@require_safe
@ensure_csrf_cookie
def player(request: HttpRequest, name: str) -> HttpResponse:
    """Show the profile. The filters and the page of the history are in the query string."""
    found = _found(request, name)
    if found.username != name:
        return redirect("player", found.username)
    viewer = request.user if isinstance(request.user, Player) else None
    viewer_id = None if viewer is None else viewer.pk
    try:
        wanted = games.parse_filters(request.GET, viewer_id)
        before = request.GET.get("before", "")
        page = games.list_history(found.pk, wanted, before, ROWS, viewer_id=viewer_id)
    except NobodyError:
        page = games.Page([])
    except ValueError:
        return render(request, "400.html", status=400)
    is_self = viewer is not None and viewer.pk == found.pk
    has_game = games.get_last_between(found.pk, viewer_id) is not None
    people, computer = get_totals(found.pk)
    context = {
        "player": found,
        "is_self": is_self,
        "is_computer": found.bot_level is not None,
        "level": render_message(build_message(f"level.{found.bot_level}"))
        if found.bot_level
        else "",
        "ratings": _ratings(found.pk, request.GET.get("rating", "")),
        "people": people,
        "computer": computer,
        "live": [row(each, found, viewer) for each in games.list_live(found.pk, viewer_id)],
        "history": [row(each, found, viewer) for each in page.entries],
        "older": _further(request, page.next) if page.next else "",
        "newest": _further(request, "") if request.GET.get("before") else "",
        "asked": {key: request.GET.get(key, "") for key in _FILTERS},
        "is_filtered": any(request.GET.get(key, "").strip() for key in _FILTERS),
        "games": [(slug, get_game_name(slug)) for slug in GAMES],
        "results": [
            (result, render_message(build_message(f"result.{result}"))) for result in RESULTS
        ],
        "lengths": [(each, render_message(build_message(f"length.{each}"))) for each in LENGTHS],
        "has_rated": games.has_rated(found.pk),
        "may": _may(found, viewer),
        "score": None,
        "is_listed": not found.is_protected,
        "has_game": has_game,
        "reasons": reports.list_reasons(has_game),
    }
    if viewer is not None and not is_self:
        context["score"] = get_head_to_head(viewer.pk, found.pk)
        context["is_blocked"] = blocks.has_blocked(viewer.pk, found.pk)
    return render(request, "lobby/player.html", context)


@require_safe
def games_json(request: HttpRequest, name: str) -> JsonResponse:
    """Return a page of the player's finished matches as JSON.

    The first page also has the live matches.
    """
    found = _found(request, name)
    before, viewer_id = request.GET.get("before", ""), request.user.pk
    try:
        wanted = games.parse_filters(request.GET, viewer_id)
        page = games.list_history(found.pk, wanted, before, viewer_id=viewer_id)
    except NobodyError:
        page = games.Page([])
    except ValueError as error:
        return JsonResponse({"error": "malformed", "detail": str(error)}, status=400)
    where = reverse("player-games", args=[found.username])
    more = _further(request, page.next) if page.next else ""
    body: dict[str, Any] = {
        "player": found.name,
        "games": [games.serialize_match(each) for each in page.entries],
        "next": f"{where}{more}" if more else None,
    }
    if not before:
        body["live"] = [
            games.serialize_match(each) for each in games.list_live(found.pk, viewer_id)
        ]
    return JsonResponse(body)


@require_POST
def block(request: HttpRequest, name: str) -> HttpResponse:
    """Block the player, who is not notified."""
    found, viewer = _found(request, name), _viewer(request)
    try:
        blocks.block_player(viewer.pk, found.pk)
    except Refused as refusal:
        messages.error(request, render_message(refusal.words))
    else:
        messages.success(request, render_message(build_message("block.done", name=found.name)))
        async_to_sync(_tell)([viewer.pk, found.pk])
    return redirect("player", found.username)


@require_POST
def unblock(request: HttpRequest, name: str) -> HttpResponse:
    """Remove the viewer's block of the player."""
    found, viewer = _found(request, name), _viewer(request)
    blocks.unblock_player(viewer.pk, found.pk)
    messages.success(request, render_message(build_message("block.undone", name=found.name)))
    if request.POST.get("from") == "list":
        return redirect("preferences")
    return redirect("player", found.username)


@require_POST
def report(request: HttpRequest, name: str) -> HttpResponse:
    """Report the player for the last game against the viewer, or else for the player's last game.

    If there is no finished game, or the reason is behaviour in the lobby, the report is only about
    the player.
    """
    found, viewer = _found(request, name), _viewer(request)
    last = games.get_last_between(found.pk, viewer.pk)
    match_id, sitting = None, found.pk
    reason, text = request.POST.get("reason", ""), request.POST.get("words", "")
    if last is not None and reason != Report.Reason.LOBBY:
        match_id, sitting = last.match_id, (last.match.first_id, last.match.second_id)[last.seat]
    try:
        reports.store_report(viewer.pk, match_id, sitting, reason, text)
    except Refused as refusal:
        messages.error(request, render_message(refusal.words))
    else:
        messages.success(request, render_message(build_message("report.thanks")))
    return redirect("player", found.username)


_FILTERS = ("game", "result", "opponent", "length", "rated")


def row(entry: PlayerMatch, player: Player, viewer: Player | None) -> dict[str, Any]:
    """Return the template context of a match in a list."""
    state = entry.state
    ended, names = games.describe_result(entry, player.name)
    is_own = viewer is not None and viewer.pk == player.pk
    role = None if state.game_is_unknown else state.rules.roles[entry.seat]
    return {
        "id": state.id,
        "game": state.game if state.game_is_unknown else get_game_name(state.game),
        "opponent": entry.opponent,
        "clock": state.clock,
        "rated": state.rated,
        "result": entry.result,
        "how": render_message(get_outcome_for(ended, names, role if is_own else None))
        if ended
        else "",
        "plies": state.ply,
        "ended_at": state.ended_at,
        "is_to_move": state.is_live and state.turn == role,
    }


def _ratings(player_id: int, wanted: str) -> dict[str, Any] | None:
    """Return the player's ratings, and the history of the requested or the latest one.

    Return None if the player has no rating.
    """
    pools = rating_history.list_game_ratings(player_id)
    if not pools:
        return None
    game = wanted if any(pool.game == wanted for pool in pools) else pools[0].game
    days = rating_history.rating_history(player_id, game)
    return {
        "pools": [{"name": get_game_name(pool.game), **asdict(pool)} for pool in pools],
        "game": game,
        "name": get_game_name(game),
        "days": days,
        "chart": rating_history.build_chart_line(days),
    }


def _found(request: HttpRequest, name: str) -> Player:
    """Return the player with this name if the viewer may see them. Otherwise, raise `Http404`."""
    found = find_player(name, request.user.pk)
    if found is None:
        raise Http404
    return found


def _viewer(request: HttpRequest) -> Player:
    if not isinstance(request.user, Player):
        raise PermissionDenied
    return request.user


def _may(found: Player, viewer: Player | None) -> dict[str, bool]:
    """Return which buttons to show. A block hides none of them, because blocks are secret."""
    is_person = found.bot_level is None and found.is_active
    is_other = viewer is None or viewer.pk != found.pk
    return {
        "challenge": is_person and is_other and _is_challenged(found, viewer),
        "block": is_person and is_other and viewer is not None,
        "report": is_person and is_other and viewer is not None,
    }


def _is_challenged(found: Player, viewer: Player | None) -> bool:
    """Return whether the viewer may challenge the player.

    For visitors without a player, `viewer` is None.
    """
    return is_public(found.pk) if viewer is None else can_be_challenged(found, viewer)


def _further(request: HttpRequest, cursor: str) -> str:
    """Return the query string of the same list from a cursor, or from the start."""
    kept = {key: request.GET[key] for key in _FILTERS if request.GET.get(key)}
    return "?" + urlencode({**kept, "before": cursor} if cursor else kept)


async def _tell(player_ids: list[int]) -> None:
    lobby_room().changed_everywhere(player_ids)


@require_safe
def search_players(request: HttpRequest) -> HttpResponse:
    """List players whose names begin with `q`. Without `q`, show only the form.

    If only one player is found, redirect to the player's profile.
    """
    text = " ".join(request.GET.get("q", "").split())[:LONGEST_NAME]
    if not text:
        return render(request, "lobby/players.html")
    address = get_client_network(get_request_network(request))
    if not is_within_limit(settings.PLAYER_SEARCHES_PER_MINUTE, "player search", address):
        detail = render_message(build_message("refused.many-at-once"))
        return render(request, "429.html", {"detail": detail}, status=429)
    found = search(text, request.user.pk)
    if len(found) == 1:
        return redirect("player", found[0].username)
    return render(request, "lobby/players.html", {"text": text, "found": found})


@require_safe
def names_json(request: HttpRequest) -> HttpResponse:
    """Return the names to suggest in a challenge when `q` has been typed, as JSON.

    These are the players whom the search finds, except the viewer and computer players.
    """
    address = get_client_network(get_request_network(request))
    if not is_within_limit(settings.PLAYER_SEARCHES_PER_MINUTE, "player names", address):
        return HttpResponse(status=429)
    text = " ".join(request.GET.get("q", "").split())[:LONGEST_NAME]
    found = search(text, request.user.pk) if text else []
    others = [each for each in found if each.bot_level is None and each.pk != request.user.pk]
    return JsonResponse({"names": [each.name for each in others]})


_HOUR = 60  # minutes
_OVER = 20  # finished games on the page; the profile lists more


@require_safe
@ensure_csrf_cookie
def own_games(request: HttpRequest) -> HttpResponse:
    """Show the viewer's live games, by whose turn it is, and the latest finished ones."""
    if not isinstance(request.user, Player):
        return render(request, "lobby/games.html", {"is_nobody": True})
    me = request.user
    live = [row(each, me, me) for each in games.list_live(me.pk, me.pk)]
    over = games.list_history(me.pk, Filters(), most=_OVER, viewer_id=me.pk)
    context = {
        "mine": [each for each in live if each["is_to_move"]],
        "waiting": [each for each in live if not each["is_to_move"]],
        "over": [row(each, me, me) for each in over.entries],
        "has_more": bool(over.next),
    }
    return render(request, "lobby/games.html", context)


@require_safe
def download(request: HttpRequest) -> HttpResponseBase:
    """Download the player's games with their moves as JSON lines, live ones first."""
    if not isinstance(request.user, Player):
        return render(request, "403.html", status=403)
    if not is_within_limit(settings.DOWNLOADS_PER_HOUR, "download", str(request.user.pk), _HOUR):
        detail = _(
            "You have downloaded your games several times within the last hour. "
            "Please wait a while."
        )
        return render(request, "429.html", {"detail": detail}, status=429)
    if request.method == "HEAD":
        response: HttpResponseBase = HttpResponse()
    else:
        response = ChunkedResponse(_lines(request.user.pk))
    response.headers["Content-Type"] = "application/jsonl; charset=utf-8"
    response.headers["Content-Disposition"] = 'attachment; filename="games.jsonl"'
    return response


def _lines(player_id: int) -> Iterator[bytes]:
    """Yield the player's games as JSON lines, in chunks of several games."""
    for some in games.list_all_records(player_id):
        if some:
            yield b"".join(json.dumps(each).encode() + b"\n" for each in some)
