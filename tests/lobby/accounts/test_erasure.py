"""Erasing and anonymising accounts: hidden at once, back for a week, then gone with proofs kept."""

import re
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from games.formats import verify
from games.messages.refusal import Refused
from games.models import Connection
from games.review import decisions
from games.store.records import find_unsound_matches
from lobby.accounts import erasure
from lobby.accounts.erasure import erase_due_accounts, erase_player, restore_players
from lobby.accounts.guests import new_guest
from lobby.accounts.merging import merge_guest
from lobby.accounts.names import change_name, find_person
from lobby.accounts.tokens import create_token, get_token
from lobby.models import Erasure, FormerName, Played, Player, Preferences, Tally
from lobby.players.people import search
from lobby.privacy.account_deletion import delete_due_accounts, schedule_deletion
from lobby.seeks.one_screen import get_friend
from lobby.tournaments.locking import log_action
from tests.builders.matches import create_finished_match, deliver_events
from tests.builders.players import (
    PASSWORD,
    client_for,
    create_organiser,
    create_player,
    create_staff,
    log_in,
)
from tests.builders.tournaments import create_tournament, join_players
from tests.builders.transparency_log import append_finished_matches, run_verify_log

pytestmark = pytest.mark.django_db
ERASE, ANONYMISE = Erasure.Kind.ERASE, Erasure.Kind.ANONYMISE


def let_a_week_pass() -> None:
    Erasure.objects.filter(done_at=None).update(due_at=timezone.now() - timedelta(seconds=1))


def erase_everything_due() -> None:
    for _ in range(3):
        erase_due_accounts()
        delete_due_accounts()


@pytest.fixture
def anna() -> Any:
    return create_player("Anna Berg", email="anna@example.org")


@pytest.fixture
def bob() -> Any:
    return create_player("Bob Cole")


def get_columns(player_id: int) -> dict[str, Any]:
    return Player.objects.filter(pk=player_id).values().get()


def test_a_hidden_account_is_nowhere_to_be_found(anna: Any, bob: Any) -> None:
    match = create_finished_match("tic-tac-toe", anna, bob)
    deliver_events()
    change_name(anna.pk, "Clara Berg")
    client = log_in("Clara Berg")
    token = create_token(anna.pk, "t", ["account:read"]).text
    erase_player(anna.pk, ERASE, None, "asked by mail")
    assert client.get("/accounts/").status_code == 302, "the session has ended"
    assert "_auth_user_id" not in log_in("Clara Berg").session
    assert get_token(token) is None
    for name in ("Clara Berg", "Anna Berg"):
        assert find_person(name) is None
        assert Client().get(f"/player/{name}/").status_code == 404
    assert search("Clara", bob.pk) == search("Anna", bob.pk) == []
    for path in (f"/match/{match.pk}/", f"/match/{match.pk}/record.json", "/player/Bob Cole/"):
        page = Client().get(path).content.decode()
        assert "Deleted player" in page, path
        assert "Clara" not in page and "Anna" not in page, path


def test_undoing_brings_back_everything(anna: Any, bob: Any) -> None:
    guest = new_guest()
    create_finished_match("tic-tac-toe", guest, bob)
    merge_guest(guest.pk, anna.pk)
    Preferences.objects.create(player=anna, sound=False)
    token = create_token(anna.pk, "t", ["account:read"]).text
    get_friend(anna)
    friend = Player.objects.get(beside=anna)
    before = [get_columns(pk) for pk in (anna.pk, guest.pk, friend.pk)]
    assert friend.username == "Friend of Anna Berg"
    erase_player(anna.pk, ERASE, None, "")
    for pk in (anna.pk, guest.pk, friend.pk):
        assert Player.objects.get(pk=pk).name == "Deleted player"
    restore_players([anna.pk])
    assert [get_columns(pk) for pk in (anna.pk, guest.pk, friend.pk)] == before
    assert not Erasure.objects.exists() and not FormerName.objects.exists()
    assert Preferences.objects.get().sound is False
    assert get_token(token) is not None
    assert "_auth_user_id" in log_in("Anna Berg").session
    erase_player(anna.pk, ERASE, None, "")  # and once more
    let_a_week_pass()
    with pytest.raises(Refused, match="erase-done"):
        restore_players([anna.pk])


