"""One rule for all names: of guests, in commands and in the admin."""

import importlib
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.bots import LEVELS
from games.messages.names import check_name, compute_coarse_key, compute_name_key
from games.messages.refusal import Refused
from lobby.accounts import guests, names
from lobby.accounts.guests import new_guest
from lobby.groups import class_accounts
from lobby.models import Player, Rating
from lobby.models.player import CoarseKey, imitated
from lobby.seeks.computer import get_computer
from tests.builders.query_plans import get_query_plan
from tests.builders.sites import ROOT

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


def leader(name: str, listed_days: int = 9) -> Player:
    """Create a player who is on a leaderboard, or no longer is."""
    found, now = Player.objects.create(username=name), timezone.now()
    Rating.objects.create(
        player=found, game="six-in-a-row", rating=1700, deviation=60, volatility=0.06, games=9,
        best=1700, streak=0, longest=0, key="x", rated_at=now,
        listed_until=now + timedelta(days=listed_days),
    )  # fmt: skip
    return found


def test_nobody_passes_for_staff_or_for_a_leader_with_digits() -> None:
    Player.objects.create(username="Voss", is_staff=True)
    leader("Zoe")
    leader("Tess")
    leader("Max 15")
    for name in ("Vo5s", "V055", "2oe", "T3ss", "7e55"):
        with pytest.raises(ValidationError, match="or a similar one"):
            Player(username=name).clean()
        with pytest.raises(IntegrityError), transaction.atomic():
            Player.objects.create(username=name)
        with pytest.raises(class_accounts.BadListError):
            class_accounts.parse_names(f"Mia\n{name}")
    assert class_accounts.build_numbered_names("Max", 14)[-1] == "Max-14"
    other = Player.objects.create(username="Otter", named_at=None)
    with pytest.raises(Refused, match="name-taken"):
        names.change_name(other.pk, "V055")
    assert names.change_name(other.pk, "Annas") == "Annas"


def test_others_may_have_names_that_differ_in_a_digit() -> None:
    leader("Tess", listed_days=-1)
    Player.objects.create(username="Gone", is_staff=True, is_active=False)
    names = ["T3ss", "G0ne 5", "Annas", "Anna5", "Anna 5b", "Pupil 12", "Pupil 15", "Pupil 1s"]
    for name in names:
        Player(username=name).clean()
        Player.objects.create(username=name)
    assert class_accounts.parse_names("Ann4s\nAnn45")


def test_a_leader_keeps_and_changes_their_own_name() -> None:
    tess, _ = leader("Tess"), Player.objects.create(username="Ben5", is_staff=True)
    assert names.change_name(tess.pk, "T3ss") == "T3ss"
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.create(username="Bens")
    Player.objects.filter(username="Ben5").update(last_login=timezone.now())
    ben = Player.objects.get(username="Ben5")
    ben.email = "a@b.example"
    ben.save()


def test_a_guest_gets_another_name_than_one_like_a_leaders(monkeypatch: Any) -> None:
    leader("Brave 0tter 5")
    names = iter(["Brave Otter S", "Calm Heron"])
    monkeypatch.setattr(guests, "_name", lambda attempt: next(names))
    assert new_guest().username == "Calm Heron"


def test_the_database_folds_keys_as_python_does_and_finds_them_by_an_index() -> None:
    names = ["Anna5", "2oe", "x3478", "P96", "1a0", "Ω7 2"]
    Player.objects.bulk_create(
        [Player(username=name, name_key=compute_name_key(name)) for name in names]
        + [Player(username=f"f{number}", name_key=f"f{number}") for number in range(500)]
    )
    rows = Player.objects.filter(username__in=names).annotate(coarse=CoarseKey("name_key"))
    for key, coarse in rows.values_list("name_key", "coarse"):
        assert coarse == compute_coarse_key(key)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    with CaptureQueriesContext(connection) as queries:
        imitated(["annas", "zoe"])
    (query,) = queries
    assert "player_coarse_key" in get_query_plan(query["sql"]), get_query_plan(query["sql"])


def test_the_computer_has_its_names_at_every_level() -> None:
    assert {get_computer(level).username for level in LEVELS} == {
        f"Computer ({words})" for words in LEVELS.values()
    }


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Computer (master)", "This name is reserved"),
        ("a\N{ZERO WIDTH SPACE}b", "invisible character"),
        (CYRILLIC, "or a similar one"),
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
        ("Computer (master)", "This name is reserved"),
        ("a\N{ZERO WIDTH SPACE}b", "invisible character"),
        (CYRILLIC, "or a similar one"),
        ("The Staff", "This name is reserved"),
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
    later.save()  # it keeps its name and needs no key
    assert later.name_key is None


def test_no_name_is_given_past_the_rule() -> None:
    """Code elsewhere that sets a name must apply the rule. This is the list of such code."""
    givers = {
        str(path.relative_to(ROOT))
        for folder in ("games", "lobby", "config")
        for path in Path(ROOT / folder).rglob("*.py")
        if "migrations" not in path.parts and "username=" in path.read_text()
    }
    assert givers == {
        "config/management/commands/create_staff.py",  # applies the rule
        "lobby/accounts/erasure.py",  # finds an account
        "lobby/management/commands/seed_demo.py",
        "lobby/seeks/computer.py",  # its own names
        "lobby/accounts/adapter.py",  # applies the rule
        "lobby/api/tournament_serializers.py",  # a field of a response
        "lobby/api/users.py",  # a field of a response
        "lobby/accounts/forms.py",  # a label
        "lobby/accounts/guests.py",
        "lobby/accounts/audit_events.py",  # finds an account
        "lobby/accounts/names.py",  # finds an account
        "lobby/accounts/recovery.py",  # finds an account
        "lobby/accounts/signup.py",  # from a form that has applied the rule
        "lobby/groups/class_accounts.py",  # from a list that has applied the rule
        "lobby/groups/member_passwords.py",  # an unsaved player, to validate a password
        "lobby/models/player.py",
        "lobby/players/games.py",  # a hidden opponent
        "lobby/seeks/one_screen.py",  # "Friend of" a name that has passed the rule
    }
