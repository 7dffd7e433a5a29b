"""Each kind of tournament is played to its end under all circumstances."""

from collections import Counter
from datetime import timedelta

import pytest
from django.utils import timezone

from games.match.setup import Setup
from games.models import Pulse
from lobby.models import Entry, Pairing, Player, Round, Tournament
from lobby.tournaments import organiser_actions, registration
from lobby.tournaments.locking import get_log
from lobby.tournaments.verification import verify_tournaments
from tests.builders.matches import play_ply
from tests.builders.players import create_player, create_players
from tests.builders.tournaments import (
    create_tournament,
    decide_at_random,
    decide_by_name,
    end_match,
    join_players,
    list_live_pairings,
    list_pairs,
    list_ranking,
    pass_time,
    play_round,
    play_tournament,
    run_due_steps,
    start_tournament,
    start_with_players,
)

pytestmark = pytest.mark.django_db

State = Tournament.State
TOE = Setup("tic-tac-toe", "30+20")


def run_by_another(tournament: Tournament) -> Player:
    """Transfer the tournament to an outsider, because organisers cannot decide their own games."""
    olga = create_player("Olga Brook")
    assert tournament.organiser is not None
    organiser_actions.transfer_tournament(tournament.organiser, tournament.pk, olga)
    return olga


def said(tournament: Tournament) -> list[str]:
    return [line.said["code"] for line in get_log(tournament.pk)[0]]


@pytest.mark.parametrize("many", [2, 3, 4, 5, 8])
def test_in_a_round_robin_all_meet_once(many: int) -> None:
    tournament, players = start_with_players("round-robin", many)
    play_tournament(tournament)
    assert tournament.rounds == many - 1 + many % 2
    assert Counter(list_pairs(tournament)).most_common(1)[0][1] == 1
    assert len(list_pairs(tournament)) == many * (many - 1) // 2
    assert list_ranking(tournament) == [player.username for player in players]
    assert verify_tournaments().faults == []


def test_in_a_double_round_robin_all_meet_twice_with_sides_exchanged() -> None:
    tournament, _ = start_with_players("round-robin", 4, is_double=True)
    play_tournament(tournament, decide_at_random())
    assert set(Counter(list_pairs(tournament)).values()) == {2}
    pairs = Pairing.objects.filter(tournament=tournament).values_list("first", "second")
    assert all((second, first) in pairs for first, second in pairs)


@pytest.mark.parametrize("many", [2, 3, 6, 9])
def test_a_swiss_has_no_rematches_and_no_second_bye(many: int) -> None:
    tournament, _ = start_with_players("swiss", many, rounds=min(5, many - 1 + many % 2))
    play_tournament(tournament, decide_at_random(many))
    assert max(Counter(list_pairs(tournament)).values()) == 1
    byes = Pairing.objects.filter(tournament=tournament, kind=Pairing.Kind.BYE)
    assert max(Counter(byes.values_list("first", flat=True)).values(), default=0) <= 1
    assert byes.count() == (tournament.rounds if many % 2 else 0)
    assert verify_tournaments().faults == []


def test_a_swiss_has_no_more_rounds_than_opponents() -> None:
    tournament, _ = start_with_players("swiss", 4, rounds=9)
    assert tournament.rounds == 3
    assert "event.fewer-rounds" in said(tournament)
    play_tournament(tournament, decide_at_random())


@pytest.mark.parametrize(("many", "games"), [(2, 1), (3, 2), (5, 4), (8, 7)])
def test_a_knockout_leaves_one(many: int, games: int) -> None:
    tournament, players = start_with_players("knockout", many)
    play_tournament(tournament)
    assert len(list_pairs(tournament)) == games
    assert list_ranking(tournament)[0] == players[0].username
    assert verify_tournaments().faults == []


def test_a_knockout_of_several_games_and_a_third_place() -> None:
    tournament, _ = start_with_players("knockout", 4, best_of=3, third_place=True)
    play_tournament(tournament)
    assert len(list_pairs(tournament)) == 8  # four pairs with two games each
    legs = Pairing.objects.filter(tournament=tournament, round=1, board=1).order_by("leg")
    one, other = legs
    assert (one.first_id, one.second_id) == (other.second_id, other.first_id)


def test_a_match_of_a_knockout_goes_on_while_others_are_played() -> None:
    tournament, _ = start_with_players("knockout", 4, best_of=3)
    first, *_ = list_live_pairings(tournament)
    assert first.match is not None
    end_match(first.match, "first")
    run_due_steps()
    assert sorted(each.leg for each in list_live_pairings(tournament)) == [1, 2]


