"""The TV page: a few live boards, replaced as their matches end."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe
from msgspec import to_builtins
from msgspec.structs import asdict

from games.match.clock import describe_clock
from games.match.outcome import get_outcome, get_outcome_for
from games.match.state import MatchState
from games.messages import get_game_name
from games.messages import render as render_message
from games.models import Match
from games.rules import GAMES
from games.store.matches import read_with_names
from games.views.previews import frame, framed
from lobby.live.thumbnails import compare_thumbnails, get_thumbnail
from lobby.live.tv import PLACES, get_board_context, read_wall
from lobby.ratings.standing import get_standings_in

_DAY = timedelta(days=1)
_LOOKED_AT = 300  # of the matches that ended last


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
        "best": _get_best_games() if len(entries) < PLACES else [],
        "games": GAMES,
        "frame": frame,
    }
    return render(request, "lobby/tv.html", context)


def _get_best_games() -> list[dict[str, Any]]:
    """Return the best matches of the last day between two people: those of the highest rated
    players, then the longest.

    They are chosen from the `_LOOKED_AT` newest ones, so that the query is bounded, and everybody
    may see them.
    """
    newest = Match.objects.filter(ended_at__gte=timezone.now() - _DAY).order_by("-ended_at")
    rows = newest.values_list(
        *("pk", "game", "status", "ended", "ply", "first_level", "second_level", "rated"),
        *("first_id", "second_id"),
    )[:_LOOKED_AT]
    played = [
        (pk, game, ply, rated, players)
        for pk, game, status, ended, ply, first, second, rated, *players in rows
        if status == Match.Status.OVER and ended != Match.Ended.VOIDED and game in GAMES
        if first is None and second is None and ply > GAMES[game].short_plies
    ]
    pairs = {(player, game) for _, game, _, rated, players in played if rated for player in players}
    standings = get_standings_in(pairs)

    def rank(match: tuple[str, str, int, bool, list[int]]) -> tuple[float, int]:
        _, game, ply, rated, players = match
        return (sum(standings[each, game].rating for each in players) if rated else 0.0), ply

    played.sort(key=rank, reverse=True)
    found = read_with_names([match[0] for match in played[: 2 * PLACES]], viewer_id=None)
    best = [match for match in played if match[0] in found][:PLACES]
    return [
        _describe(
            *found[pk],
            [standings[each, game].shown if rated else "" for each in players],
        )
        for pk, game, _, rated, players in best
    ]


def _describe(state: MatchState, names: tuple[str, str], ratings: Sequence[str]) -> dict[str, Any]:
    """Return the template context of a finished match."""
    board = get_thumbnail(state.game, state.notation, state.last)
    result = get_outcome(state)
    by_role = dict(zip(state.rules.roles, names, strict=True))
    return {
        **asdict(board),
        "match": state.id,
        "game": state.game,
        "game_name": get_game_name(state.game),
        "clock": render_message(describe_clock(state.clock)),
        "said": render_message(get_outcome_for(result, by_role)) if result else "",
        "seats": [
            {"name": name, "rating": rating, "mark": board.badges[role]}
            for (role, name), rating in zip(by_role.items(), ratings, strict=True)
        ],
    }


@require_safe
@xframe_options_exempt
def embedded(request: HttpRequest) -> HttpResponse:
    """Show the most watched match for embedding in another site."""
    for match, _ in read_wall()[:1]:
        found = read_with_names([match.match], viewer_id=None).get(match.match)
        if found is not None:
            return frame(request, *found, is_tv=True)
    return framed(render(request, "games/embed.html", {"tv": True}))
