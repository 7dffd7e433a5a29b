"""A sign about rated games appears from its threshold on, and not below it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.messages import render
from games.models import Match, Sign
from games.review import sign_search
from lobby.models import Player, RatedGame
from lobby.ratings import signs
from lobby.ratings.glicko import Strength
from lobby.ratings.ledger import LedgerEntry
from lobby.ratings.player_rating import RatingSide
from lobby.ratings.signs import PlayerGame
from tests.builders.matches import create_rated_win, deliver_events
from tests.builders.pages import remove_isolates
from tests.builders.players import create_player

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
ME = 1


def side(rating: float, deviation: float = 60, games: int = 50) -> RatingSide:
    strength = Strength(rating, deviation, 0.06)
    return RatingSide(None, strength, strength, games, 0.0, 0, 0)


def game(
    score: float,
    mine: float = 1600,
    other: float = 1600,
    plies: int = 40,
    opponent: int = 2,
    ago: int = 0,
    deviation: float = 60,
) -> PlayerGame:
    entry = LedgerEntry(
        f"m{ago}", 0, "rated", "six-in-a-row", ME, opponent, score, 0.0, 1,
        NOW - timedelta(hours=ago), 0, None, side(mine, deviation), side(other),
    )  # fmt: skip
    return PlayerGame(entry, ME, plies)


def test_games_lost_soon_to_weaker_players() -> None:
    lost = [game(0, 1800, 1500, plies=6, ago=i) for i in range(3)]
    others = [game(1, ago=10 + i) for i in range(4)]
    said = signs.find_deliberate_losses([*lost, *others])
    assert said is not None and "Lost 3 of the last 7" in remove_isolates(render(said))
    assert signs.find_deliberate_losses([*lost[:2], *others]) is None
    assert signs.find_deliberate_losses([*others, *lost]) is None  # the newest game was won
    assert signs.find_deliberate_losses([game(0, 1500, 1800, plies=6) for _ in range(7)]) is None
    assert signs.find_deliberate_losses([game(0, 1800, 1500, plies=60) for _ in range(7)]) is None


@pytest.mark.django_db
def test_points_from_few_easy_opponents() -> None:
    known = [create_player(f"player {i}") for i in range(4)]
    Player.objects.update(date_joined=NOW - timedelta(days=400))
    few = [game(1, plies=5, opponent=known[i % 2].pk, ago=i) for i in range(10)]
    assert signs.find_farming(few) is not None
    assert signs.find_farming(few[:9]) is None
    assert signs.find_farming([game(1, plies=40, opponent=known[0].pk) for _ in range(10)]) is None
    many = [game(1, plies=5, opponent=known[i % 4].pk) for i in range(12)]
    assert signs.find_farming(many) is None
    Player.objects.filter(pk=known[0].pk).update(date_joined=NOW - timedelta(days=2))
    assert (
        signs.find_farming([game(1, plies=40, opponent=known[0].pk) for _ in range(10)]) is not None
    )


def test_results_far_above_the_rating() -> None:
    won = [game(1, 1500, 1700, ago=i) for i in range(15)]
    said = signs.find_sudden_strength(won)
    assert said is not None and "15 points in the last 15" in remove_isolates(render(said))
    assert signs.find_sudden_strength(won[:14]) is None
    assert signs.find_sudden_strength([game(i % 2, ago=i) for i in range(15)]) is None
    assert signs.find_sudden_strength([game(1, 2100, 1500, ago=i) for i in range(15)]) is None


def test_a_rating_that_stays_uncertain() -> None:
    assert signs.find_rating_manipulation(game(1, deviation=120).entry, ME) is not None
    assert signs.find_rating_manipulation(game(1, deviation=60).entry, ME) is None


@pytest.mark.django_db
def test_they_come_with_the_search_of_a_rated_match_once_a_month(alice: Any, bob: Any) -> None:
    Player.objects.update(date_joined=timezone.now() - timedelta(days=1))
    for _ in range(signs.FARM_FROM):
        create_rated_win(alice, bob)
        deliver_events()
    assert RatedGame.objects.count() == signs.FARM_FROM
    for _ in range(2):
        sign_search.search_all(timezone.now() - timedelta(days=1))
    (sign,) = Sign.objects.filter(kind="farming")
    assert sign.player_id == alice.pk and sign.match_id == Match.objects.latest("ended_at").pk
    assert not Sign.objects.filter(player=bob, kind="farming").exists()
