"""The commands that make staff and organisers."""

import io
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from config.management.commands import create_staff, make_organiser
from lobby.groups.membership import may_organise
from lobby.models import Player
from tests.builders.players import client_for

PASSWORD = "a long password"


@pytest.fixture(autouse=True)
def migrated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the check of the migrations, which closes the connection of the test."""
    for command in (create_staff, make_organiser):
        monkeypatch.setattr(command, "must_be_migrated", lambda: None)


def run(monkeypatch: pytest.MonkeyPatch, *words: Any, given: str = PASSWORD) -> str:
    """Run a command with this standard input, and return what it prints."""
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{given}\n"))
    output = io.StringIO()
    call_command(*words, stdout=output)
    return output.getvalue()


@pytest.mark.django_db
def test_a_new_member_of_staff_is_asked_for_a_second_factor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = run(monkeypatch, "create_staff", "Head Teacher")
    assert "second factor" in told
    made = Player.objects.get(username="Head Teacher")
    assert made.is_staff
    assert made.is_superuser
    assert made.check_password(PASSWORD)
    answer = client_for(made).get("/admin/", follow=True)
    assert answer.redirect_chain[-1][0].startswith("/accounts/2fa/")
    assert may_organise(made)
    with pytest.raises(CommandError, match="already"):
        run(monkeypatch, "create_staff", "head teacher")


@pytest.mark.django_db
@pytest.mark.parametrize("given", ["short", "12345678901", "head teacher"])
def test_a_weak_password_makes_nobody(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    with pytest.raises(CommandError):
        run(monkeypatch, "create_staff", "Head Teacher", given=given)
    assert not Player.objects.filter(username="Head Teacher").exists()


@pytest.mark.django_db
def test_two_different_passwords_make_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter([PASSWORD, "another long password"])
    monkeypatch.setattr(create_staff, "getpass", lambda prompt: next(typed))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    with pytest.raises(CommandError, match="differ"):
        call_command("create_staff", "Head Teacher")
    assert not Player.objects.filter(username="Head Teacher").exists()


@pytest.mark.django_db(transaction=True)
def test_an_existing_account_keeps_its_password_and_loses_its_sessions(
    monkeypatch: pytest.MonkeyPatch, alice: Player
) -> None:
    alice.set_password(PASSWORD)
    alice.save()
    client = client_for(alice)
    assert client.get("/groups/").status_code == 200
    run(monkeypatch, "create_staff", alice.username, given="ignored")
    alice.refresh_from_db()
    assert alice.is_superuser
    assert alice.check_password(PASSWORD)


@pytest.mark.django_db
@pytest.mark.parametrize("change", [{"is_protected": True}, {"is_bot": True}, {"is_active": False}])
def test_children_programs_and_closed_accounts_cannot_be_staff(
    monkeypatch: pytest.MonkeyPatch, alice: Player, change: dict[str, bool]
) -> None:
    Player.objects.filter(pk=alice.pk).update(**change)
    with pytest.raises(CommandError):
        run(monkeypatch, "create_staff", alice.username)
    alice.refresh_from_db()
    assert not alice.is_staff


@pytest.mark.django_db
def test_an_organiser_is_made_and_unmade(monkeypatch: pytest.MonkeyPatch, alice: Player) -> None:
    def may() -> bool:
        return may_organise(Player.objects.get(pk=alice.pk))

    assert not may()
    assert "/groups/" in run(monkeypatch, "make_organiser", alice.username.upper())
    assert may()
    run(monkeypatch, "make_organiser", alice.username)  # a repetition changes nothing
    assert may()
    run(monkeypatch, "make_organiser", "--remove", alice.username)
    assert not may()
    with pytest.raises(CommandError, match="sign up"):
        run(monkeypatch, "make_organiser", "Nobody Here")


@pytest.mark.django_db
def test_a_child_cannot_be_an_organiser(monkeypatch: pytest.MonkeyPatch, alice: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(is_protected=True)
    with pytest.raises(CommandError, match="child"):
        run(monkeypatch, "make_organiser", alice.username)
    assert not may_organise(Player.objects.get(pk=alice.pk))
