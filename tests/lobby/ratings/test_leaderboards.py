"""Leaderboards, a player's rank, the distribution of ratings, and rating charts."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from games.models import Match
from games.review import decisions
from lobby.models import Player, Rating, RatingSpread, RoleAdvantage
from lobby.ratings import leaderboards, rating, rating_history
from lobby.ratings.advantage import fit_advantage, get_advantage, refit_advantages
from lobby.ratings.glicko import Strength, compute_mutual_expected_score
from tests.builders.groups import create_group
from tests.builders.matches import create_rated_win
from tests.builders.players import create_organiser, create_player

pytestmark = pytest.mark.django_db

SIX, DOTS, PARALLEL = "six-in-a-row", "dots-and-boxes", "parallel-tic-tac-toe"


def rated(name: str, points: float, deviation: float = 60, days: float = 1) -> Player:
    """Create a player with a rating, whose last two games were this many days ago."""
    made: Player = create_player(name)
    at = timezone.now() - timedelta(days=days)
    Rating.objects.create(
        player=made, game=SIX, rating=points, deviation=deviation, volatility=0.06, games=30,
        best=points, streak=2, longest=5, key=f"k{made.pk}", rated_at=at, previous_at=at,
        listed_until=at + timedelta(days=30) if deviation < 75 else None,
    )  # fmt: skip
    return made


def test_the_strongest_who_are_certain_and_have_played_lately_are_listed() -> None:
    rated("strong", 1900)
    rated("stronger", 2000)
    rated("uncertain", 2500, deviation=90)
    rated("away", 2400, days=40)
    weak = rated("weak", 1400)
    found = leaderboards.get_leaderboard(SIX, weak.pk)
    assert [(p.rank, p.name, p.shown) for p in found] == [
        (1, "stronger", "2000"), (2, "strong", "1900"), (3, "weak", "1400")
    ]  # fmt: skip
    assert [p.is_me for p in found] == [False, False, True]
    assert [p.name for p in leaderboards.get_leaderboard(SIX, most=1)] == ["stronger"]
    own = leaderboards.get_rank(SIX, weak.pk)
    assert own is not None and own.rank == 3
    leaderboards.unlist_inactive_players()
    assert Rating.objects.filter(listed_until__isnull=False).count() == 3


def test_bots_have_a_page_of_their_own() -> None:
    rated("person", 1900)
    Player.objects.filter(pk=rated("tinker", 2000).pk).update(is_bot=True)
    people, bots = (Client().get(path).content.decode() for path in ("/ratings/", "/ratings/bots/"))
    assert 'href="/ratings/bots/"' in people
    assert "/player/person/" in people and "/player/tinker/" not in people
    assert "/player/tinker/" in bots and "/player/person/" not in bots
    assert "2000" in bots


def test_minors_are_on_no_leaderboard_and_see_their_own_place() -> None:
    rated("strong", 1900)
    minor = rated("minor", 2000)
    create_group(create_organiser(), minor, for_minors=True)
    assert [place.name for place in leaderboards.get_leaderboard(SIX, minor.pk)] == ["strong"]
    own = leaderboards.get_rank(SIX, minor.pk)
    assert own is not None and own.standing.rating == 2000


def test_suspended_and_closed_accounts_are_not_listed(rita: Any) -> None:
    strong, gone, other = rated("strong", 1900), rated("gone", 1800), rated("other", 1700)
    decisions.suspend_player(rita, strong.pk, "Outside help.", 0, 7)
    Player.objects.filter(pk=gone.pk).update(is_active=False)
    assert [(p.rank, p.name) for p in leaderboards.get_leaderboard(SIX, other.pk)] == [(1, "other")]


def test_the_share_of_weaker_players_is_counted() -> None:
    me = rated("alice", 1610)
    for i in range(8):
        rated(f"player {i}", 1300 + 50 * i)
    rated("newcomer", 1500, deviation=200)
    leaderboards.update_distributions()
    assert sum(leaderboards.get_distribution(SIX).values()) == 9
    own = leaderboards.get_rank(SIX, me.pk)
    assert (
        own is not None and own.better_than == 80
    )  # 6 of 8 in lower steps, and part of those in the same step
    before = RatingSpread.objects.get(game=SIX).at
    leaderboards.update_distributions()  # shortly afterwards
    assert RatingSpread.objects.get(game=SIX).at == before
    assert leaderboards.get_percentile("dots-and-boxes", 1500) is None


def test_the_pages(alice: Any, bob: Any, client: Client) -> None:
    create_rated_win(alice, bob)
    rating.rate_matches([Match.objects.get().pk])
    rated("strong", 1900)
    leaderboards.update_distributions()
    RoleAdvantage.objects.create(game=DOTS, advantage=12.4, games=700, at=timezone.now())
    client.force_login(alice)
    text = client.get("/ratings/").content.decode()
    assert "1741?" in text and "strong" in text and "Tic-Tac-Toe has no ratings" in text
    assert "already played 20 rated" in text and "same network address" in text
    text = client.get(f"/ratings/{SIX}/").content.decode()
    assert "not ranked" in text and "Moving first is no advantage" in text
    assert re.search(r'<svg\s+class="spread"', text) and "1900\u20131924" in text
    text = client.get(f"/ratings/{DOTS}/").content.decode()
    assert "is worth 12 rating points, measured over 700 games" in text
    text = client.get(f"/ratings/{PARALLEL}/").content.decode()
    assert "is not known yet: this takes 500 games" in text
    assert client.get("/ratings/tic-tac-toe/").status_code == 404
    profile = client.get("/player/alice/").content.decode()
    assert "1741?" in profile and "Show by day" in profile and "+241" in profile
    assert client.get("/player/strong/?rating=nonsense").status_code == 200


def test_a_rating_chart_is_drawn_by_day(alice: Any, bob: Any) -> None:
    for days in (5, 5, 3, 1):
        match = create_rated_win(alice, bob)
        at = timezone.now().replace(hour=12) - timedelta(days=days, minutes=-match.ply)
        Match.objects.filter(pk=match.pk).update(ended_at=at)
        rating.rate_matches([match.pk])
    found = rating_history.rating_history(alice.pk, SIX)
    assert [day.games for day in found] == [2, 1, 1]
    assert found[-1].rating == Rating.objects.get(player=alice).rating
    assert all(day.change > 0 for day in found)
    assert [day.change < 0 for day in rating_history.rating_history(bob.pk, SIX)] == [True] * 3
    drawing = rating_history.build_chart_line(found)
    assert drawing is not None and len(drawing.line.split()) == 3
    heights = [float(point.split(",")[1]) for point in drawing.line.split()]
    assert heights == sorted(heights, reverse=True) and 0 <= heights[-1] <= drawing.height
    assert rating_history.build_chart_line(found[:1]) is None
    (pool,) = rating_history.list_game_ratings(alice.pk)
    assert (pool.streak, pool.longest) == (4, 4)


def test_the_leaderboard_is_read_from_its_index() -> None:
    rows = Rating.objects.filter(game=SIX, listed_until__gt=timezone.now())
    plan = rows.order_by("-rating", "player").values_list("rating", "player")[:200].explain()
    assert "rating_listed" in plan and "rating_listed_until" not in plan, plan
    assert "TEMP B-TREE" not in plan and connection.vendor == "sqlite"


# -- the advantage of a role


def test_the_advantage_of_a_role_is_found() -> None:
    people = [Strength(1400 + 10 * (i % 21), 60, 0.06) for i in range(2000)]
    pairs = list(zip(people, people[7:] + people[:7], strict=True))
    games = [(one, other, compute_mutual_expected_score(one, other, 35.0)) for one, other in pairs]
    assert fit_advantage(games) == pytest.approx(35, abs=0.1)
    assert fit_advantage([(other, one, 1 - score) for one, other, score in games]) == pytest.approx(
        -35, abs=0.1
    )
    assert fit_advantage(games[:499]) == 0.0


def test_a_fit_holds_from_a_minute_later_and_is_made_once_a_day() -> None:
    refit_advantages()
    refit_advantages()
    assert set(RoleAdvantage.objects.values_list("game", flat=True)) == {DOTS, PARALLEL}
    now = timezone.now()
    RoleAdvantage.objects.filter(game=DOTS).update(advantage=20.0)
    assert get_advantage(DOTS, now) == 0.0
    assert get_advantage(DOTS, now + timedelta(minutes=2)) == 20.0
