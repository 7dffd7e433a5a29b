"""Pages of the player's live and finished games, and a download of all games."""

import json
from collections.abc import Iterator

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from games.runtime.limiter import is_within_limit
from games.runtime.streaming import ChunkedResponse
from lobby.models import Player
from lobby.players import games
from lobby.players.games import Filters
from lobby.views.profile import row

_HOUR = 60  # minutes
_OVER = 20  # finished games on the page; the profile has all of them


@require_safe
@ensure_csrf_cookie
def own_games(request: HttpRequest) -> HttpResponse:
    """Show the player's live games, by whose turn it is, and the latest finished ones."""
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
    """Download all of the player's games and their moves as JSON lines, live ones first."""
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
    """Yield the player's games as JSON lines, one non-empty chunk for each query."""
    for some in games.list_all_records(player_id):
        if some:
            yield b"".join(json.dumps(each).encode() + b"\n" for each in some)