def test_nobody_takes_the_name_while_it_can_come_back(anna: Any) -> None:
    erase_player(anna.pk, ERASE, None, "")
    for name in ("Anna Berg", "anna berg"):
        form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
        assert Client().post("/accounts/signup/", form).status_code == 200
    restore_players([anna.pk])
    assert find_person("Anna Berg") == anna
    erase_player(anna.pk, ERASE, None, "")
    let_a_week_pass()
    erase_everything_due()
    create_player("Anna Berg")


def test_an_owner_who_wanted_to_go_has_the_same_days_left(anna: Any) -> None:
    schedule_deletion(anna.pk)
    Player.objects.update(closing_at=timezone.now() + timedelta(days=2))
    erase_player(anna.pk, ERASE, None, "")
    assert Player.objects.get(pk=anna.pk).closing_at is None
    restore_players([anna.pk])
    left = Player.objects.get(pk=anna.pk).closing_at - timezone.now()
    assert timedelta(days=1, hours=23) < left <= timedelta(days=2)


def test_proofs_stay_and_names_go(anna: Any, bob: Any) -> None:
    match = create_finished_match("tic-tac-toe", anna, bob)
    append_finished_matches()
    keys = [verify_key()]
    path = f"/match/{match.pk}/signed.json"
    before = Client().get(path).content
    verify.verified(before, keys)
    get_friend(anna)
    Connection.objects.create(
        match=match, seat=0, server="s", opened_at=timezone.now(), seen_at=timezone.now()
    )
    assert Tally.objects.filter(player=anna).exists()
    erase_player(anna.pk, ERASE, None, "")
    erase_everything_due()
    assert Erasure.objects.get().done_at is None, "not before its time"
    let_a_week_pass()
    erase_everything_due()
    found = Erasure.objects.get()
    assert found.done_at is not None and found.before == {}
    for row in Player.objects.exclude(pk=bob.pk):
        assert (row.name, row.email, row.is_active) == ("Deleted player", "", False)
        assert not row.has_usable_password()
    assert not Tally.objects.filter(player=anna).exists()
    assert not Played.objects.filter(player=anna).exists()
    assert Played.objects.filter(player=bob, opponent=anna).exists(), "the opponent's own history"
    assert not Connection.objects.exists()
    after = Client().get(path).content
    assert verify.verified(after, keys) == verify.verified(before, keys)
    assert find_unsound_matches([match.pk]) == {}
    assert run_verify_log()[0] == 0
    with pytest.raises(Refused, match="erase-already"):
        erase_player(anna.pk, ERASE, None, "")


def verify_key() -> str:
    return str(Client().get("/.well-known/parlour-keys.json").json()["keys"][0]["key"])


def test_anonymising_keeps_statistics_under_a_number(anna: Any, bob: Any) -> None:
    create_finished_match("tic-tac-toe", anna, bob)
    deliver_events()
    people = [anna, bob]
    for each in people:
        erase_player(each.pk, ANONYMISE, None, "")
    let_a_week_pass()
    erase_everything_due()
    names = [Player.objects.get(pk=each.pk).name for each in people]
    assert all(name.startswith("Deleted player ") for name in names)
    assert len(set(names)) == 2, "a table can still be read"
    assert Tally.objects.filter(player=anna).exists()
    assert Played.objects.filter(player=anna).exists()


