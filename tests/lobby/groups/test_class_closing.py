"""The end of the year: exporting a class, then archiving, anonymising or erasing it, and undoing
that."""

import csv
import io
import json
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.formats import read_record
from games.match.setup import Setup
from games.messages.refusal import Refused
from lobby.accounts.erasure import erase_due_accounts, erase_player
from lobby.groups import membership
from lobby.groups.class_closing import (
    close_class,
    finish_due_classes,
    list_accounts,
    reopen_class,
)
from lobby.models import Erasure, Group, GroupGame, Member, Player, Tournament
from lobby.privacy.account_deletion import delete_due_accounts
from lobby.seeks.matchmaking import create_seek
from tests.builders.groups import create_group, post_accounts
from tests.builders.matches import create_finished_match, deliver_events
from tests.builders.players import client_for, create_organiser, create_player
from tests.builders.tournaments import create_tournament

pytestmark = pytest.mark.django_db


class Class:
    """A class for minors with two accounts of its own, and a player who joined with the code."""

    def __init__(self) -> None:
        self.olga, self.guest_pupil = create_organiser(), create_player("Carl Dean")
        self.group = create_group(self.olga, self.guest_pupil, for_minors=True)
        self.client = client_for(self.olga)
        self.path = f"/groups/{self.group.pk}/"
        answer = post_accounts(self.client, self.group, how="list", names="Anna Berg\nBob Cole")
        b"".join(answer.streaming_content)
        self.anna, self.bob = (Player.objects.get(username=n) for n in ("Anna Berg", "Bob Cole"))

    def close(self, closing: str, **form: str) -> Any:
        mark = list_accounts(Group.objects.get(pk=self.group.pk)).mark
        form = {"closing": closing, "confirmed": "1", "mark": mark, **form}
        return self.client.post(f"{self.path}close/", form)

    def reopen(self) -> Any:
        return self.client.post(f"{self.path}reopen/", follow=True)

    def get_page(self) -> str:
        return self.client.get(self.path).content.decode()

    @property
    def names(self) -> list[str]:
        rows = Player.objects.filter(pk__in=(self.anna.pk, self.bob.pk, self.guest_pupil.pk))
        return [each.name for each in rows.order_by("pk")]


@pytest.fixture
def school() -> Class:
    return Class()


def create_class_tournament(school: Class) -> Tournament:
    of_class = {"registration": "group", "group_id": school.group.pk}
    return create_tournament(school.olga, "round-robin", name="Spring cup", **of_class)


def let_a_week_pass() -> None:
    past = timezone.now() - timedelta(seconds=1)
    Erasure.objects.filter(done_at=None).update(due_at=past)
    Group.objects.filter(erase_at__isnull=False).update(erase_at=past)


def run_chores() -> None:
    for _ in range(2):
        erase_due_accounts()
        finish_due_classes()
        delete_due_accounts()


def read_zip(client: Client, path: str) -> zipfile.ZipFile:
    answer = client.get(f"{path}export.zip")
    assert answer.headers["Content-Type"] == "application/zip"
    return zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))  # type: ignore[arg-type]


def test_the_export_has_every_game_in_every_format(school: Class) -> None:
    matches = [
        create_finished_match(game, school.anna, school.bob)
        for game in ("tic-tac-toe", "dots-and-boxes", "six-in-a-row")
    ]
    outside = create_finished_match("tic-tac-toe", school.olga, create_player("Emma Lind"))
    deliver_events()
    made = create_class_tournament(school)
    found = read_zip(school.client, school.path)
    assert found.testzip() is None
    names = found.namelist()
    assert not any(outside.pk in name for name in names), "a game with a stranger"
    for match in matches:
        (name,) = (each for each in names if each.startswith("games/") and match.pk in each)
        record = json.loads(found.read(name))
        assert record["match"] == match.pk and len(record["moves"]) == match.ply
        assert {seat["name"] for seat in record["seats"].values()} == {"Anna Berg", "Bob Cole"}
    for folder, game in (("sgf/", "six-in-a-row"), ("little-golem/", "dots-and-boxes")):
        (name,) = (each for each in names if each.startswith(folder))
        assert read_record(found.read(name)).game == game
    games = list(csv.DictReader(io.StringIO(found.read("games.csv").decode())))
    assert [each["game"] for each in games] == ["six-in-a-row", "dots-and-boxes", "tic-tac-toe"]
    table = list(csv.DictReader(io.StringIO(found.read("table.csv").decode())))
    assert {each["name"] for each in table} == {"Anna Berg", "Bob Cole"}
    assert sum(float(each["points"]) for each in table) == 3
    assert [name.endswith(f"{made.pk}.csv") for name in names].count(True) == 1
    assert "7b" in found.read("README.txt").decode()


