"""Closing an account: after a week, unless the player logs in; games stay and can be verified."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from games.match.setup import Setup
from games.models import Caller, Connection, Match, Notice
from games.store.records import find_unsound_matches, read_with_names
from lobby.accounts.guests import new_guest
from lobby.accounts.merging import merge_guest
from lobby.accounts.names import change_name, find_person
from lobby.models import FormerName, Player, Seek
from lobby.privacy import account_deletion
from lobby.privacy.account_deletion import cancel_deletion, delete_due_accounts, schedule_deletion
from lobby.seeks import matchmaking
from tests.builders.matches import create_finished_match
from tests.builders.players import PASSWORD, create_player
from tests.builders.second_factors import give_factor

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna() -> Any:
    return create_player("Anna Berg", email="anna@example.org")


@pytest.fixture
def page(anna: Any) -> Client:
    client = Client()
    answer = client.post("/accounts/login/", {"login": "Anna Berg", "password": PASSWORD})
    assert answer.status_code == 302
    return client


def a_week_on() -> None:
    Player.objects.filter(closing_at__isnull=False).update(
        closing_at=timezone.now() - timedelta(seconds=1)
    )


def connected(match: Match, seat: int) -> None:
    now = timezone.now()
    Connection.objects.create(
        match=match, seat=seat, server="s", address="a" * 16, opened_at=now, seen_at=now
    )


def test_it_asks_for_the_password_and_logs_out_everywhere(anna: Any, page: Client) -> None:
    other = Client()
    other.post("/accounts/login/", {"login": "Anna Berg", "password": PASSWORD})
    for wrong in ("", "wrong", "x" * 10_000):
        answer = page.post("/accounts/close/", {"password": wrong})
        assert answer.status_code == 400
        assert "Wrong password" in answer.content.decode()
    assert Player.objects.get(pk=anna.pk).closing_at is None
    answer = page.post("/accounts/close/", {"password": PASSWORD}, follow=True)
    assert "Your account will be closed on" in answer.content.decode()
    left = Player.objects.get(pk=anna.pk).closing_at - timezone.now()
    assert timedelta(days=6, hours=23) < left < timedelta(days=7, hours=1)
    for client in (page, other):
        assert "_auth_user_id" not in client.session
    assert page.get("/accounts/close/").status_code == 302


def test_signing_in_undoes_it(anna: Any, page: Client) -> None:
    page.post("/accounts/close/", {"password": PASSWORD})
    login = {"login": "Anna Berg", "password": PASSWORD}
    assert (
        "Your account stays open."
        in page.post("/accounts/login/", login, follow=True).content.decode()
    )
    a_week_on()
    delete_due_accounts()
    found = Player.objects.get(pk=anna.pk)
    assert (found.closing_at, found.closed_at, found.name) == (None, None, "Anna Berg")


def test_what_goes_and_what_stays(anna: Any, page: Client) -> None:
    bob, guest = create_player("Bob Cole"), new_guest()
    matches = [
        create_finished_match("tic-tac-toe", anna, bob),
        create_finished_match("tic-tac-toe", bob, guest, 2),
    ]
    merge_guest(guest.pk, anna.pk)
    for match in matches:
        connected(match, 0)
        connected(match, 1)
    EmailAddress.objects.create(user=anna, email="anna@example.org", primary=True)
    give_factor(anna)
    Caller.objects.create(player=anna, address="a" * 16, at=timezone.now())
    Notice.objects.create(player=anna, words="Hello")
    matchmaking.create_seek(anna.pk, Setup("tic-tac-toe"), by_address=True)
    change_name(anna.pk, "Clara")
    key = page.session.session_key
    assert schedule_deletion(anna.pk)
    assert not schedule_deletion(anna.pk), "a repeat moves nothing on"
    delete_due_accounts()
    assert Player.objects.get(pk=anna.pk).name == "Clara", "not before its time"
    a_week_on()
    delete_due_accounts()
    delete_due_accounts()
    found = Player.objects.get(pk=anna.pk)
    assert (found.name, found.email, found.is_active) == ("Deleted player", "", False)
    assert (found.closing_at, found.last_login) == (None, None)
    assert not found.has_usable_password()
    assert not Player.objects.filter(username__in=("Clara", "Anna Berg", guest.username)).exists()
    for rows in (EmailAddress, Authenticator, Caller, Notice, FormerName):
        assert not rows.objects.exists(), rows
    assert not Seek.objects.filter(match=None).exists()
    assert not Session.objects.filter(pk=key).exists()
    assert sorted(Connection.objects.values_list("match", "seat")) == sorted(
        [(matches[0].pk, 1), (matches[1].pk, 0)]
    ), "the other's notes stay"
    assert find_unsound_matches([match.pk for match in matches]) == {}
    assert read_with_names([matches[0].pk], None)[matches[0].pk][1] == (
        "Deleted player",
        "Bob Cole",
    )
    assert read_with_names([matches[1].pk], None)[matches[1].pk][1] == (
        "Bob Cole",
        "Deleted player",
    )
    assert "Deleted player" in Client().get(f"/match/{matches[0].pk}/").content.decode()
    assert find_person("Clara") is find_person("Anna Berg") is find_person("Deleted player") is None
    login = page.post("/accounts/login/", {"login": "Clara", "password": PASSWORD})
    assert login.status_code == 200
    assert "_auth_user_id" not in page.session
    assert not cancel_deletion(anna.pk)


def test_two_are_closed_under_the_same_words(anna: Any) -> None:
    bob = create_player("Bob Cole")
    match = create_finished_match("tic-tac-toe", anna, bob)
    assert schedule_deletion(anna.pk)
    assert schedule_deletion(bob.pk)
    a_week_on()
    delete_due_accounts()
    assert read_with_names([match.pk], None)[match.pk][1] == ("Deleted player", "Deleted player")
    create_player("Anna Berg")  # her old name is available again


def test_a_kill_in_between_loses_nothing(anna: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(account_deletion, "_ROWS_PER_ROUND", 1)
    match = create_finished_match("tic-tac-toe", anna, create_player("Bob Cole"))
    for _ in range(3):
        connected(match, 0)
    schedule_deletion(anna.pk)
    a_week_on()

    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(account_deletion, "handlers", [*account_deletion.handlers, dies])
        with pytest.raises(KeyboardInterrupt):
            delete_due_accounts()
    assert Player.objects.get(pk=anna.pk).name == "Anna Berg", "all of that or nothing"
    with monkeypatch.context() as patch:
        patch.setattr(account_deletion, "_delete_many", dies)
        with pytest.raises(KeyboardInterrupt):
            delete_due_accounts()
    assert Player.objects.get(pk=anna.pk).name == "Deleted player"
    for left in (2, 1, 0):
        assert Player.objects.get(pk=anna.pk).closing_at is not None
        delete_due_accounts()
        assert Connection.objects.count() == left
    delete_due_accounts()
    assert Player.objects.get(pk=anna.pk).closing_at is None


def test_staff_and_guests_cannot(page: Client) -> None:
    assert not schedule_deletion(create_player("sara", "senior reviewer").pk)
    guest = new_guest()
    assert not schedule_deletion(guest.pk)
    client = Client()
    client.force_login(guest)
    assert client.get("/accounts/close/").status_code == 302
