"""The standings of a running tournament."""

import pytest
from django.db.models import Q
from django.test import Client
from django.utils import timezone

from lobby.models import Pairing, Player, Rating
from lobby.tournaments import late_entry
from lobby.tournaments.queries import compute_table, count_complete_rounds
from tests.builders.players import create_players
from tests.builders.tournaments import (
    create_tournament,
    end_match,
    join_players,
    list_live_pairings,
    play_round,
    run_due_steps,
    start_tournament,
)

pytestmark = pytest.mark.django_db


def test_who_has_no_rating_has_none_in_the_tournament_and_its_report() -> None:
    players = create_players(4)
    rated(players[3], 1620.4)
    tournament = create_tournament(players[0], "swiss", rounds=2)
    join_players(tournament, players[1:])
    start_tournament(tournament)
    late = late_entry.enter_late_player(
        tournament, late_entry.invite_late_player(tournament, players[0], []), []
    )
    assert late.rating is None
    seeded = tournament.entries.order_by("seed").values_list("player__username", "rating")
    assert list(seeded) == [
        ("Player 04", 1620.4), ("Player 02", None), ("Player 03", None), ("Player 01", None),
    ]  # fmt: skip
    play_round(tournament)
    report = Client().get(f"/tournaments/{tournament.pk}/results.trf").content.decode()
    lines = report.split("\r\n")
    assert "072 1" in lines
    assert [line[48:52] for line in lines if line.startswith("001")] == ["1620", *["    "] * 3]


def rated(player: Player, rating: float) -> None:
    Rating.objects.create(
        player=player, game="six-in-a-row", rating=rating, deviation=60, volatility=0.06, games=9,
        best=rating, streak=0, longest=0, key="x", rated_at=timezone.now(),
    )  # fmt: skip


def test_who_still_plays_is_not_reckoned_as_away() -> None:
    players = create_players(4)
    tournament = create_tournament(players[0], "swiss", rounds=3, tie_breaks=("buchholz",))
    join_players(tournament, players)
    start_tournament(tournament)
    play_round(tournament)
    assert (tournament.round, count_complete_rounds(tournament)) == (2, 1)
    before = {row.entry: row for row in compute_table(tournament)}
    assert {row.tie_breaks for row in before.values()} == {(0.0,), (1.0,)}  # one opponent each
    still, decided = list_live_pairings(tournament)  # players with a point still play
    assert decided.match is not None
    end_match(decided.match, "first")
    run_due_steps()
    rows = {row.entry: row for row in compute_table(tournament)}
    assert count_complete_rounds(tournament) == 1
    winner = decided.first_id
    assert rows[winner].points == before[winner].points + 100
    for entry in (still.first_id, still.second_id):
        assert entry is not None
        first = Pairing.objects.get(Q(first=entry) | Q(second=entry), round=1)
        opponent = first.second_id if first.first_id == entry else first.first_id
        assert opponent is not None
        assert rows[entry].tie_breaks == (rows[opponent].points / 100,)  # and no dummy opponent
    play_round(tournament)
    assert count_complete_rounds(tournament) == 2
