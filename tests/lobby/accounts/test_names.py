"""One rule for names, wherever a name is given: to guests, by commands, in the admin."""

import importlib
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from games.bots import LEVELS
from games.words.names import check_name
from lobby.accounts.guests import new_guest
from lobby.models import Player
from lobby.seeks.computer import computer
from tests.live import ROOT

pytestmark = pytest.mark.django_db
CYRILLIC = "\u0441\u0430\u0440"  # looks like "cap"


def test_every_guest_has_a_sound_name() -> None:
    for guest in [new_guest() for _ in range(30)]:
        assert check_name(guest.username) == guest.username
        assert guest.name_key


def test_the_database_refuses_a_name_that_looks_like_another() -> None:
    Player.objects.create(username="cap")
    for name in (CYRILLIC, "CAP", "c a p"):
        with pytest.raises(IntegrityError), transaction.atomic():
            Player.objects.create(username=name)


def test_the_computer_has_its_names_at_every_level() -> None:
    assert {computer(level).username for level in LEVELS} == {
        f"Computer ({words})" for words in LEVELS.values()
    }


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Computer (master)", "computer's"),
        ("a\N{ZERO WIDTH SPACE}b", "cannot be seen"),
        (CYRILLIC, "looks like it"),
    ],
)
def test_the_command_makes_no_administrator_with_such_a_name(name: str, told: str) -> None:
    Player.objects.create(username="cap")
    with pytest.raises(CommandError, match=told):
        call_command("createsuperuser", "--noinput", "--username", name, "--email", "a@b.example")
    assert Player.objects.count() == 1


def test_the_command_makes_an_administrator_called_admin() -> None:
    call_command("createsuperuser", "--noinput", "--username", "admin", "--email", "a@b.example")
    assert Player.objects.get().name_key


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Computer (master)", "computer&#x27;s"),
        ("a\N{ZERO WIDTH SPACE}b", "cannot be seen"),
        (CYRILLIC, "looks like it"),
        ("The Staff", "or for the moderators"),
    ],
)
def test_the_admin_gives_no_such_name(name: str, told: str, admin_client: Any) -> None:
    guest = Player.objects.create(username="Brave Otter", is_guest=True)
    Player.objects.create(username="cap")
    new = {"username": name, "usable_password": "false", "password1": "", "password2": ""}
    for path, form in (
        ("add/", new),
        (f"{guest.pk}/change/", {**_form(guest), "username": name}),
    ):
        answer = admin_client.post(f"/admin/lobby/player/{path}", form)
        assert answer.status_code == 200
        assert told in answer.content.decode()
    guest.refresh_from_db()
    assert guest.username == "Brave Otter"


def test_the_admin_changes_the_rest_of_a_player_with_an_older_name(admin_client: Any) -> None:
    older = Player.objects.create(username="Otter (2)", is_guest=True)
    answer = admin_client.post(
        f"/admin/lobby/player/{older.pk}/change/", {**_form(older), "email": "a@b.example"}
    )
    assert answer.status_code == 302, answer.content.decode()
    older.refresh_from_db()
    assert older.email == "a@b.example"


def _form(player: Player) -> dict[str, str]:
    return {
        "username": player.username,
        "email": player.email,
        "is_active": "on",
        "is_guest": "on",
        "date_joined_0": "2026-01-01",
        "date_joined_1": "10:00:00",
    }


def test_the_migration_gives_the_oldest_of_two_alike_the_key() -> None:
    names = ["cap", CYRILLIC, "Otter", "  ", *(f"Player {n}" for n in range(2500))]
    Player.objects.bulk_create(Player(username=name) for name in names)
    migration = importlib.import_module("lobby.migrations.0004_name_key")
    migration.fill(apps, None)
    keys = dict(Player.objects.values_list("username", "name_key"))
    assert keys["cap"] == "cap"
    assert keys[CYRILLIC] is None
    assert keys["  "] is None
    assert sum(key is not None for key in keys.values()) > 2490
    later = Player.objects.get(username=CYRILLIC)
    later.email = "a@b.example"
    later.save()  # it keeps its name, and needs no key
    assert later.name_key is None


def test_no_name_is_given_past_the_rule() -> None:
    """Whatever sets a name elsewhere must ask the rule: this is where it is done."""
    givers = {
        str(path.relative_to(ROOT))
        for folder in ("games", "lobby", "config")
        for path in Path(ROOT / folder).rglob("*.py")
        if "migrations" not in path.parts and "username=" in path.read_text()
    }
    assert givers == {
        "lobby/management/commands/seed_demo.py",
        "lobby/seeks/computer.py",  # its own names
        "lobby/accounts/adapter.py",  # asks the rule
        "lobby/api/tournament_told.py",  # what an answer shows
        "lobby/api/users.py",  # what an answer shows
        "lobby/accounts/forms.py",  # a label
        "lobby/accounts/guests.py",
        "lobby/accounts/login.py",  # looks an account up
        "lobby/accounts/renaming.py",  # asks the rule
        "lobby/accounts/naming.py",  # looks an account up
        "lobby/accounts/recovery.py",  # looks an account up
        "lobby/accounts/signing_up.py",  # of a form that has asked the rule
        "lobby/groups/making.py",  # of a list that has asked the rule
        "lobby/groups/passwords.py",  # a player who is not stored, to try a password on
        "lobby/models/player.py",
        "lobby/seeks/one_screen.py",  # "Friend of" a name that was asked
    }
