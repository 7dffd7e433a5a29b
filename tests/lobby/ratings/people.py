"""Rated matches for tests, and what must come of them by a replay of its own."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from games.journal import events
from games.journal.opening import open_match
from games.journal.requests import Request
from games.journal.transaction import commit
from games.match.commands import Resign
from games.match.setup import Setup
from games.models import Match
from lobby.models import Rating
from lobby.ratings.glicko import Strength, after_game, widened
from tests.games.review.conftest import act

DAY = timedelta(days=1)


def deliver() -> None:
    while events.deliver():
        pass


def begin(
    one: Any,
    other: Any,
    game: str = "six-in-a-row",
    clock: str = "3+2",
    rated: bool = True,
    plies: int = 4,
) -> Match:
    """A live match."""
    match = open_match(Setup(game, clock, rated=rated), one.pk, other.pk, timezone.now())
    for ply in range(plies):
        act(match, ply)
    return match


def play(winner: Any, loser: Any, **how: Any) -> Match:
    """A match that the first of the two has won, since the other has resigned. Nobody has heard of
    it yet."""
    match = begin(winner, loser, **how)
    ((answer,), _) = commit([Request(match.pk, loser.pk, Resign())])
    assert answer.refused is None, answer
    match.refresh_from_db()
    return match


def replayed(games: Iterable[tuple[int, int, float, datetime]]) -> dict[int, Strength]:
    """What follows from these games (first, second, score of the first, end), in their order."""
    found: dict[int, tuple[Strength, datetime]] = {}
    for first, second, score, at in games:
        now = []
        for player in (first, second):
            strength, since = found.get(player, (Strength(), at))
            now.append(widened(strength, (at - since) / DAY))
        for player, strength in zip((first, second), after_game(*now, score), strict=True):
            found[player] = strength, at
    return {player: strength for player, (strength, _) in found.items()}


def counting_matches() -> list[tuple[int, int, float, datetime]]:
    """All rated matches that have a result, in the order in which they ended."""
    over = Match.objects.filter(rated=True, status="over").exclude(ended="voided")
    found = []
    for match in over.order_by("ended_at"):
        assert match.first_goal is not None and match.second_goal is not None and match.ended_at
        difference = match.first_goal - match.second_goal
        score = 0.5 if difference == 0 else 1.0 if difference > 0 else 0.0
        found.append((match.first_id, match.second_id, score, match.ended_at))
    return found


def stored(game: str = "six-in-a-row") -> dict[int, Strength]:
    """The ratings as they are stored."""
    rows = Rating.objects.filter(game=game)
    return {row.player_id: Strength(row.rating, row.deviation, row.volatility) for row in rows}
