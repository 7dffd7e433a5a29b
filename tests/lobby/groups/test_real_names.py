"""Real names: the organiser's note, which nobody else gets to see."""

import json
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.contrib import admin
from django.test import Client
from structlog.testing import capture_logs

from games.messages.refusal import Refused
from lobby.groups.member_logins import get_real_names, store_real_names
from lobby.models import Group, Player, RealName
from lobby.privacy.export import stream_export
from tests.builders.class_logins import create_class, give_logins, open_class
from tests.builders.pages import get_text
from tests.builders.players import client_for, create_player, create_staff
from tests.builders.sites import ROOT

pytestmark = pytest.mark.django_db
NAME = "Annika Zöllner"


@pytest.fixture
def anna() -> Player:
    return create_player("fox 07")


@pytest.fixture
def ben() -> Player:
    return create_player("owl 12")


@pytest.fixture
def group(anna: Player, ben: Player) -> Group:
    return create_class(anna, ben)


def post(group: Group, who: Player | None, **names: str) -> Any:
    return client_for(who).post(f"/groups/{group.pk}/names/", names)


def test_the_organiser_keeps_a_list(group: Group, anna: Player) -> None:
    answer = post(group, group.organiser, **{f"name-{anna.pk}": f"  {NAME} ", "name-0": "x"})
    assert answer.status_code == 302
    client = client_for(group.organiser)
    assert NAME in get_text(client.get(f"/groups/{group.pk}/names/"))
    assert NAME in get_text(client.get(f"/groups/{group.pk}/"))
    form = {f"name-{anna.pk}": "", f"was-{anna.pk}": NAME}
    assert post(group, group.organiser, **form).status_code == 302
    assert not RealName.objects.exists()


def test_a_tab_changes_only_the_names_that_were_typed_in_it(
    group: Group, anna: Player, ben: Player
) -> None:
    post(group, group.organiser, **{f"name-{anna.pk}": NAME, f"was-{anna.pk}": ""})
    later = {f"name-{ben.pk}": "Benno Ott", f"name-{anna.pk}": "", f"was-{anna.pk}": ""}
    post(group, group.organiser, **later)
    assert set(RealName.objects.values_list("name", flat=True)) == {NAME, "Benno Ott"}


@pytest.mark.parametrize("name", ["x" * 81, "An\u202ena", "An\x07na"])
def test_a_bad_name_is_refused_and_nothing_is_stored(
    group: Group, anna: Player, ben: Player, name: str
) -> None:
    form = {f"name-{anna.pk}": name, f"name-{ben.pk}": "Benno Ott"}
    answer = post(group, group.organiser, **form)
    assert answer.status_code == 400 and "Benno Ott" in get_text(answer)
    assert not RealName.objects.exists()


def test_a_name_goes_with_the_membership(group: Group, anna: Player) -> None:
    assert group.organiser
    store_real_names(group, group.organiser, {anna.pk: NAME})
    client_for(group.organiser).post(f"/groups/{group.pk}/members/{anna.pk}/remove/")
    assert not RealName.objects.exists()


def test_nobody_else_sees_or_writes_them(group: Group, anna: Player, ben: Player) -> None:
    assert group.organiser
    store_real_names(group, group.organiser, {anna.pk: NAME})
    give_logins(group, anna)
    open_class(group)
    root = create_staff("Root Hill", is_superuser=True)
    for who in (anna, ben, root, None):
        client = client_for(who)
        for path in (
            f"/groups/{group.pk}/", f"/groups/{group.pk}/names/", f"/groups/{group.pk}/cards/",
            f"/groups/{group.pk}/login/", f"/player/{anna.username}/", "/players/?q=Zöllner",
            f"/admin/lobby/group/{group.pk}/change/", f"/admin/lobby/player/{anna.pk}/change/",
            f"/api/user/{anna.username}",
        ):  # fmt: skip
            answer = client.get(path, follow=True)
            assert "Annika" not in get_text(answer), path
        assert post(group, who, **{f"name-{anna.pk}": "x"}).status_code in (302, 403, 404)
        if who is not None:
            assert get_real_names(group, who) == {}
            with pytest.raises(Refused, match="not-allowed"):
                store_real_names(group, who, {anna.pk: "x"})
    assert RealName.objects.get().name == NAME
    assert not admin.site.is_registered(RealName)


def test_a_new_organiser_takes_the_list_over(group: Group, anna: Player, ben: Player) -> None:
    assert group.organiser
    store_real_names(group, group.organiser, {anna.pk: NAME})
    former = group.organiser
    ben.groups.set(former.groups.all())
    Group.objects.update(organiser=ben)
    group.refresh_from_db()
    assert get_real_names(group, former) == {}
    assert get_real_names(group, Player.objects.get(pk=ben.pk)) == {anna.pk: NAME}


def test_the_sheet_has_them_only_if_the_organiser_wants_them(group: Group, anna: Player) -> None:
    assert group.organiser
    store_real_names(group, group.organiser, {anna.pk: NAME})
    client = client_for(group.organiser)
    for form, is_shown in (({}, False), ({"with_names": "on"}, True)):
        page = client.get(f"/groups/{group.pk}/cards/").content.decode()
        token = page.partition('name="token" value="')[2].partition('"')[0]
        sheet = client.post(
            f"/groups/{group.pk}/cards/",
            {"token": token, "do": "cards", "player": anna.pk, **form},
        )
        assert sheet.status_code == 200 and (NAME in get_text(sheet)) is is_shown


@pytest.mark.django_db(transaction=True)
def test_no_export_and_no_log_has_them(group: Group, anna: Player) -> None:
    assert group.organiser
    with capture_logs() as lines:
        post(group, group.organiser, **{f"name-{anna.pk}": NAME})
    assert RealName.objects.get().name == NAME and "Annika" not in str(lines)

    async def read(who: Player) -> Any:
        return json.loads(b"".join([piece async for piece in stream_export(who)]))

    for who in (anna, group.organiser):
        assert "Annika" not in json.dumps(async_to_sync(read)(who), ensure_ascii=False)


def test_a_visitor_is_sent_to_the_login(group: Group) -> None:
    assert "/accounts/login/" in Client().get(f"/groups/{group.pk}/names/").url


def test_one_module_reads_the_table() -> None:
    """So no export, API, page of the review or command can contain them by accident."""
    found = {
        str(path.relative_to(ROOT))
        for package in ("config", "games", "lobby")
        for path in (ROOT / package).rglob("*.py")
        if "migrations" not in path.parts and "RealName" in path.read_text()
    }
    models = {"lobby/models/__init__.py", "lobby/models/group.py"}
    assert found == {"lobby/groups/member_logins.py", *models}
