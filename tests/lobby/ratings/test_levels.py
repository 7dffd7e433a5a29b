"""The ratings of computer levels, computed from games against people with known ratings."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.match.commands import Resign
from games.match.setup import Setup
from games.models import Match
from games.review import decisions
from lobby.models import ComputerGame, LevelRating, RatedGame, Rating
from lobby.ratings import levels
from lobby.ratings.glicko import Strength, compute_mutual_expected_score
from lobby.seeks.computer import get_computer, play_computer
from tests.builders.matches import commit_command, deliver_events
from tests.builders.players import create_player

pytestmark = pytest.mark.django_db

SIX = "six-in-a-row"


def known(who: Any, rating: float, deviation: float = 60) -> None:
    Rating.objects.create(
        player=who, game=SIX, rating=rating, deviation=deviation, volatility=0.06, games=30,
        best=rating, streak=0, longest=0, key=f"k{who.pk}", rated_at=timezone.now(),
    )  # fmt: skip


def lost(who: Any, level: int = 3) -> Match:
    """Create a match that the person resigned after both had acted."""
    match = play_computer(who.pk, Setup(SIX), level, side="theirs")
    Match.objects.filter(pk=match.pk).update(acted=3)
    commit_command(match, who.pk, Resign())
    deliver_events()
    return match


def test_games_of_people_whose_rating_is_known_are_noted(alice: Any, rita: Any) -> None:
    lost(alice)
    assert not ComputerGame.objects.exists()
    known(alice, 1650)
    match = lost(alice)
    (row,) = ComputerGame.objects.all()
    assert (row.match_id, row.level, row.seat, row.score) == (match.pk, 3, 0, 1.0)
    assert row.rating == 1650 and row.person_id == alice.pk
    assert not RatedGame.objects.exists() and Rating.objects.get(player=alice).rating == 1650
    decisions.void_match(rita, match.pk, "A test.", 0)
    deliver_events()
    assert not ComputerGame.objects.exists()


def test_a_level_has_the_rating_that_explains_its_games() -> None:
    games = [
        ComputerGame(rating=1400 + 20 * i, deviation=60, seat=i % 2, score=score)
        for i in range(30)
        for score in [
            compute_mutual_expected_score(Strength(1750, 0), Strength(1400 + 20 * i, 60), 0)
        ]
    ]
    assert levels.fit_level_rating(games) == pytest.approx(1750, abs=15)
    for each in games:
        each.score = 1.0
    assert 2000 < levels.fit_level_rating(games) < 3200


def test_a_level_rating_needs_enough_games_and_people(client: Client) -> None:
    people = [create_player(f"player {i}") for i in range(5)]
    host = get_computer(2)
    now = timezone.now()
    for i in range(levels.LEAST_GAMES):
        one = people[i % 5]
        match = Match.objects.create(
            game=SIX, first=one, second=host, second_level=2, status="over", ended="resignation",
            ended_at=now, created_at=now, acted_at=now, notation="",
        )  # fmt: skip
        ComputerGame.objects.create(
            match=match, game=SIX, level=2, person=one, seat=1, score=i % 2, rating=1512,
            deviation=50, at=now,
        )  # fmt: skip
        if i == levels.LEAST_GAMES - 2:
            levels.rate_levels()
            assert not LevelRating.objects.exists()
    levels.rate_levels()
    assert levels.get_level_ratings([SIX]) == {SIX: {2: 1500}}
    ComputerGame.objects.update(score=1)
    levels.rate_levels()  # on the same day
    assert levels.get_level_ratings([SIX]) == {SIX: {2: 1500}}
    LevelRating.objects.update(at=now - timedelta(days=2))
    levels.rate_levels()
    assert levels.get_level_ratings([SIX])[SIX][2] > 1700
    rating = levels.get_level_ratings([SIX])[SIX][2]
    assert f'data-computer="2:{rating} "' in client.get("/").content.decode()
    ratings = client.get(f"/ratings/{SIX}/").content.decode()
    assert f"about {rating}" in ratings.replace("\u2068", "").replace("\u2069", "")
