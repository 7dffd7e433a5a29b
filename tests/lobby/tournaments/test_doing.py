"""What players and the organiser do on a tournament's page, and who may not."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from lobby.models import Entry, LogLine, Pairing, Tournament
from lobby.tournaments import series
from tests.games.review.conftest import player
from tests.lobby.groups.people import club, organiser, seen_by
from tests.lobby.tournaments.browsing import do, page, text
from tests.lobby.tournaments.people import (
    begin,
    event,
    join_all,
    people,
    play_round,
)

pytestmark = pytest.mark.django_db

State = Tournament.State
KINDS = ("round-robin", "swiss", "knockout", "arena")


# -- taking part


def test_a_player_registers_withdraws_and_registers_again() -> None:
    anna, made = player("Anna Berg"), event(player("Olga Brook"))
    client = seen_by(anna)
    assert "Take part" in page(anna, made)
    assert "You take part." in text(do(client, made, "register"))
    assert "Withdraw from the tournament" in page(anna, made)
    do(client, made, "withdraw")
    assert not Entry.objects.exists()
    do(client, made, "register")
    assert Entry.objects.get().player == anna


def test_guests_take_part_where_the_tournament_allows_it() -> None:
    closed, olga = event(player("Olga Brook")), player("Oscar Brook")
    open_ = event(olga, guests=True)
    visitor = Client()
    answer = visitor.post(f"/tournaments/{closed.pk}/do/register/")
    assert answer.status_code == 302 and "/accounts/login/" in answer.headers["Location"]
    assert "account" in page(None, closed)
    visitor.post(f"/tournaments/{open_.pk}/do/register/")
    assert Entry.objects.get().tournament == open_
    assert Entry.objects.get().player.is_guest


def test_a_code_is_asked_for_and_shown_to_the_organiser_alone() -> None:
    olga, anna = player("Olga Brook"), player("Anna Berg")
    made = event(olga, registration="code")
    assert made.code
    assert 'name="code"' in page(anna, made) and made.code not in page(anna, made)
    assert made.code in page(olga, made).replace("-", "").replace(" ", "")
    assert "not the code" in text(do(seen_by(anna), made, "register", code="WRONGCODE"))
    do(seen_by(anna), made, "register", code=made.code.lower())
    assert Entry.objects.get().player == anna


def test_a_bye_is_asked_for_and_who_is_there_checks_in() -> None:
    anna, made = player("Anna Berg"), event(player("Olga Brook"), check_in_minutes=30)
    client = seen_by(anna)
    do(client, made, "register")
    assert "In round 2 you have half a point" in text(do(client, made, "bye", round="2"))
    assert Entry.objects.get().bye_rounds == (2,)
    assert client.post(f"/tournaments/{made.pk}/do/bye/", {"round": "x"}).status_code == 400
    Tournament.objects.update(starts_at=timezone.now() + timedelta(minutes=20), state="check-in")
    made.refresh_from_db()
    assert "I am here" in page(anna, made)
    do(client, made, "check-in")
    assert Entry.objects.get().checked_in_at is not None


def test_a_bye_that_was_asked_for_is_given_back() -> None:
    anna, made = player("Anna Berg"), event(player("Olga Brook"))
    client = seen_by(anna)
    do(client, made, "register")
    assert "You have a half-point bye" not in page(anna, made)
    do(client, made, "bye", round="2")
    assert "You have a half-point bye in round 2." in page(anna, made)
    assert "You play in round 2 after all." in text(do(client, made, "bye-back", round="2"))
    assert Entry.objects.get().bye_rounds == ()
    log = page(None, made)
    assert "Asked for a bye in round 2." in log and "Plays in round 2 after all." in log
    lines = LogLine.objects.count()
    do(client, made, "bye-back", round="2")  # in another tab
    assert LogLine.objects.count() == lines
    assert client.post(f"/tournaments/{made.pk}/do/bye-back/", {"round": "x"}).status_code == 400
    answer = do(seen_by(player("Ed Other")), made, "bye-back", round="2")
    assert "does not take part" in text(answer)


def test_a_bye_of_a_round_that_is_paired_stays() -> None:
    players, made = people(4), event(player("Olga Brook"))
    join_all(made, players)
    client = seen_by(players[0])
    do(client, made, "bye", round="1")
    begin(made)
    assert "You have a half-point bye" not in page(players[0], made)
    assert "is paired already" in text(do(client, made, "bye-back", round="1"))
    assert Entry.objects.get(player=players[0]).bye_rounds == (1,)


def test_who_may_not_take_part_is_told_why() -> None:
    made = event(player("Olga Brook"), lowest=2000)
    anna = player("Anna Berg")
    assert "This tournament is for ratings from 2000" in page(anna, made)
    do(seen_by(anna), made, "register")
    assert not Entry.objects.exists()


# -- the organiser's tools: each is refused to everybody else

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


@pytest.mark.parametrize("act", TOOLS)
@pytest.mark.parametrize("phase", ["before", "running"])
def test_only_who_runs_it_does_what_an_organiser_does(act: str, phase: str) -> None:
    olga, players = player("Olga Brook"), people(4)
    made = event(olga, registration="code")
    player("Late Comer")
    join_all(made, players)
    if phase == "running":
        begin(made)
    entry = Entry.objects.get(player=players[0]).pk
    filled = {name: value.format(entry=entry) for name, value in TOOLS[act].items()}
    before = state(made)
    guest = player("some guest", is_guest=True)
    rita = player("Rita R", "reviewer")
    Authenticator.objects.filter(user=rita).delete()  # staff need a second factor here, too
    for who in (None, guest, players[0], player("Ed Other"), rita):
        answer = seen_by(who).post(f"/tournaments/{made.pk}/do/{act}/", filled)
        assert answer.status_code == 403, (act, who)
    assert state(made) == before


def state(made: Tournament) -> list[Any]:
    return [
        Tournament.objects.filter(pk=made.pk).values().get(),
        list(Entry.objects.order_by("pk").values()),
        list(Pairing.objects.order_by("pk").values()),
        LogLine.objects.count(),
    ]


def test_the_organiser_starts_pauses_goes_on_adds_removes_and_ends_it() -> None:
    olga, players = player("Olga Brook"), people(4)
    made, client = event(olga), seen_by(olga)
    join_all(made, players)
    do(client, made, "start")
    begin(made)
    assert made.state == State.RUNNING
    do(client, made, "pause")
    assert "Paused" in page(None, made) and "Go on" in page(olga, made)
    do(client, made, "resume")
    assert "Running" in page(None, made)
    late = player("Late Comer")
    do(client, made, "add", player="Late Comer", half_points="1")
    do(seen_by(late), made, "register")
    entry = Entry.objects.get(player=late)
    assert entry.points == 50  # half a point for the round that was missed
    assert "no player of this name" in text(do(client, made, "add", player="Nobody At All"))
    do(client, made, "remove", entry=entry.pk)
    assert Entry.objects.get(player=late).state == Entry.State.REMOVED
    live = Pairing.objects.filter(tournament=made, ended_at=None).first()
    assert live is not None
    do(client, made, "forfeit", entry=live.first_id)
    live.refresh_from_db()
    assert live.absent == 1
    do(client, made, "end")
    log = page(None, made)
    for said in (
        "Paused.",
        "Goes on.",
        "Added Late Comer, with half",
        "Removed Late Comer.",
        "Ended it",
    ):
        assert said in log, said


def test_the_organiser_says_how_many_half_points_who_comes_late_has() -> None:
    olga, players = player("Olga Brook"), people(4)
    made, client = event(olga), seen_by(olga)
    join_all(made, players)
    assert "half_points" not in page(olga, made)
    begin(made)
    play_round(made)
    shown = page(olga, made)
    for said in ("half a point for each of 2 rounds", "half a point for 1 round", "no points"):
        assert said in shown, said
    for name, count, points, said in (
        ("Late Anna", "2", 100, "Added Late Anna, with half a point for each of 2 missed rounds."),
        ("Late Ben", "1", 50, "Added Late Ben, with half a point for 1 missed round."),
        ("Late Cleo", "0", 0, "Joined."),
    ):
        late = player(name)
        answer = do(client, made, "add", player=name, half_points=count)
        assert f"{name} is invited." in text(answer)
        do(seen_by(late), made, "register")
        assert Entry.objects.get(player=late).points == points
        assert said in page(None, made)
    player("Late Dan")
    answer = do(client, made, "add", player="Late Dan", half_points="3")
    assert "a number from 0 to 2" in text(answer)
    path = f"/tournaments/{made.pk}/do/add/"
    answer = client.post(path, {"player": "Late Dan", "half_points": "-1"})
    assert answer.status_code == 400 and Entry.objects.count() == 7


@pytest.mark.parametrize("group", ["reviewer", "senior reviewer"])
def test_the_moderators_look_after_every_tournament(group: str) -> None:
    rita, otto = player("Rita R", group), player("Otto Brook")
    olga, anna = organiser(), player("Anna Berg")
    made = event(olga, registration="group", group_id=club(olga, anna).pk)
    found = series.make_series(olga, made.pk, "Thursdays")
    join_all(made, [anna])
    admin, client = seen_by(rita), seen_by(rita)
    assert made.name in text(admin.get("/admin/lobby/tournament/"))
    path = f"/admin/lobby/tournament/{made.pk}/change/"
    assert admin.get(path).status_code == 200
    answer = admin.post(path, {"organiser": otto.pk})  # who does not run the group
    assert answer.status_code == 200 and "may not run it" in text(answer)
    do(client, made, "remove", entry=Entry.objects.get().pk)
    assert Entry.objects.get().state == Entry.State.REMOVED
    assert client.get(found.get_absolute_url()).context["may_end"]
    Tournament.objects.update(group=None)
    assert admin.post(path, {"organiser": otto.pk, "name": "Mine"}).status_code == 302
    made.refresh_from_db()
    found.refresh_from_db()
    assert (made.organiser, found.organiser, made.name) == (otto, otto, "Evening")
    assert "Otto Brook runs it from now on. (Rita R)" in strip_tags(page(None, made))
    assert seen_by(olga).get(f"/tournaments/{made.pk}/change/").status_code == 403
    assert seen_by(otto).get(f"/tournaments/{made.pk}/change/").status_code == 200


def test_an_organiser_invites_and_who_is_invited_accepts() -> None:
    olga, anna = player("Olga Brook"), player("Anna Berg")
    made = event(olga, registration="invitation")
    assert "Only who is invited" in page(anna, made)
    do(seen_by(olga), made, "add", player="anna berg")
    assert "Accept the invitation" in page(anna, made)
    do(seen_by(anna), made, "register")
    assert Entry.objects.get().state == Entry.State.IN


def test_forms_with_nonsense_change_nothing() -> None:
    olga = player("Olga Brook")
    made, client = event(olga), seen_by(olga)
    other = event(olga)
    join_all(other, people(2))
    before = state(made)
    for act in ("remove", "forfeit"):
        for bad in ("", "x", "-1", "9" * 30, str(Entry.objects.first().pk)):  # type: ignore[union-attr]
            answer = client.post(f"/tournaments/{made.pk}/do/{act}/", {"entry": bad})
            assert answer.status_code in (302, 400), (act, bad)
    assert client.post(f"/tournaments/{made.pk}/do/fly/").status_code == 404
    assert client.get(f"/tournaments/{made.pk}/do/start/").status_code == 405
    assert state(made) == before
