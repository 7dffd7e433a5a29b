"""A step computed from outdated data is not stored, and two forfeits exclude a player."""

from typing import Any

import pytest
from django.utils import timezone

from lobby.models import Entry, Pairing, Round, Tournament
from lobby.tournaments import lifecycle, organiser_actions, registration
from lobby.tournaments.field import compute_pairs
from lobby.tournaments.plan import PairRound
from tests.builders.players import create_player, create_players
from tests.builders.tournaments import (
    create_tournament,
    join_players,
    list_live_pairings,
    play_round,
    run_due_steps,
    start_tournament,
)

pytestmark = pytest.mark.django_db


def about_to_pair(players: list[Any]) -> tuple[Tournament, lifecycle.Snapshot, Any]:
    """Create a Swiss of these players that is about to store its first round."""
    made = create_tournament(create_player("Olga Brook"))
    join_players(made, players)
    Tournament.objects.filter(pk=made.pk).update(starts_at=timezone.now())
    lifecycle.run_step(made.pk)  # it starts
    snapshot = lifecycle.read_snapshot(made.pk)
    assert isinstance(snapshot.plan, PairRound)
    return made, snapshot, compute_pairs(lifecycle.build_pairing_input(snapshot))


@pytest.mark.parametrize("meanwhile", ["paused", "withdrawn"])
def test_a_round_is_not_stored_when_something_has_changed_meanwhile(meanwhile: str) -> None:
    players = create_players(4)
    made, snapshot, computed = about_to_pair(players)
    if meanwhile == "paused":
        assert made.organiser is not None
        organiser_actions.pause_tournament(made.organiser, made.pk)
    else:
        registration.withdraw_player(players[0], made.pk)
    Tournament.objects.filter(pk=made.pk).update(due_at=None)
    assert lifecycle.store_step(snapshot, computed) == []
    assert not Round.objects.exists() and not Pairing.objects.exists()
    made.refresh_from_db()
    assert made.due_at is not None  # the step is repeated
    run_due_steps()
    met = Pairing.objects.filter(tournament=made, match__isnull=False).count()
    assert met == (0 if meanwhile == "paused" else 1)


def test_a_round_that_another_server_has_stored_is_not_stored_again() -> None:
    _, snapshot, computed = about_to_pair(create_players(4))
    lifecycle.store_step(snapshot, computed)
    lifecycle.store_step(snapshot, computed)
    assert Round.objects.count() == 1 and Pairing.objects.count() == 2


def test_who_forfeits_twice_is_out_and_is_paired_no_more() -> None:
    made, players = create_tournament(create_player("Olga Brook")), create_players(6)
    join_players(made, players)
    start_tournament(made)
    assert made.organiser is not None
    entry = Entry.objects.get(player=players[0])
    for forfeits, state in ((1, Entry.State.IN), (2, Entry.State.OUT)):
        (own,) = [
            each for each in list_live_pairings(made) if entry.pk in (each.first_id, each.second_id)
        ]
        absent = 1 if own.first_id == entry.pk else 2
        organiser_actions.forfeit_game(made.organiser, made.pk, own.pk, absent)
        run_due_steps()
        entry.refresh_from_db()
        assert (entry.forfeits, entry.state) == (forfeits, state)
        play_round(made)
    third = Pairing.objects.filter(tournament=made, round=3)
    assert third.exists() and not third.filter(match__isnull=False, first=entry).exists()
    assert not third.filter(match__isnull=False, second=entry).exists()


def test_what_is_being_stepped_is_not_taken_once_more() -> None:
    made = create_tournament(create_player("Olga Brook"))
    made.refresh_from_db()
    assert made.due_at is not None
    assert lifecycle.lease_due_tournaments(made.due_at, but=[made.pk]) == []
    assert [each.id for each in lifecycle.lease_due_tournaments(made.due_at)] == [made.pk]
