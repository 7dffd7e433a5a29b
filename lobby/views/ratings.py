"""Pages with leaderboards, the distribution of a game's ratings, and the computer's ratings."""

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from games.match.setup import RATED_GAMES
from games.messages import build_message, get_game_name
from games.messages import render as render_message
from games.rules import GAMES, LISTED_GAMES
from lobby.models import Player, RoleAdvantage
from lobby.ratings import leaderboards, levels
from lobby.ratings.advantage import LEAST_GAMES
from lobby.ratings.eligibility import MOST_OF_A_PAIR

_BEST = 10  # players listed for each game on the page of all games
_BEST_BOTS = 50  # bots listed for each game on the page of bots
_WIDTH, _HEIGHT = 640, 140  # size of the drawing


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show the best players of each game, and the viewer's rank."""
    viewer = _viewer_id(request)
    games = [
        {
            "slug": slug,
            "name": get_game_name(slug),
            "leaders": leaderboards.get_leaderboard(slug, viewer, _BEST),
            "own": None if viewer is None else leaderboards.get_rank(slug, viewer),
        }
        for slug in LISTED_GAMES
        if slug in RATED_GAMES
    ]
    context = {
        "games": games,
        "most_of_a_pair": MOST_OF_A_PAIR,
        "unrated": [get_game_name(slug) for slug in LISTED_GAMES if slug not in RATED_GAMES],
        "same_network_is_rated": settings.RATED_ON_SAME_NETWORK,
    }
    return render(request, "lobby/ratings.html", context)


@require_safe
def bots(request: HttpRequest) -> HttpResponse:
    """Show the best bots of each game, which are rated separately from people."""
    games = [
        {
            "slug": slug,
            "name": get_game_name(slug),
            "leaders": leaderboards.get_leaderboard(slug, most=_BEST_BOTS, bots=True),
        }
        for slug in LISTED_GAMES
        if slug in RATED_GAMES
    ]
    return render(request, "lobby/ratings_of_bots.html", {"games": games})


@require_safe
def board(request: HttpRequest, game: str) -> HttpResponse:
    """Show the leaderboard of a game, the distribution of its ratings, and the viewer's place."""
    if game not in RATED_GAMES:
        raise Http404
    viewer = _viewer_id(request)
    own = None if viewer is None else leaderboards.get_rank(game, viewer)
    leaders = leaderboards.get_leaderboard(game, viewer)
    context = {
        "slug": game,
        "name": get_game_name(game),
        "leaders": leaders,
        "own": own,
        "is_listed": any(place.is_me for place in leaders),
        "chart": _drawn(leaderboards.get_distribution(game), own),
        "balanced": GAMES[game].is_balanced,
        "advantage": _advantage(game),
        "least_games": LEAST_GAMES,
        "levels": [
            render_message(
                build_message("level.rating", level=build_message(f"level.{level}"), rating=rating)
            )
            for level, rating in sorted(levels.get_level_ratings([game]).get(game, {}).items())
        ],
    }
    return render(request, "lobby/leaderboard.html", context)


def _viewer_id(request: HttpRequest) -> int | None:
    return request.user.pk if isinstance(request.user, Player) else None


def _advantage(game: str) -> dict[str, Any] | None:
    """Return the advantage of one of the roles in points, and the number of games it is based on.

    `begins` is True if the role with the advantage makes the first move. Return None if no
    advantage is known.
    """
    newest = RoleAdvantage.objects.filter(game=game, at__lte=timezone.now()).order_by("-at")
    fit = newest.first()
    if fit is None or not fit.advantage:
        return None
    rules = GAMES[game]
    points = fit.advantage if rules.start.turn == rules.roles[0] else -fit.advantage
    return {"points": abs(round(points)), "begins": points > 0, "games": fit.games}


def _drawn(counts: dict[int, int], own: leaderboards.PlayerRank | None) -> dict[str, Any] | None:
    """Return the template context of the chart, or None without data.

    It has a bar for each step of ratings, and the viewer's own rating.
    """
    if not counts:
        return None
    low, high = min(counts), max(counts) + leaderboards.STEP
    scale, most = _WIDTH / (high - low), max(counts.values())
    bars = [
        {
            "x": round((step - low) * scale, 1),
            "width": round(leaderboards.STEP * scale - 1, 1),
            "y": round(_HEIGHT * (1 - count / most), 1),
            "height": round(_HEIGHT * count / most, 1),
        }
        for step, count in counts.items()
    ]
    mine = None
    if own is not None and low <= own.standing.rating <= high:
        mine = round((own.standing.rating - low) * scale, 1)
    rows = [(step, step + leaderboards.STEP - 1, count) for step, count in counts.items()]
    return {
        "width": _WIDTH,
        "height": _HEIGHT,
        "bars": bars,
        "mine": mine,
        "low": low,
        "high": high,
        "rows": rows,
        "players": sum(counts.values()),
    }
