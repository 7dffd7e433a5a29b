"""Ratings recomputed from the matches, to compare with the stored ones."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from games.models import Match
from lobby.models import Rating
from lobby.ratings.glicko import Strength, rate_game, widen_deviation

DAY = timedelta(days=1)


def replay_ratings(games: Iterable[tuple[int, int, float, datetime]]) -> dict[int, Strength]:
    """Rate games in this order: (first player, second player, score of the first, end)."""
    found: dict[int, tuple[Strength, datetime]] = {}
    for first, second, score, at in games:
        now = []
        for player in (first, second):
            strength, since = found.get(player, (Strength(), at))
            now.append(widen_deviation(strength, (at - since) / DAY))
        for player, strength in zip((first, second), rate_game(*now, score), strict=True):
            found[player] = strength, at
    return {player: strength for player, (strength, _) in found.items()}


def list_rated_results() -> list[tuple[int, int, float, datetime]]:
    """List the rated matches with a result as games, in the order in which they ended."""
    over = Match.objects.filter(rated=True, status="over").exclude(ended="voided")
    found = []
    for match in over.order_by("ended_at"):
        assert match.first_goal is not None and match.second_goal is not None and match.ended_at
        difference = match.first_goal - match.second_goal
        score = 0.5 if difference == 0 else 1.0 if difference > 0 else 0.0
        found.append((match.first_id, match.second_id, score, match.ended_at))
    return found


def get_stored_ratings(game: str = "six-in-a-row") -> dict[int, Strength]:
    rows = Rating.objects.filter(game=game)
    return {row.player_id: Strength(row.rating, row.deviation, row.volatility) for row in rows}