def test_everybody_draws() -> None:
    for kind in ("round-robin", "swiss", "knockout"):
        Player.objects.filter(username__startswith="Player").update(is_active=False)
        Tournament.objects.all().delete()
        Entry.objects.all().delete()
        players = [
            Player.objects.create_user(f"{kind[:5]} {number}", password="x") for number in range(4)
        ]
        tournament = create_tournament(players[0], kind)
        join_players(tournament, players)
        start_tournament(tournament)
        play_tournament(tournament, lambda _: "draw")
        assert verify_tournaments().faults == []


def test_all_but_one_withdraw() -> None:
    tournament, players = start_with_players("swiss", 6, rounds=4)
    play_round(tournament)
    for each in players[1:]:
        registration.withdraw_player(each, tournament.pk)
    olga = run_by_another(tournament)
    for pairing in list_live_pairings(tournament):
        organiser_actions.forfeit_game(olga, tournament.pk, pairing.pk, 3)
    run_due_steps()
    tournament.refresh_from_db()
    assert tournament.state == State.OVER
    assert "event.cannot.too-few-players" in said(tournament)


def test_nobody_comes_to_play() -> None:
    """Absent players forfeit and are out after two forfeits, so the tournament ends."""
    tournament, _ = start_with_players("swiss", 4, rounds=3)
    for _ in range(3):
        pass_time(tournament, 6)
    assert tournament.state == State.OVER
    assert {entry.state for entry in tournament.entries.all()} == {Entry.State.OUT}
    assert {entry.points for entry in tournament.entries.all()} == {0}
    assert verify_tournaments().faults == []


def test_with_fewer_than_two_players_it_is_called_off() -> None:
    players = create_players(2)
    for many in (0, 1):
        tournament = create_tournament(players[0], "swiss")
        join_players(tournament, players[:many])
        start_tournament(tournament)
        assert tournament.state == State.CALLED_OFF and tournament.due_at is None
        assert said(tournament)[0] == "event.called-off.few"


def test_rounds_at_given_times_wait_for_theirs() -> None:
    tournament, _ = start_with_players("swiss", 4, rounds=2, pace="timed", round_minutes=60)
    play_round(tournament)
    assert tournament.round == 1
    tournament.refresh_from_db()
    begun = Round.objects.get(tournament=tournament)
    assert tournament.due_at == begun.ends_at
    pass_time(tournament, 61)
    tournament.refresh_from_db()
    assert tournament.round == 2


def test_a_round_that_is_over_is_settled_by_the_clock() -> None:
    tournament, _ = start_with_players("swiss", 2, rounds=1, round_minutes=10, setup=TOE)
    (pairing,) = list_live_pairings(tournament)
    assert pairing.match is not None
    play_ply(pairing.match, 0)
    play_ply(pairing.match, 1)
    pass_time(tournament, 2)
    assert list_live_pairings(tournament)
    pass_time(tournament, 11)
    pairing.refresh_from_db()
    match = pairing.match
    match.refresh_from_db()
    assert (match.status, match.ended) == ("over", "adjudicated")
    assert match.ended_by is not None
    turn = match.rules.roles.index(match.rules.read(match.notation).turn or "")
    loser = (pairing.first_points, pairing.second_points)[turn]
    assert loser == 0 and pairing.kind == Pairing.Kind.PLAYED


def test_an_untimed_game_that_is_not_over_is_a_draw() -> None:
    setup = Setup("tic-tac-toe")
    tournament, _ = start_with_players("swiss", 2, rounds=1, round_minutes=10, setup=setup)
    (pairing,) = list_live_pairings(tournament)
    assert pairing.match is not None
    play_ply(pairing.match, 0)
    play_ply(pairing.match, 1)
    pass_time(tournament, 11)
    pairing.refresh_from_db()
    assert (pairing.first_points, pairing.second_points) == (50, 50)


def test_who_has_not_answered_forfeits() -> None:
    setup = Setup("tic-tac-toe")
    tournament, _ = start_with_players("swiss", 2, rounds=1, setup=setup)
    (pairing,) = list_live_pairings(tournament)
    assert pairing.match is not None
    play_ply(pairing.match, 0)
    pass_time(tournament, 4)
    assert list_live_pairings(tournament)
    pass_time(tournament, 2)
    pairing.refresh_from_db()
    assert (pairing.first_points, pairing.second_points) == (100, 0)
    assert (pairing.kind, pairing.absent) == (Pairing.Kind.FORFEIT, 2)
    assert "event.late.2" in said(tournament)


