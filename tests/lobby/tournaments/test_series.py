"""Series: the next tournament is created only once, and the season sums the results."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.messages.refusal import Refused
from lobby.models import Series, Tournament
from lobby.tournaments import organiser_actions, series
from lobby.tournaments.queries import compute_series_table
from tests.builders.players import create_players
from tests.builders.tournaments import (
    create_tournament,
    join_players,
    play_tournament,
    run_due_steps,
    start_tournament,
)

pytestmark = pytest.mark.django_db


def test_the_next_one_is_there_when_one_is_over_and_once() -> None:
    players = create_players(3)
    first = create_tournament(players[0], "swiss", rounds=7, registration="code")
    starts = first.starts_at
    weekly = series.create_series(players[0], first.pk, "Thursdays")
    join_players(first, players)
    first.refresh_from_db()
    start_tournament(first)
    play_tournament(first)
    (_, second) = series.list_series_tournaments(weekly)
    assert second.starts_at == starts + timedelta(days=7)
    assert (second.number, second.state, second.rounds) == (2, "registration", 7)
    assert second.code and second.code != first.code
    for _ in range(2):
        series.create_next_tournament(first, timezone.now())
    assert Tournament.objects.filter(series=weekly).count() == 2


def test_a_series_ends_after_its_length_or_when_it_is_ended() -> None:
    players = create_players(2)
    one = create_tournament(players[0], "round-robin")
    weekly = series.create_series(players[0], one.pk, "Twice", 7, 0, 2)
    for _ in range(2):
        last = series.list_series_tournaments(weekly)[-1]
        organiser_actions.cancel_before_start(players[0], last.pk)
        run_due_steps()
    assert [each.number for each in series.list_series_tournaments(weekly)] == [1, 2]
    series.update_series(players[0], weekly.pk, "Twice", 0, 0, 0)
    assert Series.objects.get().next_at is None
    with pytest.raises(Refused):
        series.update_series(players[1], weekly.pk, "Mine", 7, 0, 0)


def test_a_season_counts_the_best_of_each() -> None:
    players = create_players(3)
    one = create_tournament(players[0], "round-robin")
    weekly = series.create_series(players[0], one.pk, "Season", 7, best=2)
    for number in range(3):
        tournament = series.list_series_tournaments(weekly)[-1]
        join_players(tournament, players[: 3 if number else 2])
        start_tournament(tournament)
        play_tournament(tournament)
    table = compute_series_table(weekly)
    assert [line.player for line in table] == [each.pk for each in players]
    assert table[0].results == (100, 200, 200) and table[0].total == 400
    assert table[2].results == (None, 0, 0)
    first = Client().get(f"/tournaments/series/{weekly.pk}/").context["tournaments"][-1]
    assert first["players"] == "2 players", "players are counted after the end, too"
