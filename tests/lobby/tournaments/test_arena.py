"""Arenas: free players who are present are paired repeatedly until the end."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.journal.requests import Request
from games.journal.transaction import commit_requests
from games.match.commands import Abort, Berserk, Rematch
from games.messages.refusal import Refused
from games.models import Match
from lobby.live.player_state import read_own
from lobby.models import Entry, Pairing, Player, Tournament
from lobby.tournaments import arena, organiser_actions, presence, registration
from lobby.tournaments.points import update_scores
from lobby.tournaments.results import store_results
from lobby.tournaments.verification import verify_tournaments
from lobby.tournaments.views import build_standings_table
from lobby.views.tournament_page import rules_of
from tests.builders.matches import commit_command, play_ply
from tests.builders.tournaments import (
    create_tournament,
    end_live_matches,
    end_match,
    join_players,
    list_live_pairings,
    pair_wave,
    pass_time,
    run_due_steps,
    start_arena,
)

pytestmark = pytest.mark.django_db

State = Tournament.State


def test_free_players_are_paired_wave_after_wave() -> None:
    tournament, players = start_arena(5)
    assert len(list_live_pairings(tournament)) == 2
    for _ in range(4):
        presence.record_present(tournament.pk, [each.pk for each in players])
        end_live_matches(tournament)
        pair_wave(tournament)
        assert len(list_live_pairings(tournament)) == 2
    met = Pairing.objects.filter(tournament=tournament)
    assert met.count() == 10 and set(met.values_list("round", flat=True)) == {0}
    assert sorted(met.values_list("board", flat=True)) == list(range(1, 11))
    played = set(met.values_list("first", flat=True)) | set(met.values_list("second", flat=True))
    assert len(played) == 5  # the next wave included the waiting player
    best = tournament.entries.order_by("-points").first()
    assert best is not None and best.points % 100 == 0 and best.points >= 400
    assert verify_tournaments().faults == []


def test_a_new_match_is_announced_to_each_player_until_they_act() -> None:
    tournament, _ = start_arena(2)
    (pairing,) = list_live_pairings(tournament)
    match = pairing.match
    assert match is not None

    def list_announced() -> list[list[str]]:
        both = match.first_id, match.second_id
        told = read_own(both)
        return [[begun.event for begun in told[each].begun] for each in both]

    assert list_announced() == [[tournament.name], [tournament.name]]
    play_ply(match, 0)
    assert list_announced() == [[], [tournament.name]]
    while not match.acted & 2:
        match.refresh_from_db()
        play_ply(match, match.ply)
    assert list_announced() == [[], []]


def test_nobody_meets_the_last_opponent_again_unless_there_is_nobody_else() -> None:
    tournament, players = start_arena(4)
    before = {frozenset((each.first_id, each.second_id)) for each in list_live_pairings(tournament)}
    end_live_matches(tournament)
    presence.record_present(tournament.pk, [each.pk for each in players])
    pair_wave(tournament)
    after = {frozenset((each.first_id, each.second_id)) for each in list_live_pairings(tournament)}
    assert len(after) == 2 and not before & after
    two, people_of_two = started_two()
    end_live_matches(two)
    presence.record_present(two.pk, [each.pk for each in people_of_two])
    pair_wave(two)
    assert len(list_live_pairings(two)) == 1


def started_two() -> tuple[Tournament, list[Player]]:
    players = [Player.objects.create_user(f"Only {number}", password="x") for number in (1, 2)]
    tournament = create_tournament(players[0], "arena")
    join_players(tournament, players)
    presence.record_present(tournament.pk, [each.pk for each in players])
    Tournament.objects.filter(pk=tournament.pk).update(starts_at=timezone.now())
    pair_wave(tournament)
    return tournament, players


def test_only_who_is_at_the_page_is_paired() -> None:
    tournament, players = start_arena(4, here=False)
    assert list_live_pairings(tournament) == []
    presence.record_present(tournament.pk, [each.pk for each in players[:3]])
    pair_wave(tournament)
    assert len(list_live_pairings(tournament)) == 1
    presence.record_absent(tournament.pk, [players[0].pk])
    assert tournament.entries.get(player=players[0]).seen_at is None


def test_sides_are_in_turn() -> None:
    tournament, players = start_arena(2)
    for _ in range(5):
        end_live_matches(tournament)
        presence.record_present(tournament.pk, [each.pk for each in players])
        pair_wave(tournament)
    assert {abs(entry.sides) for entry in tournament.entries.all()} <= {0, 1}


def test_one_may_come_late_and_leave_and_come_back() -> None:
    tournament, _ = start_arena(2)
    late = Player.objects.create_user("Late Comer", password="x")
    registration.join_tournament(late, tournament.pk)
    assert tournament.entries.get(player=late).seed == 3
    registration.withdraw_player(late, tournament.pk)
    presence.record_present(tournament.pk, [late.pk])
    end_live_matches(tournament)
    pair_wave(tournament)
    assert not Pairing.objects.filter(first__player=late).exists()
    registration.rejoin_tournament(late, tournament.pk)
    assert tournament.entries.get(player=late).is_in


def test_who_is_added_again_waits_from_then_on() -> None:
    tournament, (olga, mia) = start_arena(2)
    registration.withdraw_player(mia, tournament.pk)
    long_ago = timezone.now() - timedelta(hours=1)
    tournament.entries.filter(player=mia).update(free_since=long_ago)
    organiser_actions.add_late_player(olga, tournament.pk, mia)
    assert tournament.entries.get(player=mia).free_since > long_ago


def test_the_page_says_after_which_time_an_arena_game_is_forfeited() -> None:
    tournament, _ = start_arena(2)
    Tournament.objects.filter(pk=tournament.pk).update(late_minutes=5)
    tournament.refresh_from_db()
    rules = " ".join(rules_of(tournament))
    assert "within 60 seconds" in rules and "5 minutes" not in rules


def test_berserk_is_half_the_time_for_a_point_more() -> None:
    tournament, _ = start_arena(2)
    (pairing,) = list_live_pairings(tournament)
    match = pairing.match
    assert match is not None and match.first_ms is not None
    commit_command(match, match.first_id, Berserk())
    again, _ = commit_requests([Request(match.pk, match.first_id, Berserk())])
    assert again[0].refused is None
    state = again[0].state
    assert state is not None and state.first_ms == match.first_ms // 2
    assert state.second_ms == match.second_ms and state.berserk == 1
    play_ply(match, 0)
    commit_requests([Request(match.pk, match.second_id, Berserk())])
    match.refresh_from_db()
    assert match.berserk == 3 and match.second_ms is not None
    assert match.deadline is not None
    end_match(match, "first")
    run_due_steps()
    pairing.refresh_from_db()
    assert pairing.berserk == 3
    assert pairing.first.__class__.objects.get(pk=pairing.first_id).points == 300
    assert verify_tournaments().faults == []


def test_who_has_acted_berserks_no_more() -> None:
    tournament, _ = start_arena(2)
    (pairing,) = list_live_pairings(tournament)
    assert pairing.match is not None
    play_ply(pairing.match, 0)
    answers, _ = commit_requests(
        [Request(pairing.match_id or "", pairing.match.first_id, Berserk())]
    )
    assert answers[0].refused == "not-allowed"


def test_its_games_are_neither_cancelled_nor_asked_again() -> None:
    tournament, _ = start_arena(2)
    (pairing,) = list_live_pairings(tournament)
    match = pairing.match
    assert match is not None
    answers, _ = commit_requests([Request(match.pk, match.first_id, Abort())])
    assert answers[0].refused == "not-allowed"
    end_match(match, "first")
    answers, _ = commit_requests([Request(match.pk, match.first_id, Rematch())])
    assert answers[0].refused == "not-allowed"


def test_who_does_not_begin_forfeits_and_is_paired_when_they_are_back() -> None:
    tournament, _ = start_arena(3)
    (pairing,) = list_live_pairings(tournament)
    Match.objects.update(deadline=timezone.now() - timedelta(seconds=5))
    from games.match.commands import Sweep

    commit_requests([Request(pairing.match_id or "", None, Sweep())])
    run_due_steps()
    pairing.refresh_from_db()
    assert pairing.kind == Pairing.Kind.FORFEIT and pairing.absent == 3
    entries = Entry.objects.filter(pk__in=[pairing.first_id, pairing.second_id])
    assert {entry.seen_at for entry in entries} == {None}
    assert {entry.state for entry in entries} == {Entry.State.IN}
    pair_wave(tournament)
    assert list_live_pairings(tournament) == []


def test_who_forfeits_twice_in_an_arena_is_not_out() -> None:
    tournament, _ = start_arena(2)
    (pairing,) = list_live_pairings(tournament)
    assert pairing.match is not None
    end_match(pairing.match, "first")
    run_due_steps()
    first, second = build_standings_table(tournament).lines
    assert (first.points, second.points) == ("2", "0")  # a win gives 2 points
    pks = [pairing.first_id, pairing.second_id]
    Pairing.objects.update(absent=3, kind=Pairing.Kind.FORFEIT)
    other = Pairing.objects.get()
    for _ in range(2):
        other.pk, other.match, other.board = None, None, other.board + 1
        other.save()
    update_scores(tournament, pks)
    Match.objects.update(ended="voided")
    store_results([pairing.match_id or ""])
    assert {entry.state for entry in Entry.objects.filter(pk__in=pks)} == {Entry.State.IN}


def test_a_game_that_has_hardly_begun_at_the_end_gives_nobody_anything() -> None:
    tournament, _ = start_arena(2)
    (pairing,) = list_live_pairings(tournament)
    assert pairing.match is not None
    play_ply(pairing.match, 0)
    pass_time(tournament, 11)
    pair_wave(tournament)
    assert tournament.state == State.OVER
    assert set(tournament.entries.values_list("points", flat=True)) == {0}
    assert verify_tournaments().faults == []


def test_at_the_end_live_games_are_settled() -> None:
    tournament, _ = start_arena(4)
    for pairing in list_live_pairings(tournament):
        assert pairing.match is not None
        while pairing.match.acted != 3:
            play_ply(pairing.match, pairing.match.ply)
            pairing.match.refresh_from_db()
    pass_time(tournament, 11)
    pair_wave(tournament)
    assert tournament.state == State.OVER and list_live_pairings(tournament) == []
    assert tournament.entries.filter(rank=None).count() == 0
    assert verify_tournaments().faults == []
    with pytest.raises(Refused):
        registration.join_tournament(
            Player.objects.create_user("Too Late", password="x"), tournament.pk
        )


def test_a_wave_costs_as_many_queries_for_many_as_for_few() -> None:
    tournament, players = start_arena(4)
    counts = []
    for many in (4, 24):
        more = [
            Player.objects.create_user(f"More {many} {number}", password="x")
            for number in range(many - 4)
        ]
        join_players(tournament, more)
        presence.record_present(tournament.pk, [each.pk for each in (*players, *more)])
        end_live_matches(tournament)
        Tournament.objects.update(due_at=timezone.now() + timedelta(minutes=1))
        run_due_steps()
        tournament.refresh_from_db()
        with CaptureQueriesContext(
            connection,
        ) as asked:
            now = timezone.now()
            arena.store_wave(
                tournament, arena.compute_wave(arena.get_free_players(tournament, now)), now
            )
        counts.append(len(asked))
        assert len(list_live_pairings(tournament)) == many // 2
        tournament.save()
    assert counts[1] <= counts[0] + 2, counts