def test_a_kill_in_between_loses_nothing(
    anna: Any, bob: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for each in (anna, bob):
        erase_player(each.pk, ERASE, None, "")
    let_a_week_pass()

    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(erasure, "delete_personal_data", dies)
        with pytest.raises(KeyboardInterrupt):
            erase_due_accounts()
    assert Erasure.objects.filter(done_at=None).count() == 2
    real = erasure.delete_personal_data

    def fails_for_anna(player: Player, shown_as: str) -> None:
        if player.pk == anna.pk:
            raise ValueError("damaged")
        real(player, shown_as)

    with monkeypatch.context() as patch:
        patch.setattr(erasure, "delete_personal_data", fails_for_anna)
        erase_due_accounts()
    assert [each.player_id for each in Erasure.objects.filter(done_at=None)] == [anna.pk]
    erase_everything_due()  # what a second server or a restart would do
    assert not Erasure.objects.filter(done_at=None).exists()


def test_staff_and_the_computer_cannot_be_erased(anna: Any) -> None:
    staff = create_staff("Sara Voss")
    with pytest.raises(Refused, match="erase-staff"):
        erase_player(staff.pk, ERASE, None, "")
    guest = new_guest()
    erase_player(guest.pk, ERASE, None, "an offensive guest")
    assert Player.objects.get(pk=guest.pk).name == "Deleted player"
    erase_player(anna.pk, ERASE, None, "")
    with pytest.raises(Refused, match="erase-already"):
        erase_player(anna.pk, ERASE, None, "")


# -- the command and the admin


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("erase_player", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_hides_undoes_and_erases_at_once(anna: Any) -> None:
    assert "cannot log in" in run("Anna Berg")
    assert Player.objects.get(pk=anna.pk).name == "Deleted player"
    with pytest.raises(CommandError, match="already"):
        run("Anna Berg")
    assert "is back" in run("Anna Berg", "--undo")
    assert Player.objects.get(pk=anna.pk).name == "Anna Berg"
    with pytest.raises(CommandError, match="not hidden"):
        run("Anna Berg", "--undo")
    run("Anna Berg")
    assert "is deleted" in run("Anna Berg", "--now")
    assert Erasure.objects.get().done_at is not None
    for arguments in (["Anna Berg"], ["Anna Berg", "--undo"], ["Nobody Here", "--now"]):
        with pytest.raises(CommandError, match="There is no account"):
            run(*arguments)


def test_the_command_anonymises(anna: Any) -> None:
    run("anna  berg", "--anonymise", "--now")
    assert Player.objects.get(pk=anna.pk).name.startswith("Deleted player ")


def test_senior_staff_erase_and_undo_in_the_admin(anna: Any) -> None:
    client = client_for(create_player("Sara Voss", "senior reviewer"))
    form = {"account": "Anna Berg", "kind": "erase", "reason": "parents asked", "confirmed": "1"}
    for missing in ("reason", "confirmed"):
        answer = client.post("/admin/lobby/erasure/add/", {**form, missing: ""})
        assert answer.status_code == 200 and not Erasure.objects.exists()
    answer = client.post("/admin/lobby/erasure/add/", {**form, "account": "Sara Voss"})
    assert "Take away their rights first" in answer.content.decode()
    assert client.post("/admin/lobby/erasure/add/", form).status_code == 302
    found = Erasure.objects.get()
    assert (found.by.username, found.reason) == ("Sara Voss", "parents asked")  # type: ignore[union-attr]
    assert "Anna Berg" in client.get("/admin/lobby/erasure/").content.decode()
    assert "Anna Berg" not in client.get("/admin/lobby/erasure/?deleted=yes").content.decode()
    reviewer = client_for(create_player("Rita Gray", "reviewer"))
    assert reviewer.get("/admin/lobby/erasure/").status_code == 403
    assert reviewer.post("/admin/lobby/erasure/add/", form).status_code == 403
    assert reviewer.post(f"/admin/lobby/erasure/{found.pk}/undo/").status_code == 403
    assert client.post(f"/admin/lobby/erasure/{found.pk}/undo/").status_code == 302
    assert Player.objects.get(pk=anna.pk).name == "Anna Berg"


def test_the_name_is_nowhere_in_the_database_afterwards(anna: Any, bob: Any) -> None:
    staff = create_staff("Sara Voss", is_superuser=True)
    client = client_for(staff)
    form = {"username": "Anna Berg", "email": "", "is_active": "on"}
    dates = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00:00"}
    answer = client.post(f"/admin/lobby/player/{anna.pk}/change/", {**form, **dates})
    assert answer.status_code == 302
    organiser = create_organiser()
    tournament = create_tournament(organiser, "swiss")
    join_players(tournament, [anna, bob])
    log_action(tournament, organiser, "event.removed", name="Anna Berg")
    change_name(anna.pk, "Clara Berg")
    decisions.rename_player(staff, anna.pk, "no reason", 0, "Clara Winter")
    erase = {"account": "Clara Winter", "kind": "erase", "reason": "letter", "confirmed": "1"}
    assert client.post("/admin/lobby/erasure/add/", erase).status_code == 302
    let_a_week_pass()
    erase_everything_due()
    found = [
        (model.__name__, row)
        for model in apps.get_models()
        for row in model._base_manager.values()
        if re.search("Anna Berg|Clara|annaberg|clara", str(row))
    ]
    assert found == []