def test_only_the_organiser_exports_and_closes(school: Class) -> None:
    member, stranger = client_for(school.anna), client_for(create_player("Emma Lind"))
    for act in ("export.zip", "close/"):
        assert member.get(school.path + act).status_code == 403
        assert stranger.get(school.path + act).status_code == 404
    for act in ("close/", "reopen/"):
        assert member.post(school.path + act, {"closing": "erase"}).status_code == 403
        assert stranger.post(school.path + act).status_code == 404
    with pytest.raises(Refused, match="not-allowed"):
        close_class(school.anna, school.group.pk, "archive", "")
    close_class(school.olga, school.group.pk, "archive", "")
    with pytest.raises(Refused, match="not-allowed"):
        reopen_class(school.anna, school.group.pk)


def test_the_form_asks_for_a_choice_and_a_confirmation(school: Class) -> None:
    page = school.client.get(f"{school.path}close/").content.decode()
    assert "2 accounts would be anonymised or erased" in page
    assert "1 member joined with an account of their own" in page
    assert school.close("erase", confirmed="").status_code == 400
    assert school.close("").status_code == 400
    assert school.close("burn").status_code == 400
    old = list_accounts(school.group).mark
    Member.objects.filter(player=school.bob).delete()
    answer = school.close("erase", mark=old)
    assert answer.status_code == 400 and "has changed" in answer.content.decode()
    assert Group.objects.get().closed_at is None
    assert school.names == ["Carl Dean", "Anna Berg", "Bob Cole"]


def test_an_unfinished_tournament_is_ended_first(school: Class) -> None:
    create_class_tournament(school)
    page = school.client.get(f"{school.path}close/").content.decode()
    assert "Spring cup" in page and 'disabled aria-describedby="unfinished-hint"' in page
    assert 'id="unfinished-hint"' in page and 'href="#unfinished-title"' in page
    assert school.close("archive").status_code == 400
    Tournament.objects.update(state=Tournament.State.OVER)
    assert "unfinished-" not in school.client.get(f"{school.path}close/").content.decode()
    assert school.close("archive").status_code == 302


def test_an_archived_class_can_be_read_and_opened_again(school: Class) -> None:
    match = create_finished_match("tic-tac-toe", school.anna, school.bob)
    deliver_events()
    code = school.group.code or ""
    assert school.close("archive").status_code == 302
    assert school.names == ["Carl Dean", "Anna Berg", "Bob Cole"]
    for client in (school.client, client_for(school.anna)):
        page = client.get(school.path).content.decode()
        assert "This class was closed" in page and f"/match/{match.pk}/" in page
    assert membership.get_group_by_code(code) is None
    with pytest.raises(Refused, match="no-such-code"):
        membership.join_group(create_player("Emma Lind"), code)
    with pytest.raises(Refused, match="group-closed"):
        create_seek(school.anna.pk, Setup("tic-tac-toe"), group_id=school.group.pk)
    for act in ("accounts/", "code/", "change/", "passwords/", "dissolve/", "tournament/"):
        answer = school.client.post(school.path + act, follow=True)
        assert "This group is closed" in answer.content.decode(), act
    group = Group.objects.get()
    assert (group.code, group.closed_as, group.erase_at) == (code, "archive", None)
    run_chores()
    Group.objects.update(closed_at=timezone.now() - timedelta(days=300))
    assert "is open again" in school.reopen().content.decode()
    assert membership.get_group_by_code(code) == group


