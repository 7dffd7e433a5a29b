"""Concurrent steps: two servers, differing clocks, and an end or a removal during a step."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.journal.requests import Request
from games.journal.transaction import commit_requests
from games.match.commands import Void
from games.models import Match
from lobby.models import Entry, Pairing, Player, Tournament
from lobby.privacy.account_deletion import delete_due_accounts
from lobby.tournaments import arena, lifecycle, organiser_actions, presence, registration
from lobby.tournaments.verification import verify_tournaments
from tests.builders.matches import deliver_events
from tests.builders.players import create_players
from tests.builders.tournaments import (
    create_tournament,
    decide_by_name,
    end_live_matches,
    end_match,
    join_players,
    list_live_pairings,
    pair_wave,
    pass_time,
    run_due_steps,
    start_arena,
    start_tournament,
)

pytestmark = pytest.mark.django_db


def waiting(many: int) -> tuple[Tournament, list[Player]]:
    """Create an arena that has started and has no pairs yet."""
    players = create_players(many)
    tournament = create_tournament(players[0], "arena")
    join_players(tournament, players)
    presence.record_present(tournament.pk, [each.pk for each in players])
    Tournament.objects.update(starts_at=timezone.now(), due_at=timezone.now())
    lifecycle.run_step(tournament.pk)
    tournament.refresh_from_db()
    return tournament, players


def must_be_sound(tournament: Tournament) -> None:
    playing = [
        pk for each in list_live_pairings(tournament) for pk in (each.first_id, each.second_id)
    ]
    assert len(playing) == len(set(playing))
    assert verify_tournaments().faults == []


def test_a_large_wave_is_stored_a_few_matches_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lifecycle, "_PAIRS", 2)
    tournament, _ = waiting(10)
    snapshot = lifecycle.read_snapshot(tournament.pk)
    for stored in (2, 4, 5):
        lifecycle.store_step(snapshot)
        assert len(list_live_pairings(tournament)) == stored
    assert snapshot.wave == ()
    must_be_sound(tournament)


def test_a_wave_of_which_a_part_is_stored_when_its_server_dies_goes_on_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lifecycle, "_PAIRS", 2)
    tournament, players = waiting(10)
    lifecycle.store_step(lifecycle.read_snapshot(tournament.pk))
    tournament.refresh_from_db()
    assert tournament.due_at is not None
    assert tournament.due_at <= timezone.now() + timedelta(seconds=1)
    presence.record_present(tournament.pk, [each.pk for each in players])
    (taken,) = lifecycle.lease_due_tournaments(tournament.due_at)
    lifecycle.run_step(taken.id)
    assert len(list_live_pairings(tournament)) == 5
    must_be_sound(tournament)


def test_results_that_come_while_a_wave_is_computed_do_not_hold_it_up() -> None:
    tournament, players = start_arena(6)
    for each in list_live_pairings(tournament)[:2]:
        assert each.match is not None
        end_match(each.match, decide_by_name(each.match))
    deliver_events()
    presence.record_present(tournament.pk, [each.pk for each in players])
    snapshot = lifecycle.read_snapshot(tournament.pk)
    end_live_matches(tournament)
    deliver_events()  # the last result increased the version
    lifecycle.store_step(snapshot)
    assert len(list_live_pairings(tournament)) == 2
    must_be_sound(tournament)


def test_a_wave_is_not_stored_in_a_pause() -> None:
    tournament, players = waiting(4)
    snapshot = lifecycle.read_snapshot(tournament.pk)
    organiser_actions.pause_tournament(players[0], tournament.pk)
    lifecycle.store_step(snapshot)
    assert snapshot.wave == () and list_live_pairings(tournament) == []


def test_of_two_servers_with_the_same_wave_one_stores_it() -> None:
    tournament, _ = waiting(6)
    one, other = lifecycle.read_snapshot(tournament.pk), lifecycle.read_snapshot(tournament.pk)
    assert one.wave == other.wave and len(one.wave) == 3
    lifecycle.store_step(one)
    lifecycle.store_step(other)
    assert Pairing.objects.count() == Match.objects.count() == 3
    must_be_sound(tournament)


def test_a_wave_that_comes_after_the_end_is_not_stored() -> None:
    tournament, _ = waiting(6)
    snapshot = lifecycle.read_snapshot(tournament.pk)
    assert len(snapshot.wave) == 3
    lifecycle.store_step(snapshot, None, tournament.ends_at)
    assert Pairing.objects.count() == 0
    pass_time(tournament, 11)
    assert tournament.state == Tournament.State.OVER


@pytest.mark.parametrize("seconds", [-30, -20, -1, 15])
def test_a_server_whose_clock_differs_pairs_as_well(seconds: int) -> None:
    tournament, players = start_arena(6)
    end_live_matches(tournament)
    run_due_steps()
    presence.record_present(tournament.pk, [each.pk for each in players])
    then = timezone.now() + timedelta(seconds=seconds)
    # A negative waiting time would make the worst pairs the best. 20 s less would be an error.
    assert all(each.waited >= 0 for each in arena.get_free_players(tournament, then).free)
    lifecycle.run_step(tournament.pk, then)
    assert len(list_live_pairings(tournament)) == 3
    must_be_sound(tournament)


def test_a_game_that_is_voided_during_a_wave_is_paired_in_the_next() -> None:
    tournament, players = start_arena(4)
    voided = list_live_pairings(tournament)[0]
    assert voided.match is not None
    joining = [Player.objects.create_user(f"Late {n}", password="x") for n in (1, 2)]
    join_players(tournament, joining)
    presence.record_present(tournament.pk, [each.pk for each in (*players, *joining)])
    snapshot = lifecycle.read_snapshot(tournament.pk)
    commit_requests([Request(voided.match.pk, None, Void())])
    run_due_steps()
    lifecycle.store_step(snapshot)
    pair_wave(tournament)
    must_be_sound(tournament)
    assert tournament.entries.filter(playing=None).count() == 0


def test_who_withdraws_during_a_wave_is_not_in_it_and_whose_game_ends_then_stays_out() -> None:
    tournament, players = waiting(4)
    snapshot = lifecycle.read_snapshot(tournament.pk)
    registration.withdraw_player(players[0], tournament.pk)
    lifecycle.store_step(snapshot)
    (game,) = list_live_pairings(tournament)
    assert players[0].pk not in (game.first.player_id, game.second.player_id)
    registration.withdraw_player(game.first.player, tournament.pk)
    end_live_matches(tournament)
    presence.record_present(tournament.pk, [each.pk for each in players])
    pair_wave(tournament)
    entry = tournament.entries.get(pk=game.first_id)
    assert entry.playing_id is None and entry.state == Entry.State.WITHDRAWN
    must_be_sound(tournament)


def test_who_closes_their_account_during_a_step_has_their_game_settled() -> None:
    players = create_players(3)
    tournament = create_tournament(players[0], "round-robin")
    join_players(tournament, players)
    start_tournament(tournament)
    (game,) = list_live_pairings(tournament)
    assert game.match is not None
    Match.objects.filter(pk=game.match.pk).update(acted=3)  # the wave waits for nobody
    Tournament.objects.update(due_at=timezone.now())
    snapshot = lifecycle.read_snapshot(tournament.pk)
    Player.objects.filter(pk=game.first.player_id).update(closing_at=timezone.now())
    delete_due_accounts()
    lifecycle.store_step(snapshot)
    run_due_steps()
    game.refresh_from_db()
    assert game.ended_at is not None and game.second_points == 100


def test_many_games_are_settled_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lifecycle, "_SETTLED", 2)
    tournament, _ = start_arena(10)
    assert len(list_live_pairings(tournament)) == 5
    Tournament.objects.update(ends_at=timezone.now())
    for left in (3, 1, 0):
        asked = lifecycle.run_step(tournament.pk)
        commit_requests([Request(match_id, None, command) for match_id, command in asked])
        assert Match.objects.filter(status=Match.Status.LIVE).count() == left
    pair_wave(tournament)
    pass_time(tournament, 1)
    assert tournament.state == Tournament.State.OVER and verify_tournaments().faults == []
