"""A player's ratings in all games, and the rating in one game by day, with its chart."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from django.db.models import Q
from django.utils import timezone
from msgspec import Struct

from lobby.models import Rating
from lobby.ratings.ledger import Kind, get_current_revisions
from lobby.ratings.standing import CurrentRating, build_current_rating, format_rating

DAYS = 365
_GAMES = 3000  # the maximum number of games that are read for each seat
_WIDTH, _HEIGHT, _LEFT = 640, 200, 66


class Day(Struct, frozen=True):
    """A day (UTC) on which rated games of a player ended. Refunds count as games.

    `rating` and its text `shown` are those after the last game, and `change` is the change over the
    day.
    """

    day: date
    rating: float
    shown: str
    change: int
    games: int


class GameRating(Struct, frozen=True):
    """A player's rating in one game."""

    game: str
    standing: CurrentRating
    best: str  # "" if the rating was always provisional
    streak: int
    longest: int


def list_game_ratings(player_id: int) -> list[GameRating]:
    """Return the player's rating in each game, starting with the game that was last played."""
    now = timezone.now()
    rows = Rating.objects.filter(player=player_id).order_by("-rated_at")
    return [
        GameRating(
            row.game,
            build_current_rating(row, now),
            f"{row.best:.0f}" if row.best else "",
            row.streak,
            row.longest,
        )
        for row in rows
    ]


def rating_history(player_id: int, game: str) -> list[Day]:
    """Return the days of the last year on which rated games of the player ended, oldest first."""
    since = timezone.now() - timedelta(days=DAYS)
    rows = (
        get_current_revisions(game)
        .exclude(kind=Kind.REVERSED)
        .filter(at__gt=since)
        .order_by("-at", "-lot")
    )
    found: list[tuple[datetime, float, float, float]] = []
    for side, mine in (("first", Q(first=player_id)), ("second", Q(second=player_id))):
        columns = (f"{side}_rating", f"{side}_new_rating", f"{side}_new_deviation")
        found += rows.filter(mine).values_list("at", *columns)[:_GAMES]
    days: dict[date, list[tuple[float, float, float]]] = {}
    for at, *values in sorted(found):
        days.setdefault(at.date(), []).append((values[0], values[1], values[2]))
    return [
        Day(
            day,
            games[-1][1],
            format_rating(games[-1][1], games[-1][2]),
            round(games[-1][1]) - round(games[0][0]),
            len(games),
        )
        for day, games in days.items()
    ]


class ChartLine(Struct, frozen=True):
    """The line of a rating chart with the given size, and the ratings of its grid lines."""

    width: int
    height: int
    left: int
    line: str
    last: tuple[float, float]
    across: list[tuple[float, int]]  # y coordinate and rating of each grid line


def build_chart_line(days: Sequence[Day]) -> ChartLine | None:
    """Return the line of the chart, or None if there are fewer than two days."""
    if len(days) < 2:
        return None
    low, high = min(day.rating for day in days), max(day.rating for day in days)
    step = next(step for step in (20, 50, 100, 200, 500, 1000) if high - low < 5 * step)
    bottom, top = low // step * step, (high // step + 1) * step
    first, span = days[0].day, max(1, (days[-1].day - days[0].day).days)

    def down(rating: float) -> float:
        return round(_HEIGHT * (top - rating) / (top - bottom), 1)

    places = [
        (round(_LEFT + (_WIDTH - _LEFT) * (each.day - first).days / span, 1), down(each.rating))
        for each in days
    ]
    marks = range(int(bottom), int(top) + 1, step)
    return ChartLine(
        _WIDTH,
        _HEIGHT,
        _LEFT,
        " ".join(f"{x},{y}" for x, y in places),
        places[-1],
        [(down(mark), mark) for mark in marks],
    )