@pytest.mark.parametrize("closing", ["anonymise", "erase"])
def test_closing_hides_the_accounts_and_undoing_brings_them_back(
    school: Class, closing: str
) -> None:
    create_finished_match("tic-tac-toe", school.anna, school.bob)
    deliver_events()
    carl = client_for(school.guest_pupil)
    before = list(Player.objects.order_by("pk").values())
    members = list(Member.objects.order_by("pk").values())
    assert school.close(closing).status_code == 302
    assert school.names == ["Carl Dean", "Deleted player", "Deleted player"]
    page = school.get_page()
    assert "2 accounts are hidden and closed to log-in" in page and "Anna" not in page
    assert "Anna" not in carl.get(school.path).content.decode()
    run_chores()
    assert "is open again" in school.reopen().content.decode()
    assert list(Player.objects.order_by("pk").values()) == before
    assert list(Member.objects.order_by("pk").values()) == members
    assert not Erasure.objects.exists()
    assert school.reopen().status_code == 200, "a repeat does nothing"


def test_an_anonymised_class_keeps_its_games_under_numbers(school: Class) -> None:
    create_finished_match("tic-tac-toe", school.anna, school.bob)
    deliver_events()
    school.close("anonymise")
    let_a_week_pass()
    assert "too late" in school.reopen().content.decode()
    run_chores()
    carl, *names = school.names
    assert carl == "Carl Dean"
    assert all(name.startswith("Deleted player ") for name in names) and len(set(names)) == 2
    page = school.get_page()
    assert all(name in page for name in names)
    assert not Member.objects.exclude(making=None).exists()
    assert not Member.objects.exclude(listed_as="").exists()
    group = Group.objects.get()
    assert (group.closed_as, group.erase_at) == ("anonymise", None)
    assert "too late" in school.reopen().content.decode()


def test_an_erased_class_is_deleted_and_other_accounts_are_not(school: Class) -> None:
    match = create_finished_match("tic-tac-toe", school.anna, school.bob)
    deliver_events()
    create_class_tournament(school)
    Tournament.objects.update(state=Tournament.State.OVER)
    school.close("erase")
    let_a_week_pass()
    run_chores()
    assert school.names == ["Carl Dean", "Deleted player", "Deleted player"]
    for rows in (Group, Member, GroupGame, Tournament):
        assert not rows.objects.exists(), rows  # type: ignore[attr-defined]
    carl = Player.objects.get(pk=school.guest_pupil.pk)
    assert carl.is_active and carl.is_protected, "a child in no class stays protected"
    assert match.moves.exists()
    assert Client().get(f"/match/{match.pk}/").status_code == 404, "still not public"


def test_a_kill_between_the_accounts_and_the_class_loses_nothing(school: Class) -> None:
    school.close("erase")
    let_a_week_pass()
    finish_due_classes()
    assert Group.objects.exists(), "the class waits for its accounts"
    erase_due_accounts()
    finish_due_classes()
    assert not Group.objects.exists()


def test_a_second_tab_changes_nothing(school: Class) -> None:
    school.close("erase")
    due = Group.objects.get().erase_at
    school.close("erase")
    school.close("archive")
    close_class(school.olga, school.group.pk, "erase", "")
    with pytest.raises(Refused, match="group-closed"):
        close_class(school.olga, school.group.pk, "archive", "")
    assert Group.objects.get().erase_at == due
    assert Erasure.objects.count() == 2


def test_organisers_staff_and_erased_accounts_are_left_alone(school: Class) -> None:
    Player.objects.filter(pk=school.anna.pk).update(is_staff=True)
    erase_player(school.bob.pk, "erase", None, "parents asked")
    assert not list_accounts(school.group).made
    assert school.close("erase").status_code == 302
    assert Player.objects.get(pk=school.anna.pk).is_active
    reopen_class(school.olga, school.group.pk)
    assert Player.objects.get(pk=school.bob.pk).name == "Deleted player", "staff's own decision"


def test_archived_classes_leave_room_for_new_ones(school: Class, settings: Any) -> None:
    settings.GROUPS_PER_PLAYER = 1
    with pytest.raises(Refused, match="many-groups"):
        membership.create_group(school.olga, "8b", True)
    school.close("archive")
    made = membership.create_group(school.olga, "8b", True)
    assert membership.list_groups(school.olga.pk) == [made, school.group]
