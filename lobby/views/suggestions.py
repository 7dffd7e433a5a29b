"""Suggestions for a page without live games: a puzzle, and good finished games."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils import timezone
from msgspec.structs import asdict

from games.boards import BOARDS
from games.lessons import LESSONS
from games.lessons.lesson import play_actions
from games.match.outcome import get_outcome, get_outcome_for
from games.messages import get_game_name, render
from games.models import Match
from games.rules import GAMES, Position
from games.store.records import read_with_names
from lobby.live.thumbnails import get_thumbnail
from lobby.ratings.standing import get_standings_in

_NEWEST = 300  # the number of latest finished matches from which suggestions are chosen
_MAX_READ = 20  # the maximum number of matches to read, some of which visitors may not see
_DAY = timedelta(days=1)


def get_puzzle() -> dict[str, Any] | None:
    """Return the puzzle of the day, a position in which a move wins, or None if there is none.

    `url` is a page on which visitors can try the move.
    """
    puzzles = [found for slug in LESSONS if (found := _before_the_win(slug)) is not None]
    if not puzzles:
        return None
    slug, position = puzzles[timezone.localdate().toordinal() % len(puzzles)]
    return {
        "game": slug,
        "name": get_game_name(slug),
        "diagram": position.diagram,
        "mark": BOARDS[slug].badge(position, position.turn or ""),
        "url": reverse("analysis-position", args=[slug, position.notation]),
    }


def _before_the_win(slug: str) -> tuple[str, Position] | None:
    """Return the position before the last move of the lesson's main picture, if that move wins.

    Return None otherwise.
    """
    lesson = LESSONS[slug]
    *before, last = lesson.pictures[lesson.shows].actions
    position = play_actions(slug, before)
    goals = position.play(last).goals
    # More than half of the 100 points.
    is_won = goals is not None and goals[position.turn or ""] > 50
    return (slug, position) if is_won else None


class _Finished(NamedTuple):
    """A match between two people that was neither voided nor too short."""

    pk: str
    game: str
    ended: str
    ply: int
    is_rated: bool
    is_won: bool
    players: tuple[int, int]


def get_last_good_game() -> dict[str, Any] | None:
    """Return the last match that was won on the board, or None if the newest matches have none."""
    won = [match for match in _list_newest() if match.ended == Match.Ended.RULES and match.is_won]
    return next(iter(_describe(won, 1)), None)


def list_best_games(limit: int) -> list[dict[str, Any]]:
    """Return the best matches of the last day, at most `limit`.

    Rated matches come first, those of the highest-rated players before others. Casual matches
    follow, the longest first.
    """
    matches = _list_newest(since=timezone.now() - _DAY)
    standings = get_standings_in(
        {(player, match.game) for match in matches if match.is_rated for player in match.players}
    )

    def rank(match: _Finished) -> tuple[float, int]:
        rated = match.players if match.is_rated else ()
        return sum(standings[player, match.game].rating for player in rated), match.ply

    return _describe(sorted(matches, key=rank, reverse=True), limit)


def _list_newest(since: datetime | None = None) -> list[_Finished]:
    """Return the suitable matches among the `_NEWEST` that ended last, newest first.

    The matches are filtered here and not in the query, which would read far more rows to find as
    many.
    """
    ended = (
        Match.objects.filter(ended_at__gte=since) if since else Match.objects.exclude(ended_at=None)
    )
    rows = ended.order_by("-ended_at").values_list(
        *("pk", "game", "status", "ended", "ply", "rated", "first_goal", "second_goal"),
        *("first_level", "second_level", "first_id", "second_id"),
    )[:_NEWEST]
    return [
        _Finished(pk, game, end, ply, rated, goal != other_goal, (first, second))
        for pk, game, status, end, ply, rated, goal, other_goal, level, other, first, second in rows
        if status == Match.Status.OVER and end != Match.Ended.VOIDED and game in GAMES
        if level is None and other is None and ply > GAMES[game].short_plies
    ]


def _describe(matches: Sequence[_Finished], limit: int) -> list[dict[str, Any]]:
    """Return the template context of the first matches that everybody may see."""
    found = read_with_names([match.pk for match in matches[:_MAX_READ]], viewer_id=None)
    chosen = [match for match in matches if match.pk in found][:limit]
    standings = get_standings_in(
        {(player, match.game) for match in chosen if match.is_rated for player in match.players}
    )
    described = []
    for match in chosen:
        state, names = found[match.pk]
        board = get_thumbnail(state.game, state.notation, state.last)
        by_role = dict(zip(state.rules.roles, names, strict=True))
        result = get_outcome(state)
        described.append(
            {
                **asdict(board),
                "match": state.id,
                "game": state.game,
                "game_name": get_game_name(state.game),
                "clock": state.clock,
                "said": render(get_outcome_for(result, by_role)) if result else "",
                "seats": [
                    {
                        "name": name,
                        "rating": standings[player, match.game].shown if match.is_rated else "",
                        "mark": board.badges[role],
                    }
                    for (role, name), player in zip(by_role.items(), match.players, strict=True)
                ],
            }
        )
    return described
