"""Pages that teach the games."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from games.boards import BOARDS
from games.lessons import LESSONS
from games.messages import get_game_name
from games.rules import GAMES, LISTED_GAMES


@require_safe
def list_games(request: HttpRequest) -> HttpResponse:
    """List the games, each with a typical position from its lesson, or else its start position."""
    shown = [
        {
            "slug": game.slug,
            "name": get_game_name(game.slug),
            "summary": gettext(BOARDS[game.slug].summary),
            "position": LESSONS[game.slug].typical if game.slug in LESSONS else game.start,
        }
        for game in map(GAMES.__getitem__, LISTED_GAMES)
    ]
    return render(request, "games/rules_index.html", {"games": shown})


@require_safe
def show_game(request: HttpRequest, slug: str) -> HttpResponse:
    """Show how a game is played."""
    if slug not in GAMES:
        raise Http404
    context = {
        "game": {"slug": slug, "name": get_game_name(slug)},
        "summary": gettext(BOARDS[slug].summary),
        "games": [{"slug": other, "name": get_game_name(other)} for other in LISTED_GAMES],
    }
    return render(request, "games/rules.html", context)