def test_after_an_outage_there_is_time_to_come() -> None:
    tournament, _ = start_with_players("swiss", 2, rounds=1)
    now = timezone.now()
    Pulse.objects.update_or_create(id=1, defaults={"at": now, "up_since": now})
    pass_time(tournament, 6)
    (pairing,) = list_live_pairings(tournament)
    assert pairing.late_at is not None and pairing.late_at > now + timedelta(minutes=4)
    Pulse.objects.update(up_since=now - timedelta(minutes=6))
    pass_time(tournament, 6)
    assert list_live_pairings(tournament) == [] and tournament.state == State.OVER


def test_a_bye_that_was_asked_for_is_half_a_point() -> None:
    players = create_players(5)
    tournament = create_tournament(players[0], "swiss", rounds=3)
    join_players(tournament, players)
    registration.request_bye(players[2], tournament.pk, 2)
    start_tournament(tournament)
    play_round(tournament)
    half = Pairing.objects.get(tournament=tournament, kind=Pairing.Kind.HALF_BYE)
    assert (half.round, half.first.player_id, half.first_points) == (2, players[2].pk, 50)
    play_tournament(tournament, decide_by_name)
    assert verify_tournaments().faults == []


def test_who_comes_late_has_half_points_for_what_they_missed() -> None:
    tournament, players = start_with_players("swiss", 4, rounds=3)
    play_round(tournament)
    (late,) = (Player.objects.create_user("Late Comer", password="x"),)
    organiser_actions.add_late_player(players[0], tournament.pk, late, 1)
    registration.register_player(late, tournament)
    entry = tournament.entries.get(player=late)
    assert (entry.points, entry.since_round) == (100 // 2, 3)
    play_tournament(tournament)
    assert (
        Pairing.objects.filter(tournament=tournament, round=3, first=entry).count()
        + (Pairing.objects.filter(tournament=tournament, round=3, second=entry).count())
        == 1
    )
    assert verify_tournaments().faults == []


def test_a_removed_player_loses_the_live_game_and_is_paired_no_more() -> None:
    tournament, players = start_with_players("round-robin", 4)
    organiser_actions.remove_player(run_by_another(tournament), tournament.pk, players[3].pk)
    run_due_steps()
    entry = tournament.entries.get(player=players[3])
    first = Pairing.objects.filter(tournament=tournament, round=1).exclude(absent=0).get()
    assert entry.pk in (first.first_id, first.second_id) and first.ended_at is not None
    play_tournament(tournament)
    walkovers = Pairing.objects.filter(tournament=tournament, match=None, kind="forfeit")
    assert walkovers.count() == 2
    assert verify_tournaments().faults == []


def test_a_player_removed_during_a_pause_loses_the_live_game_when_it_ends() -> None:
    tournament, players = start_with_players("round-robin", 4)
    olga = run_by_another(tournament)
    organiser_actions.pause_tournament(olga, tournament.pk)
    organiser_actions.remove_player(olga, tournament.pk, players[3].pk)
    run_due_steps()
    assert len(list_live_pairings(tournament)) == 2
    organiser_actions.resume_tournament(olga, tournament.pk)
    run_due_steps()
    ended = Pairing.objects.get(tournament=tournament, round=1, ended_at__isnull=False)
    assert players[3].pk in (ended.first.player_id, ended.second and ended.second.player_id)


def test_a_pause_pairs_nobody_and_costs_nobody_time() -> None:
    tournament, players = start_with_players("swiss", 4, rounds=3)
    late_at = list_live_pairings(tournament)[0].late_at
    organiser_actions.pause_tournament(players[0], tournament.pk)
    Tournament.objects.update(paused_at=timezone.now() - timedelta(minutes=3))
    play_round(tournament)
    assert tournament.round == 1
    organiser_actions.resume_tournament(players[0], tournament.pk)
    run_due_steps()
    tournament.refresh_from_db()
    assert tournament.round == 2 and late_at is not None
    organiser_actions.pause_tournament(players[0], tournament.pk)
    before = list_live_pairings(tournament)[0].late_at
    Tournament.objects.update(paused_at=timezone.now() - timedelta(minutes=3))
    organiser_actions.resume_tournament(players[0], tournament.pk)
    after = list_live_pairings(tournament)[0].late_at
    assert before and after and after - before >= timedelta(minutes=3)


def test_an_early_end_settles_what_is_live() -> None:
    tournament, _ = start_with_players("round-robin", 4)
    play_round(tournament)
    organiser_actions.end_tournament_early(run_by_another(tournament), tournament.pk)
    run_due_steps()
    tournament.refresh_from_db()
    assert tournament.state == State.OVER
    assert list_live_pairings(tournament) == []
    assert verify_tournaments().faults == []
