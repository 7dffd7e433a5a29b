"""The TV page: a few live boards, which are replaced as their matches end.

The most watched one can be embedded in other sites.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe
from msgspec import to_builtins

from games.rules import GAMES
from games.store.records import read_with_names
from games.views.previews import frame, framed
from lobby.live.tv import PLACES, build_changes, get_board_context, read_wall
from lobby.views.suggestions import list_best_games


@require_safe
def wall(request: HttpRequest) -> HttpResponse:
    """Show the most watched matches, and good finished ones if there are few.

    Without scripts, the boards stay as they were when the page was rendered.
    """
    entries = read_wall()
    frame = build_changes(None, {entry.match.match: entry for entry in entries})
    context = {
        "matches": [get_board_context(entry) for entry in entries],
        "free": range(PLACES - len(entries)),
        "best": list_best_games(PLACES) if len(entries) < PLACES else [],
        "games": GAMES,
        "frame": to_builtins(frame, str_keys=True),
    }
    return render(request, "lobby/tv.html", context)


@require_safe
@xframe_options_exempt
def embedded(request: HttpRequest) -> HttpResponse:
    """Show the most watched match, if there is one, for embedding in another site."""
    for entry in read_wall()[:1]:
        match_id = entry.match.match
        found = read_with_names([match_id], viewer_id=None).get(match_id)
        if found is not None:
            return frame(request, *found, is_tv=True)
    return framed(render(request, "games/embed.html", {"tv": True}))
