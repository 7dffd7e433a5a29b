"""The TV page: a few live boards, replaced as their matches end."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe
from msgspec import to_builtins

from games.rules import GAMES
from games.store.matches import read_with_names
from games.views.previews import frame, framed
from lobby.live.thumbnails import compare_thumbnails
from lobby.live.tv import PLACES, get_board_context, read_wall


@require_safe
def wall(request: HttpRequest) -> HttpResponse:
    """Show the wall. Without scripts it stays as it was when the page was rendered."""
    entries = read_wall()
    frame = {
        "matches": [to_builtins(match) for match, _ in entries],
        "boards": [
            to_builtins(compare_thumbnails(match.match, match.game, None, board), str_keys=True)
            for match, board in entries
        ],
    }
    context = {
        "matches": [get_board_context(match, board) for match, board in entries],
        "free": range(PLACES - len(entries)),
        "games": GAMES,
        "frame": frame,
    }
    return render(request, "lobby/tv.html", context)


@require_safe
@xframe_options_exempt
def embedded(request: HttpRequest) -> HttpResponse:
    """Show the most watched match for embedding in another site."""
    for match, _ in read_wall()[:1]:
        found = read_with_names([match.match], viewer_id=None).get(match.match)
        if found is not None:
            return frame(request, *found, is_tv=True)
    return framed(render(request, "games/embed.html", {"tv": True}))
