"""The form that creates or edits a tournament shows errors and keeps all input."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from lobby.models import LogLine, Tournament
from tests.builders.pages import get_text
from tests.builders.players import client_for, create_player, create_players
from tests.builders.tournaments import (
    create_form,
    create_tournament,
    get_page,
    join_players,
    run_due_steps,
    start_tournament,
)

pytestmark = pytest.mark.django_db

State = Tournament.State
KINDS = ("round-robin", "swiss", "knockout", "arena")


def test_an_account_makes_a_tournament_by_the_form_as_it_is_proposed() -> None:
    olga = create_player("Olga Brook")
    client = client_for(olga)
    assert client.get("/tournaments/new/").status_code == 200
    answer = client.post("/tournaments/new/", create_form())
    made = Tournament.objects.get()
    assert answer.status_code == 302 and answer.headers["Location"] == made.get_absolute_url()
    assert (made.kind, made.rounds, made.clock, made.organiser) == ("swiss", 5, "5+3", olga)
    soon = made.starts_at - timezone.now()
    assert timedelta(minutes=29) < soon <= timedelta(minutes=30)


def test_one_that_comes_every_week_begins_a_series() -> None:
    client_for(create_player("Olga Brook")).post(
        "/tournaments/new/", create_form(weekly="yes", best="3")
    )
    made = Tournament.objects.get()
    assert made.series is not None and (made.series.every_days, made.series.best) == (7, 3)
    assert "the best 3 results count" in get_text(
        client_for(None).get(made.series.get_absolute_url())
    )


def test_a_form_that_is_sent_twice_makes_one_tournament() -> None:
    olga, oscar = create_player("Olga Brook"), create_player("Oscar Brook")
    client = client_for(olga)
    token = client.get("/tournaments/new/").context["token"]
    assert token and token != client.get("/tournaments/new/").context["token"]
    sent = create_form(token=token, weekly="yes", best="0")
    first, again = (client.post("/tournaments/new/", sent) for _ in range(2))
    made = Tournament.objects.get()
    assert first.headers["Location"] == again.headers["Location"] == made.get_absolute_url()
    assert LogLine.objects.filter(said__code="event.made").count() == 1
    # These requests create another tournament: other values, another player, or much later.
    client.post("/tournaments/new/", {**sent, "name": "Another evening"})
    client_for(oscar).post("/tournaments/new/", sent)
    assert Tournament.objects.count() == 3
    Tournament.objects.update(made_at=timezone.now() - timedelta(hours=1))
    assert client.post("/tournaments/new/", sent).headers["Location"] != made.get_absolute_url()
    assert Tournament.objects.count() == 4


def test_guests_and_visitors_make_none() -> None:
    for who in (None, create_player("some guest", is_guest=True)):
        answer = client_for(who).post("/tournaments/new/", create_form())
        assert answer.status_code == 302 and "/accounts/login/" in answer.headers["Location"]
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("field", "more", "said"),
    [
        ("name", {"name": " "}, "Enter a name."),
        ("rounds", {"rounds": "99"}, "from 1 to 20"),
        ("rounds", {"rounds": "five"}, "Enter a number"),
        ("rounds", {"rounds": "6", "most": "6"}, "too many for 6 players"),
        ("clock", {"kind": "arena", "clock": ""}, "Arenas need a time control"),
        ("clock", {"clock": "many"}, "error"),
        ("rated", {"rated": "yes", "game": "tic-tac-toe"}, "cannot be rated"),
        ("bots", {"kind": "arena", "bots": "yes", "rated": "yes"}, "cannot be rated"),
        ("lowest", {"lowest": "2000", "highest": "1000"}, "Ratings range from"),
        ("starts_at", {"when": "at", "starts_at": "2020-01-01T10:00"}, "in the past"),
        ("starts_at", {"when": "at", "starts_at": "soon"}, "Enter a date and a time"),
        ("starts_at", {"when": "at", "starts_at": ""}, "Enter a date and a time"),
        ("opens_at", {"opens_at": "soon"}, "Enter a date and a time"),
        ("opens_at", {"opens_at": "2020-01-01T10:00"}, "in the past"),
        ("opens_at", {"opens_at": "2099-01-01T10:00"}, "must open before"),
        ("most", {"most": "1"}, "from 2 to"),
        ("late_minutes", {"late_minutes": "0"}, "from 1 to"),
        ("kind", {"kind": "boxing"}, "error"),
        ("registration", {"registration": "group nosuch"}, "error"),
    ],
)
def test_what_is_wrong_with_a_field_is_said_beside_it_and_nothing_is_lost(
    field: str, more: dict[str, Any], said: str
) -> None:
    answer = client_for(create_player("Olga Brook")).post(
        "/tournaments/new/", create_form(**more, about="Bring tea.")
    )
    found = get_text(answer)
    assert answer.status_code == 400 and not Tournament.objects.exists()
    assert said in found and "Bring tea." in found
    assert field in answer.context["form"].faults or "" in answer.context["form"].faults


def test_an_organiser_lets_bots_join_an_arena_and_changes_that() -> None:
    client = client_for(create_player("Olga Brook"))
    client.post("/tournaments/new/", create_form(kind="arena", bots="yes"))
    made = Tournament.objects.get()
    assert made.bots and "Bots may join" in get_page(None, made)
    path = f"/tournaments/{made.pk}/change/"
    assert client.get(path).context["form"].values["bots"] is True
    client.post(path, create_form(kind="arena"))
    made.refresh_from_db()
    assert not made.bots and "Bots may join" not in get_page(None, made)


def test_a_time_is_taken_as_the_visitors_clock_shows_it() -> None:
    client, at = client_for(create_player("Olga Brook")), timezone.now() + timedelta(days=2)
    typed = (at + timedelta(minutes=330)).strftime("%Y-%m-%dT%H:%M")
    client.post(
        "/tournaments/new/", create_form(when="at", starts_at=typed, starts_at_offset="330")
    )
    made = Tournament.objects.get()
    assert abs(made.starts_at - at) < timedelta(minutes=1)
    kept = client.get(f"{made.get_absolute_url()}change/").context["fields"]["starts_at"]["value"]
    assert kept == made.starts_at.strftime("%Y-%m-%dT%H:%M")


def test_an_organiser_changes_it_until_it_begins_and_nobody_else_does() -> None:
    olga, anna = create_player("Olga Brook"), create_player("Anna Berg")
    made = create_tournament(olga)
    path = f"/tournaments/{made.pk}/change/"
    assert client_for(anna).get(path).status_code == 403
    assert client_for(anna).post(path, create_form(name="Mine")).status_code == 403
    assert client_for(None).post(path, create_form(name="Mine")).status_code == 302
    client = client_for(olga)
    assert client.get(path).status_code == 200
    assert client.post(path, create_form(name="Another evening", rounds="4")).status_code == 302
    made.refresh_from_db()
    assert (made.name, made.rounds) == ("Another evening", 4)
    join_players(made, create_players(4))
    start_tournament(made)
    answer = client.post(path, create_form(name="Too late"))
    made.refresh_from_db()
    assert answer.status_code == 400 and made.name == "Another evening"


def test_registration_opens_when_the_organiser_says() -> None:
    olga, anna = create_player("Olga Brook"), create_player("Anna Berg")
    opens = timezone.now() + timedelta(days=1)
    typed = (opens + timedelta(minutes=60)).strftime("%Y-%m-%dT%H:%M")
    starts = (opens + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M")
    client = client_for(olga)
    wanted = create_form(when="at", starts_at=starts, opens_at=typed, opens_at_offset="60")
    client.post("/tournaments/new/", wanted)
    made = Tournament.objects.get()
    assert made.opens_at is not None and abs(made.opens_at - opens) < timedelta(minutes=1)
    assert made.state == State.ANNOUNCED
    shown = get_page(anna, made)
    assert "Registration opens in" in shown and "Join" not in shown
    change = f"{made.get_absolute_url()}change/"
    kept = client.get(change).context["fields"]["opens_at"]["value"]
    assert kept == made.opens_at.strftime("%Y-%m-%dT%H:%M")
    client.post(change, create_form(when="at", starts_at=starts))
    made.refresh_from_db()
    assert made.opens_at is None and made.state == State.REGISTRATION
    client.post(change, create_form(when="at", starts_at=starts, opens_at=kept))
    made.refresh_from_db()
    assert made.state == State.ANNOUNCED
    client.post(change, create_form(when="at", starts_at=starts))
    run_due_steps()
    join_players(made, [anna])
    answer = client.post(change, create_form(when="at", starts_at=starts, opens_at=kept))
    assert answer.status_code == 400 and "already registered" in get_text(answer)
    made.refresh_from_db()
    assert made.state == State.REGISTRATION and made.opens_at is None


def test_a_change_that_moves_nothing_keeps_who_has_checked_in() -> None:
    olga, players = create_player("Olga Brook"), create_players(2)
    opens = timezone.now() + timedelta(seconds=1)
    made = create_tournament(olga, check_in_minutes=30, opens_at=opens)
    Tournament.objects.update(
        state=State.CHECK_IN,
        starts_at=timezone.now() + timedelta(minutes=20),
        opens_at=timezone.now() - timedelta(hours=1),
    )
    made.refresh_from_db()
    join_players(made, players)
    client = client_for(olga)
    change = f"{made.get_absolute_url()}change/"
    fields = client.get(change).context["fields"]
    times = {name: fields[name]["value"] for name in ("starts_at", "opens_at")}
    answer = client.post(
        change, create_form(when="at", check_in_minutes="30", name="Anew", **times)
    )
    assert answer.status_code == 302
    made.refresh_from_db()
    assert (made.name, made.state) == ("Anew", State.CHECK_IN)
    assert made.entries.filter(checked_in_at=None).count() == 0
    later = (made.starts_at + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M")
    client.post(
        change, create_form(when="at", check_in_minutes="30", **{**times, "starts_at": later})
    )
    made.refresh_from_db()
    assert made.state == State.REGISTRATION
    assert made.entries.filter(checked_in_at=None).count() == 2
