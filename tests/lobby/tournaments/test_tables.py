"""The table of a tournament while it goes on."""

import pytest
from django.db.models import Q

from lobby.models import Pairing
from lobby.tournaments.reading import rounds_over, table
from tests.lobby.tournaments.people import (
    begin,
    decide,
    event,
    go,
    join_all,
    live,
    people,
    play_round,
)

pytestmark = pytest.mark.django_db


def test_who_still_plays_is_not_reckoned_as_away() -> None:
    players = people(4)
    tournament = event(players[0], "swiss", rounds=3, tie_breaks=("buchholz",))
    join_all(tournament, players)
    begin(tournament)
    play_round(tournament)
    assert (tournament.round, rounds_over(tournament)) == (2, 1)
    before = {row.entry: row for row in table(tournament)}
    assert {row.tie_breaks for row in before.values()} == {(0.0,), (1.0,)}  # one opponent each
    still, decided = live(tournament)  # those who have a point still play
    assert decided.match is not None
    decide(decided.match, "first")
    go()
    rows = {row.entry: row for row in table(tournament)}
    assert rounds_over(tournament) == 1
    winner = decided.first_id
    assert rows[winner].points == before[winner].points + 100
    for entry in (still.first_id, still.second_id):
        assert entry is not None
        first = Pairing.objects.get(Q(first=entry) | Q(second=entry), round=1)
        opponent = first.second_id if first.first_id == entry else first.first_id
        assert opponent is not None
        assert rows[entry].tie_breaks == (rows[opponent].points / 100,)  # and no dummy
    play_round(tournament)
    assert rounds_over(tournament) == 2
