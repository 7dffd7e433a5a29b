"""The rating advantage of each game's first role, fitted from the site's own rated games.

For each game that is not balanced, a value is stored once a day, with the time from which it
applies. Each rated game stores the advantage with which it was rated. Without enough games, the
advantage is 0.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.utils import timezone

from games.match.setup import RATED_GAMES
from games.rules import GAMES
from lobby.models import RoleAdvantage
from lobby.ratings.glicko import PROVISIONAL, Strength, compute_mutual_expected_score
from lobby.ratings.ledger import Kind, LedgerEntry, get_current_revisions, list_entries

LEAST_GAMES = 500
MOST_GAMES = 10_000  # the maximum number of rated games to fit, the latest ones
MOST_ADVANTAGE = 300.0  # the maximum, in rating points

_EVERY = timedelta(hours=24)
_LATER = timedelta(minutes=1)
_STEPS = 20  # bisections, which give a precision of a thousandth of a point


def get_advantage(game: str, at: datetime) -> float:
    """Return the advantage of the first role at the time `at`, in rating points."""
    newest = RoleAdvantage.objects.filter(game=game, at__lte=at).order_by("-at")
    return newest.values_list("advantage", flat=True).first() or 0.0


def fit_advantage(games: Sequence[tuple[Strength, Strength, float]]) -> float:
    """Return the advantage with which the expected scores add up to the actual scores.

    It is between -`MOST_ADVANTAGE` and `MOST_ADVANTAGE`. Each game has the strengths of the first
    and the second player, and the score of the first. Return 0 if there are fewer than
    `LEAST_GAMES`.
    """
    if len(games) < LEAST_GAMES:
        return 0.0
    scored = sum(score for _, _, score in games)
    low, high = -MOST_ADVANTAGE, MOST_ADVANTAGE
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if (
            sum(compute_mutual_expected_score(first, second, middle) for first, second, _ in games)
            < scored
        ):
            low = middle
        else:
            high = middle
    return round((low + high) / 2, 3)


def refit_advantages() -> None:
    """Fit the advantage of each game once a day. The advantage of a balanced game stays 0.

    The new value applies to games that end at least a minute later, so it is stored before any of
    them is rated.
    """
    now = timezone.now()
    for game in RATED_GAMES:
        if GAMES[game].is_balanced:
            continue
        if RoleAdvantage.objects.filter(game=game, at__gt=now - _EVERY).exists():
            continue
        games = [
            (entry.first.before, entry.second.before, entry.score)
            for entry in _list_newest_games(game)
            if entry.second is not None and entry.score is not None
        ]
        RoleAdvantage.objects.create(
            game=game, advantage=fit_advantage(games), games=len(games), at=now + _LATER
        )


def _list_newest_games(game: str) -> list[LedgerEntry]:
    """Return the latest games between two people whose ratings were not provisional.

    There are at most `MOST_GAMES`.
    """
    rows = get_current_revisions(game).filter(
        first_deviation__lt=PROVISIONAL, second_deviation__lt=PROVISIONAL
    )
    rows = rows.exclude(kind=Kind.REVERSED).exclude(first__is_bot=True).order_by("-at", "-lot")
    return list_entries(rows[:MOST_GAMES])
