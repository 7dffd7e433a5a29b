"""Open seeks that match each other."""

import pytest

from games.match.setup import Setup
from lobby.accounts.guests import new_guest
from lobby.seeks import matchmaking

pytestmark = pytest.mark.django_db


def test_only_seeks_for_the_same_game_and_clock_are_candidates() -> None:
    alice, bob, charlie = (new_guest().pk for _ in range(3))
    own = matchmaking.create_seek(alice, Setup("six-in-a-row", "3+2"))
    for game, clock in (
        ("six-in-a-row", ""),
        ("six-in-a-row", "5+3"),
        ("dots-and-boxes", "3+2"),
    ):
        matchmaking.create_seek(bob, Setup(game, clock))
    same = matchmaking.create_seek(charlie, own.setup)
    found = matchmaking.list_candidates(own)
    assert [(each.seek_id, each.player_id) for each in found] == [(same.pk, charlie)]
