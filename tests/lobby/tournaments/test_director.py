"""The organiser's bar: what it offers, ending a round, and actions that are sent twice."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Attendance
from lobby.models import Entry, LogLine, Pairing, Player, Round, Tournament
from lobby.tournaments import organiser_actions, registration
from lobby.tournaments.verification import verify_tournaments
from lobby.views import tournament_page
from tests.builders.groups import create_group
from tests.builders.players import client_for, create_organiser, create_player, create_players
from tests.builders.refusals import must_be_refused
from tests.builders.tournaments import (
    create_tournament,
    end_match,
    get_page,
    join_players,
    list_live_pairings,
    post_action,
    run_due_steps,
    start_tournament,
)

pytestmark = pytest.mark.django_db


def started(
    kind: str = "swiss", many: int = 5, **more: object
) -> tuple[Player, Tournament, list[Player]]:
    olga, players = create_player("Olga Brook"), create_players(many)
    made = create_tournament(olga, kind, **more)
    join_players(made, players)
    start_tournament(made)
    return olga, made, players


def bar(who: Player, tournament: Tournament) -> str:
    return get_page(who, tournament).split('id="director"')[1].split('data-part="head"')[0]


def list_log(tournament: Tournament) -> list[str]:
    rows = LogLine.objects.filter(tournament=tournament).order_by("id")
    return [line.said["code"] for line in rows]


def test_the_bar_follows_the_tournament() -> None:
    olga, players = create_player("Olga Brook"), create_players(4)
    made = create_tournament(olga, rounds=2)
    join_players(made, players)
    assert "Registration open · 4 players" in bar(olga, made)
    start_tournament(made)
    shown = bar(olga, made)
    assert "Round 1 of 2</span>" in shown and "2 results missing" in shown and "Next round" in shown
    for pairing in list_live_pairings(made):
        assert pairing.match is not None
        end_match(pairing.match, "first")
    Pairing.objects.update(ended_at=timezone.now(), first_points=100, second_points=0)
    assert "Pairing round 2…" in bar(olga, made)  # the results are in; the step is about to run
    run_due_steps()
    made.refresh_from_db()
    assert "Round 2 of 2</span>" in bar(olga, made) and "End the round" in bar(olga, made)
    for who in (players[0], None):
        assert get_page(who, made).split('id="director"')[1].split(">")[0].endswith("hidden")
        assert "No-show" not in get_page(who, made)


def test_what_waits_names_who_has_not_come() -> None:
    olga, made, _ = started(many=4)
    one, other = list_live_pairings(made)
    now = timezone.now()
    Attendance.objects.create(match=one.match, server="a", first_at=now, seen_at=now)
    Attendance.objects.create(match=other.match, server="a", first_at=now, seen_at=now)
    Attendance.objects.create(match=other.match, server="b", second_at=now, seen_at=now)
    shown = bar(olga, made)
    assert one.second is not None and other.second is not None
    assert f"{one.second.player.name} has not opened the game" in shown
    assert shown.count("has not opened the game") == 1
    assert shown.index(one.first.player.name) < shown.index(other.first.player.name)


@pytest.mark.parametrize("kind", ["swiss", "round-robin", "knockout"])
def test_ending_a_round_decides_its_games_and_pairs_the_next(kind: str) -> None:
    olga, made, _ = started(kind, many=4)
    now = timezone.now()
    for pairing in list_live_pairings(made):  # both opened the game, and nobody has moved
        Attendance.objects.create(
            match=pairing.match, server="a", first_at=now, second_at=now, seen_at=now
        )
    post_action(client_for(olga), made, "close-round", round=1)
    run_due_steps()
    made.refresh_from_db()
    assert made.round == 2
    first = Pairing.objects.filter(tournament=made, round=1)
    assert not first.filter(ended_at=None).exists()
    assert list_log(made).count("event.round-closed") == 1
    assert verify_tournaments().faults == []


def test_ending_the_last_round_ends_the_tournament() -> None:
    olga, made, _ = started(many=4, rounds=1)
    organiser_actions.close_round(olga, made.pk, 1)
    run_due_steps()
    made.refresh_from_db()
    assert made.state == Tournament.State.OVER
    organiser_actions.close_round(olga, made.pk, 1)  # the answer was lost
    assert list_log(made).count("event.round-closed") == 1


def test_ending_a_round_that_has_ended_meanwhile_leaves_the_next_one_alone() -> None:
    olga, made, _ = started(many=4)
    for _ in range(2):
        organiser_actions.close_round(olga, made.pk, 1)
    run_due_steps()
    made.refresh_from_db()
    organiser_actions.close_round(olga, made.pk, 1)
    run_due_steps()
    made.refresh_from_db()
    assert made.round == 2 and len(list_live_pairings(made)) == 2
    assert list_log(made).count("event.round-closed") == 1


def test_a_timed_round_without_live_games_ends_at_a_press() -> None:
    olga, made, _ = started(many=2, rounds=1)
    olga, other = made.organiser, None
    assert olga is not None and other is None
    made = create_tournament(olga, "round-robin", pace="timed", round_minutes=30, is_double=True)
    join_players(made, list(Player.objects.exclude(pk=olga.pk)))
    start_tournament(made)
    for pairing in list_live_pairings(made):
        if pairing.tournament_id == made.pk and pairing.match is not None:
            end_match(pairing.match, "draw")
    run_due_steps()
    made.refresh_from_db()
    assert made.round == 1 and "Next round" in bar(olga, made)
    organiser_actions.close_round(olga, made.pk, 1)
    run_due_steps()
    made.refresh_from_db()
    assert made.round == 2
    ends_at = Round.objects.get(tournament=made, number=2).ends_at
    assert ends_at is not None and ends_at > timezone.now() + timedelta(minutes=29)


def test_nobody_ends_a_round_of_their_own_game_or_during_a_pause() -> None:
    olga, made, players = started(many=3)
    must_be_refused("not-allowed", organiser_actions.close_round, players[0], made.pk, 1)
    organiser_actions.pause_tournament(olga, made.pk)
    must_be_refused("paused", organiser_actions.close_round, olga, made.pk, 1)
    assert "Next round" not in bar(olga, made)
    arena = create_tournament(olga, "arena")
    must_be_refused("not-in-this-state", organiser_actions.close_round, olga, arena.pk, 0)
    own = create_tournament(olga)
    join_players(own, [olga, players[0], players[1]])
    start_tournament(own)
    plays = Entry.objects.get(tournament=own, player=olga).playing_id is not None
    if plays:
        must_be_refused("own-game", organiser_actions.close_round, olga, own.pk, 1)


@pytest.mark.parametrize(
    ("act", "form"),
    [
        ("start", {}),
        ("pause", {}),
        ("end", {}),
        ("call-off", {}),
        ("remove", {"entry": "first"}),
        ("forfeit", {"pairing": "first", "absent": 1}),
        ("add", {"player": "Olga Brook"}),
    ],
)
def test_an_action_that_is_sent_twice_is_carried_out_once(
    act: str, form: dict[str, object]
) -> None:
    if act in {"start", "call-off"}:
        olga, players = create_player("Olga Brook"), create_players(4)
        made = create_tournament(olga)
        join_players(made, players)
    else:
        olga, made, _ = started(many=4)
    values = dict(form)
    if "entry" in form:
        values["entry"] = Entry.objects.filter(tournament=made).order_by("pk")[0].pk
    if "pairing" in form:
        values["pairing"] = list_live_pairings(made)[0].pk
    for _ in range(2):
        answer = post_action(client_for(olga), made, act, **values)
        assert "notice error" not in answer.content.decode()
        once = list_log(made)
        run_due_steps()
    answer = post_action(client_for(olga), made, act, **values)
    assert "notice error" not in answer.content.decode()
    assert set(once) <= set(list_log(made))
    done = [code for code in list_log(made) if code not in {"event.out", "event.late.3"}]
    assert len(done) == len(set(done))


def test_a_withdrawal_that_is_sent_twice_is_carried_out_once() -> None:
    _, made, players = started(many=4)
    for _ in range(2):
        registration.withdraw_player(players[0], made.pk)
    assert list_log(made).count("event.withdrew") == 1


def test_late_players_are_offered_by_name_in_a_group() -> None:
    olga, (mia, nils, zoe) = create_organiser(), create_players(3)
    group = create_group(olga, mia, nils, zoe)
    made = create_tournament(olga, registration="group", group_id=group.pk)
    join_players(made, [mia, nils])
    start_tournament(made)
    shown = bar(olga, made)
    assert f'<option value="{zoe.name}">' in shown and f'<option value="{mia.name}">' not in shown


def test_the_page_is_read_again_if_it_changed_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    olga, made, players = started(many=4)
    read, seen = tournament_page.context, []

    def change_once(request: object, found: Tournament) -> dict[str, object]:
        context = read(request, found)  # type: ignore[arg-type]
        if not seen:
            organiser_actions.pause_tournament(olga, made.pk)
        seen.append(found.version)
        return context

    monkeypatch.setattr(tournament_page, "context", change_once)
    assert "Paused</span>" in get_page(players[0], made)
    assert len(seen) == 2
