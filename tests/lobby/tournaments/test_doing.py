"""Actions of players and organisers on a tournament's page, and refusals."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from lobby.models import Entry, LogLine, Pairing, Tournament
from lobby.tournaments import series
from tests.builders.groups import create_group
from tests.builders.pages import get_text
from tests.builders.players import client_for, create_organiser, create_player, create_players
from tests.builders.tournaments import (
    create_tournament,
    get_page,
    join_players,
    play_round,
    post_action,
    start_tournament,
)

pytestmark = pytest.mark.django_db

State = Tournament.State
KINDS = ("round-robin", "swiss", "knockout", "arena")


# -- players


def test_a_player_registers_withdraws_and_registers_again() -> None:
    anna, made = create_player("Anna Berg"), create_tournament(create_player("Olga Brook"))
    client = client_for(anna)
    assert "Join" in get_page(anna, made)
    assert "You joined the tournament." in get_text(post_action(client, made, "register"))
    assert "Withdraw from the tournament" in get_page(anna, made)
    post_action(client, made, "withdraw")
    assert not Entry.objects.exists()
    post_action(client, made, "register")
    assert Entry.objects.get().player == anna


def test_guests_take_part_where_the_tournament_allows_it() -> None:
    closed, olga = create_tournament(create_player("Olga Brook")), create_player("Oscar Brook")
    open_ = create_tournament(olga, guests=True)
    visitor = Client()
    answer = visitor.post(f"/tournaments/{closed.pk}/do/register/")
    assert answer.status_code == 302 and "/accounts/login/" in answer.headers["Location"]
    assert "account" in get_page(None, closed)
    visitor.post(f"/tournaments/{open_.pk}/do/register/")
    assert Entry.objects.get().tournament == open_
    assert Entry.objects.get().player.is_guest


def test_a_code_is_asked_for_and_shown_to_the_organiser_alone() -> None:
    olga, anna = create_player("Olga Brook"), create_player("Anna Berg")
    made = create_tournament(olga, registration="code")
    assert made.code
    assert 'name="code"' in get_page(anna, made) and made.code not in get_page(anna, made)
    assert made.code in get_page(olga, made).replace("-", "").replace(" ", "")
    assert "Wrong code" in get_text(
        post_action(client_for(anna), made, "register", code="WRONGCODE")
    )
    post_action(client_for(anna), made, "register", code=made.code.lower())
    assert Entry.objects.get().player == anna


def test_a_bye_is_asked_for_and_who_is_there_checks_in() -> None:
    anna, made = (
        create_player("Anna Berg"),
        create_tournament(create_player("Olga Brook"), check_in_minutes=30),
    )
    client = client_for(anna)
    post_action(client, made, "register")
    assert "You have a half-point bye in round 2" in get_text(
        post_action(client, made, "bye", round="2")
    )
    assert Entry.objects.get().bye_rounds == (2,)
    assert client.post(f"/tournaments/{made.pk}/do/bye/", {"round": "x"}).status_code == 400
    Tournament.objects.update(starts_at=timezone.now() + timedelta(minutes=20), state="check-in")
    made.refresh_from_db()
    assert "Check in" in get_page(anna, made)
    post_action(client, made, "check-in")
    assert Entry.objects.get().checked_in_at is not None


def test_a_bye_that_was_asked_for_is_given_back() -> None:
    anna, made = create_player("Anna Berg"), create_tournament(create_player("Olga Brook"))
    client = client_for(anna)
    post_action(client, made, "register")
    assert "You have a half-point bye" not in get_page(anna, made)
    post_action(client, made, "bye", round="2")
    assert "You have a half-point bye in round 2." in get_page(anna, made)
    assert "Your bye in round 2 was cancelled." in get_text(
        post_action(client, made, "bye-back", round="2")
    )
    assert Entry.objects.get().bye_rounds == ()
    log = get_page(None, made)
    assert "Requested a bye in round 2." in log and "Cancelled the bye in round 2." in log
    lines = LogLine.objects.count()
    post_action(client, made, "bye-back", round="2")  # in another tab
    assert LogLine.objects.count() == lines
    assert client.post(f"/tournaments/{made.pk}/do/bye-back/", {"round": "x"}).status_code == 400
    answer = post_action(client_for(create_player("Ed Other")), made, "bye-back", round="2")
    assert "is not in the tournament" in get_text(answer)


def test_a_bye_of_a_round_that_is_paired_stays() -> None:
    players, made = create_players(4), create_tournament(create_player("Olga Brook"))
    join_players(made, players)
    client = client_for(players[0])
    post_action(client, made, "bye", round="1")
    start_tournament(made)
    assert "You have a half-point bye" not in get_page(players[0], made)
    assert "has already been paired" in get_text(post_action(client, made, "bye-back", round="1"))
    assert Entry.objects.get(player=players[0]).bye_rounds == (1,)


def test_who_may_not_take_part_is_told_why() -> None:
    made = create_tournament(create_player("Olga Brook"), lowest=2000)
    anna = create_player("Anna Berg")
    assert "This tournament is for ratings from 2000" in get_page(anna, made)
    post_action(client_for(anna), made, "register")
    assert not Entry.objects.exists()


# -- organisers; all others are refused

TOOLS = {
    "start": {},
    "pause": {},
    "resume": {},
    "end": {},
    "call-off": {},
    "new-code": {},
    "add": {"player": "Late Comer"},
    "remove": {"entry": "{entry}"},
    "forfeit": {"entry": "{entry}"},
}


@pytest.mark.parametrize("phase", ["before", "running"])
def test_only_who_runs_it_does_what_an_organiser_does(phase: str) -> None:
    olga, players = create_player("Olga Brook"), create_players(4)
    made = create_tournament(olga, registration="code")
    create_player("Late Comer")
    join_players(made, players)
    if phase == "running":
        start_tournament(made)
    entry = Entry.objects.get(player=players[0]).pk
    before = state(made)
    guest = create_player("some guest", is_guest=True)
    rita = create_player("Rita R", "reviewer")
    Authenticator.objects.filter(user=rita).delete()  # staff need a second factor here as well
    for who in (None, guest, players[0], create_player("Ed Other"), rita):
        client = client_for(who)
        for act, form in TOOLS.items():
            filled = {name: value.format(entry=entry) for name, value in form.items()}
            answer = client.post(f"/tournaments/{made.pk}/do/{act}/", filled)
            assert answer.status_code == 403, (act, who)
            assert state(made) == before, (act, who)


def state(made: Tournament) -> list[Any]:
    return [
        Tournament.objects.filter(pk=made.pk).values().get(),
        list(Entry.objects.order_by("pk").values()),
        list(Pairing.objects.order_by("pk").values()),
        LogLine.objects.count(),
    ]


def test_the_organiser_starts_pauses_goes_on_adds_removes_and_ends_it() -> None:
    olga, players = create_player("Olga Brook"), create_players(4)
    made, client = create_tournament(olga), client_for(olga)
    join_players(made, players)
    post_action(client, made, "start")
    start_tournament(made)
    assert made.state == State.RUNNING
    post_action(client, made, "pause")
    assert "Paused" in get_page(None, made) and "Resume" in get_page(olga, made)
    post_action(client, made, "resume")
    assert "Running" in get_page(None, made)
    late = create_player("Late Comer")
    post_action(client, made, "add", player="Late Comer", half_points="1")
    post_action(client_for(late), made, "register")
    entry = Entry.objects.get(player=late)
    assert entry.points == 50  # half a point for the missed round
    assert "no player with this name" in get_text(
        post_action(client, made, "add", player="Nobody At All")
    )
    post_action(client, made, "remove", entry=entry.pk)
    assert Entry.objects.get(player=late).state == Entry.State.REMOVED
    live = Pairing.objects.filter(tournament=made, ended_at=None).first()
    assert live is not None
    post_action(client, made, "forfeit", entry=live.first_id)
    live.refresh_from_db()
    assert live.absent == 1
    post_action(client, made, "end")
    log = get_page(None, made)
    for said in (
        "Paused.",
        "Resumed.",
        "Added Late Comer, with half",
        "Removed Late Comer.",
        "Ended early",
    ):
        assert said in log, said


def test_the_organiser_says_how_many_half_points_who_comes_late_has() -> None:
    olga, players = create_player("Olga Brook"), create_players(4)
    made, client = create_tournament(olga), client_for(olga)
    join_players(made, players)
    assert "half_points" not in get_page(olga, made)
    start_tournament(made)
    play_round(made)
    shown = get_page(olga, made)
    for said in ("half a point for each of 2 rounds", "half a point for 1 round", "no points"):
        assert said in shown, said
    for name, count, points, said in (
        ("Late Anna", "2", 100, "Added Late Anna, with half a point for each of 2 missed rounds."),
        ("Late Ben", "1", 50, "Added Late Ben, with half a point for 1 missed round."),
        ("Late Cleo", "0", 0, "Joined."),
    ):
        late = create_player(name)
        answer = post_action(client, made, "add", player=name, half_points=count)
        assert f"{name} was invited." in get_text(answer)
        post_action(client_for(late), made, "register")
        assert Entry.objects.get(player=late).points == points
        assert said in get_page(None, made)
    create_player("Late Dan")
    answer = post_action(client, made, "add", player="Late Dan", half_points="3")
    assert "a number from 0 to 2" in get_text(answer)
    path = f"/tournaments/{made.pk}/do/add/"
    answer = client.post(path, {"player": "Late Dan", "half_points": "-1"})
    assert answer.status_code == 400 and Entry.objects.count() == 7


@pytest.mark.parametrize("group", ["reviewer", "senior reviewer"])
def test_the_moderators_look_after_every_tournament(group: str) -> None:
    rita, otto = create_player("Rita R", group), create_player("Otto Brook")
    olga, anna = create_organiser(), create_player("Anna Berg")
    made = create_tournament(olga, registration="group", group_id=create_group(olga, anna).pk)
    found = series.create_series(olga, made.pk, "Thursdays")
    join_players(made, [anna])
    admin, client = client_for(rita), client_for(rita)
    assert made.name in get_text(admin.get("/admin/lobby/tournament/"))
    path = f"/admin/lobby/tournament/{made.pk}/change/"
    assert admin.get(path).status_code == 200
    answer = admin.post(path, {"organiser": otto.pk})  # a player who does not organise the group
    assert answer.status_code == 200 and "cannot run the tournament" in get_text(answer)
    post_action(client, made, "remove", entry=Entry.objects.get().pk)
    assert Entry.objects.get().state == Entry.State.REMOVED
    assert client.get(found.get_absolute_url()).context["may_end"]
    Tournament.objects.update(group=None)
    assert admin.post(path, {"organiser": otto.pk, "name": "Mine"}).status_code == 302
    made.refresh_from_db()
    found.refresh_from_db()
    assert (made.organiser, found.organiser, made.name) == (otto, otto, "Evening")
    assert "Otto Brook is the new organiser. (Rita R)" in strip_tags(get_page(None, made))
    assert client_for(olga).get(f"/tournaments/{made.pk}/change/").status_code == 403
    assert client_for(otto).get(f"/tournaments/{made.pk}/change/").status_code == 200


def test_an_organiser_invites_and_who_is_invited_accepts() -> None:
    olga, anna = create_player("Olga Brook"), create_player("Anna Berg")
    made = create_tournament(olga, registration="invitation")
    assert "This tournament is by invitation only" in get_page(anna, made)
    post_action(client_for(olga), made, "add", player="anna berg")
    assert "Accept invitation" in get_page(anna, made)
    post_action(client_for(anna), made, "register")
    assert Entry.objects.get().state == Entry.State.IN


def test_forms_with_nonsense_change_nothing() -> None:
    olga = create_player("Olga Brook")
    made, client = create_tournament(olga), client_for(olga)
    other = create_tournament(olga)
    join_players(other, create_players(2))
    before = state(made)
    for act in ("remove", "forfeit"):
        for bad in ("", "x", "-1", "9" * 30, str(Entry.objects.first().pk)):  # type: ignore[union-attr]
            answer = client.post(f"/tournaments/{made.pk}/do/{act}/", {"entry": bad})
            assert answer.status_code in (302, 400), (act, bad)
    assert client.post(f"/tournaments/{made.pk}/do/fly/").status_code == 404
    assert client.get(f"/tournaments/{made.pk}/do/start/").status_code == 405
    assert state(made) == before
