"""Results: from matches, from decisions by staff, and from account changes."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.journal.requests import Request
from games.journal.transaction import commit_requests
from games.match.commands import Resign
from games.models import Event, Match
from games.review import decisions
from lobby.accounts.guests import new_guest
from lobby.accounts.merging import merge_guest
from lobby.models import Entry, LogLine, Pairing, Player, Tournament
from lobby.players import blocks
from lobby.privacy.account_deletion import delete_due_accounts
from lobby.tournaments import registration, results
from lobby.tournaments.queries import list_next_games
from lobby.tournaments.verification import verify_tournaments
from tests.builders.players import create_player, create_players
from tests.builders.tournaments import (
    create_tournament,
    end_match,
    join_players,
    list_live_pairings,
    play_round,
    play_tournament,
    run_due_steps,
    start_tournament,
    start_with_players,
)

pytestmark = pytest.mark.django_db


def points(tournament: Tournament) -> dict[str, int]:
    return dict(tournament.entries.values_list("player__username", "points"))


def test_a_result_is_heard_of_twice_and_counts_once() -> None:
    tournament, _ = start_with_players("round-robin", 4)
    (one, *_) = list_live_pairings(tournament)
    assert one.match is not None
    end_match(one.match, "first")
    results.store_results([one.match.pk])
    before = points(tournament), Tournament.objects.get().version
    results.store_results([one.match.pk])
    run_due_steps()
    assert points(tournament) == before[0]
    assert LogLine.objects.filter(said__code="event.corrected").count() == 0
    assert verify_tournaments().faults == []


def test_a_void_takes_the_points_and_no_pairing() -> None:
    rita = create_player("rita", "senior reviewer")
    tournament, _ = start_with_players("swiss", 4, rounds=3)
    (one, *_) = list_live_pairings(tournament)
    play_round(tournament)
    before = list(Pairing.objects.values_list("round", "board", "first", "second"))
    decisions.void_match(rita, one.match_id or "", "So.", 0)
    run_due_steps()
    one.refresh_from_db()
    assert (one.first_points, one.second_points, one.kind) == (0, 0, "forfeit")
    assert list(Pairing.objects.values_list("round", "board", "first", "second")) == before
    assert LogLine.objects.filter(said__code="event.corrected").count() == 1
    play_tournament(tournament)
    assert verify_tournaments().faults == []


def test_a_correction_after_the_end_changes_the_ranks() -> None:
    rita = create_player("rita", "senior reviewer")
    tournament, players = start_with_players("round-robin", 2)
    play_tournament(tournament)
    assert points(tournament) == {players[0].username: 100, players[1].username: 0}
    pairing = Pairing.objects.get()
    match = Match.objects.get()
    goals = (0, 100) if match.first_id == players[0].pk else (100, 0)
    decisions.correct_result(rita, match.pk, "So.", 0, goals)
    run_due_steps()
    assert points(tournament) == {players[0].username: 0, players[1].username: 100}
    assert tournament.entries.get(player=players[1]).rank == 1
    pairing.refresh_from_db()
    assert verify_tournaments().faults == []


def test_verifying_finds_what_does_not_follow() -> None:
    tournament, _ = start_with_players("round-robin", 3)
    play_tournament(tournament)
    assert verify_tournaments().faults == []
    entry = tournament.entries.first()
    assert entry is not None
    Entry.objects.filter(pk=entry.pk).update(points=1)
    assert len(verify_tournaments().faults) == 1
    Entry.objects.filter(pk=entry.pk).update(points=entry.points, rank=9)
    assert len(verify_tournaments().faults) == 1
    Entry.objects.filter(pk=entry.pk).update(rank=entry.rank)
    pairing = Pairing.objects.exclude(match=None).first()
    assert pairing is not None
    Pairing.objects.filter(pk=pairing.pk).update(first_points=50)
    assert verify_tournaments().faults


def test_the_next_game_is_found_everywhere() -> None:
    tournament, players = start_with_players("swiss", 4, rounds=2)
    (game,) = list_next_games(players[0].pk)
    assert game.tournament == tournament.pk and game.url == f"/match/{game.match}/"
    (answer,), _ = commit_requests([Request(game.match, players[0].pk, Resign())])
    assert answer.refused is None
    run_due_steps()
    assert list_next_games(players[0].pk) == []


def test_blocks_break_no_pairing() -> None:
    players = create_players(2)
    blocks.block_player(players[0].pk, players[1].pk)
    tournament = create_tournament(players[0], "round-robin")
    join_players(tournament, players)
    start_tournament(tournament)
    assert len(list_live_pairings(tournament)) == 1


def test_a_closed_account_is_out_and_its_games_stay() -> None:
    tournament, players = start_with_players("round-robin", 4)
    other = create_tournament(players[0], "swiss")
    registration.join_tournament(players[3], other.pk)
    play_round(tournament)
    Player.objects.filter(pk=players[3].pk).update(closing_at=timezone.now() - timedelta(hours=1))
    delete_due_accounts()
    run_due_steps()
    assert not other.entries.exists()
    entry = tournament.entries.get(player=players[3])
    assert entry.state == Entry.State.REMOVED
    play_tournament(tournament)
    assert Pairing.objects.filter(kind="forfeit").count() == 2
    assert verify_tournaments().faults == []


def test_a_guest_who_has_an_account_plays_on_as_that() -> None:
    guest, account = new_guest(), create_player("Anna Berg")
    players = [*create_players(3), guest]
    tournament = create_tournament(players[0], "round-robin", guests=True)
    join_players(tournament, players)
    start_tournament(tournament)
    merge_guest(guest.pk, account.pk)
    assert tournament.entries.get(player=account).is_in
    assert list_next_games(account.pk)
    play_tournament(tournament)
    assert tournament.entries.get(player=account).games == 3
    assert verify_tournaments().faults == []


def test_who_is_in_it_as_a_guest_and_as_an_account_is_in_it_once() -> None:
    guest, account = new_guest(), create_player("Anna Berg")
    players = [*create_players(2), guest, account]
    tournament = create_tournament(players[0], "round-robin", guests=True)
    join_players(tournament, players)
    start_tournament(tournament)
    merge_guest(guest.pk, account.pk)
    run_due_steps()
    play_tournament(tournament)
    states = dict(tournament.entries.values_list("player", "state"))
    assert states[guest.pk] == Entry.State.REMOVED and states[account.pk] == Entry.State.IN
    assert verify_tournaments().faults == []
    assert not Event.objects.filter(due_at__isnull=False).exists()
