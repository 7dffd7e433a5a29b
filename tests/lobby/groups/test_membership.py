"""Membership of a group: joining with the code, leaving, removal, and visibility."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import override_settings
from django.utils import timezone

from games.match.setup import Setup
from games.messages.refusal import Refused
from games.review import decisions
from lobby.accounts.guests import new_guest
from lobby.accounts.limits import may_log_in
from lobby.groups import membership
from lobby.groups.codes import format_code, normalize_code
from lobby.models import Group, Member, Player, Seek
from lobby.privacy.account_deletion import delete_due_accounts, schedule_deletion
from lobby.seeks import matchmaking
from tests.builders.groups import create_group
from tests.builders.pages import get_text
from tests.builders.players import client_for, create_organiser, create_player

pytestmark = pytest.mark.django_db
SETUP = Setup("tic-tac-toe")


@pytest.fixture
def people(db: None) -> tuple[Any, Any, Any]:
    return create_organiser(), create_player("Anna Berg"), create_player("Bob Cole")


def test_who_has_the_code_joins_however_it_is_typed(people: tuple[Any, Any, Any]) -> None:
    olga, anna, _ = people
    made = create_group(olga)
    client = client_for(anna)
    typed = f" {format_code(made.code or '').lower()} "
    where = client.post("/groups/join/", {"code": typed}).headers["Location"]
    page = client.get(where).content.decode()
    assert "7b" in page and "Olga Brook" in page
    assert not membership.are_all_in(made.pk, [anna.pk]), "to look is not to join"
    assert client.post(where).headers["Location"] == f"/groups/{made.pk}/"
    assert client.post(where).headers["Location"] == f"/groups/{made.pk}/", "twice is once"
    assert Member.objects.filter(group=made).count() == 2
    assert "You joined 7b" in client.get(f"/groups/{made.pk}/").content.decode()


def test_the_old_code_stops_when_there_is_a_new_one(people: tuple[Any, Any, Any]) -> None:
    olga, anna, bob = people
    made = create_group(olga)
    old = made.code
    assert client_for(olga).post(f"/groups/{made.pk}/code/").status_code == 302
    made.refresh_from_db()
    assert made.code not in (old, None)
    answer = client_for(anna).post(f"/groups/join/{old}/")
    assert answer.status_code == 404 and "Invalid code" in answer.content.decode()
    assert client_for(anna).post(f"/groups/join/{made.code}/").status_code == 302
    client_for(olga).post(f"/groups/{made.pk}/code/", {"close": "1"})
    assert client_for(bob).post(f"/groups/join/{made.code}/").status_code == 404
    assert Member.objects.filter(group=made).count() == 2


def test_nobody_guesses_a_code(people: tuple[Any, Any, Any]) -> None:
    """An account has ten attempts. An address, which a class may share, has twenty wrong ones."""
    olga, anna, _ = people
    made = create_group(olga)
    with override_settings(RATE_LIMITS=True):
        client, address = client_for(anna), {"REMOTE_ADDR": "192.0.2.7"}
        tried = [client.post(f"/groups/join/CODE{n:06}/", **address) for n in range(20)]  # type: ignore[arg-type]
        assert [answer.status_code for answer in tried] == [404] * 10 + [429] * 10
        assert client.get(f"/groups/join/{made.code}/", **address).status_code == 429  # type: ignore[arg-type]
        others = [create_player(f"Helper {name}") for name in ("one", "two")]
        codes = [
            client_for(other).get(f"/groups/join/NO{n:08}/", **address).status_code  # type: ignore[arg-type]
            for other in others
            for n in range(10)
        ]
        assert codes == [404] * 10 + [429] * 10
        class_at = {"REMOTE_ADDR": "192.0.2.99"}
        pupils = [create_player(f"Pupil {number:02}") for number in range(30)]
        for pupil in pupils:
            answer = client_for(pupil).post(f"/groups/join/{made.code}/", **class_at)  # type: ignore[arg-type]
            assert answer.status_code == 302
    assert Member.objects.filter(group=made).count() == 31


def test_a_whole_class_logs_in_from_where_its_organiser_is(people: tuple[Any, Any, Any]) -> None:
    olga, _, _ = people
    made = create_group(olga)

    def tries(address: str) -> int:
        """Return how many accounts may try a password from that address."""
        return [may_log_in(f"pupil {number}", address) for number in range(200)].count(True)

    with override_settings(RATE_LIMITS=True):
        client_for(olga).get(f"/groups/{made.pk}/", REMOTE_ADDR="198.51.100.7")
        assert (tries("198.51.100.7"), tries("198.51.100.8")) == (100, 20)


@pytest.mark.parametrize(
    "code", ["", "   ", "x" * 10_000, "🦊", "%00", "'; DROP", "../../admin", "\u202e"]
)
def test_a_senseless_code_is_answered(people: tuple[Any, Any, Any], code: str) -> None:
    answer = client_for(people[1]).post("/groups/join/", {"code": code}, follow=True)
    assert answer.status_code in {200, 404}
    assert normalize_code(code) == normalize_code(normalize_code(code))


def test_guests_and_visitors_are_sent_to_the_login(people: tuple[Any, Any, Any]) -> None:
    made = create_group(people[0])
    with pytest.raises(Refused, match="not-allowed"):
        membership.join_group(new_guest(), made.code or "")
    for who in (None, new_guest()):
        for path in ("/groups/", f"/groups/{made.pk}/", f"/groups/join/{made.code}/"):
            where = client_for(who).get(path).headers["Location"]
            assert where.startswith("/accounts/login/?next=/groups/")


def test_the_page_of_groups_says_what_to_do_next(people: tuple[Any, Any, Any]) -> None:
    olga, anna, bob = people
    hint = "Are you a teacher, or do you run a club?"
    assert hint not in get_text(client_for(olga).get("/groups/"))
    assert hint in get_text(client_for(anna).get("/groups/"))
    Player.objects.filter(pk=bob.pk).update(is_protected=True)
    shown = get_text(client_for(bob).get("/groups/"))
    assert hint not in shown and "Pick a game" in shown


def test_members_leave_and_see_the_group_no_more(people: tuple[Any, Any, Any]) -> None:
    olga, anna, _ = people
    made = create_group(olga, anna)
    search = matchmaking.create_seek(anna.pk, SETUP, group_id=made.pk)
    client = client_for(anna)
    assert client.get(f"/groups/{made.pk}/").status_code == 200
    assert client.post(f"/groups/{made.pk}/leave/").headers["Location"] == "/groups/"
    assert client.get(f"/groups/{made.pk}/").status_code == 404
    assert client.post(f"/groups/{made.pk}/leave/").status_code == 404
    assert not Seek.objects.filter(pk=search.pk).exists()
    with pytest.raises(Refused, match="not-a-member"):
        matchmaking.create_seek(anna.pk, SETUP, group_id=made.pk)


def test_the_organiser_removes_members_but_not_herself(people: tuple[Any, Any, Any]) -> None:
    olga, anna, bob = people
    made = create_group(olga, anna, bob)
    search = matchmaking.create_seek(anna.pk, SETUP, group_id=made.pk)
    client, members = client_for(olga), f"/groups/{made.pk}/members"
    client.post(f"{members}/{anna.pk}/remove/")
    assert client_for(anna).get(f"/groups/{made.pk}/").status_code == 404
    assert not Seek.objects.filter(pk=search.pk).exists()
    client.post(f"{members}/{olga.pk}/remove/")
    client.post(f"/groups/{made.pk}/leave/")
    assert client.get(f"/groups/{made.pk}/").status_code == 200
    assert client_for(bob).post(f"{members}/{bob.pk}/remove/").status_code == 403
    assert Member.objects.filter(group=made).count() == 2


ORGANISER_ONLY = ("accounts", "code", "change", "dissolve", "passwords", "members/{who}/remove",
                  "members/{who}/password")  # fmt: skip


def test_every_address_of_who_runs_it_is_closed_to_everybody_else(
    people: tuple[Any, Any, Any],
) -> None:
    olga, anna, bob = people
    made = create_group(olga, anna, bob)
    other, gone = create_organiser("Otto Brook"), create_player("Gone Girl")
    membership.join_group(gone, made.code or "")
    membership.remove_member(made.pk, gone.pk)
    held = create_player("Held Back")
    membership.join_group(held, made.code or "")
    decisions.suspend_player(create_player("rita", "reviewer"), held.pk, "So.", 0, days=1)
    before = list(Member.objects.order_by("pk").values()), Group.objects.values().get()
    wanted = {None: 302, new_guest(): 302, create_player("Out Sider"): 404, other: 404, gone: 404,
              anna: 403, held: 403}  # fmt: skip
    for who, status in wanted.items():
        client = client_for(who)
        for path in ORGANISER_ONLY:
            answer = client.post(f"/groups/{made.pk}/{path.format(who=bob.pk)}/", {"names": "X Y"})
            assert answer.status_code == status, (who, path)
        page = client.get(f"/groups/{made.pk}/")
        assert page.status_code == {403: 200}.get(status, status)
        if status == 403:
            for secret in (made.code or "", format_code(made.code or "")):
                assert secret not in page.content.decode()
    assert (list(Member.objects.order_by("pk").values()), Group.objects.values().get()) == before


def test_a_suspended_organiser_looks_and_changes_nothing(people: tuple[Any, Any, Any]) -> None:
    olga, anna, _ = people
    made = create_group(olga, anna)
    decisions.suspend_player(create_player("rita", "reviewer"), olga.pk, "So.", 0, days=1)
    client = client_for(olga)
    assert client.get(f"/groups/{made.pk}/accounts/").status_code == 200
    for path in ORGANISER_ONLY:
        where = f"/groups/{made.pk}/{path.format(who=anna.pk)}/"
        assert client.post(where).headers["Location"] == f"/groups/{made.pk}/"
    assert Group.objects.get().code == made.code and Member.objects.count() == 2
    with pytest.raises(Refused, match="suspended-now"):
        membership.create_group(olga, "Another", False)
    with pytest.raises(Refused, match="suspended-now"):
        membership.join_group(olga, made.code or "")


def test_who_loses_the_right_loses_the_tools_and_stays_a_member(
    people: tuple[Any, Any, Any],
) -> None:
    olga, anna, _ = people
    made = create_group(olga, anna)
    olga.groups.clear()
    client = client_for(Player.objects.get(pk=olga.pk))
    assert "Create class accounts" not in client.get(f"/groups/{made.pk}/").content.decode()
    assert client.post(f"/groups/{made.pk}/code/").status_code == 403
    assert client.post("/groups/", {"name": "Another"}).status_code == 403


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "a\x07b", "\u202eevil", "\x1f"])
def test_a_groups_name_is_printable_and_short(people: tuple[Any, Any, Any], name: str) -> None:
    olga, _, _ = people
    answer = client_for(olga).post("/groups/", {"name": name})
    assert answer.status_code == 400 and 'role="alert"' in answer.content.decode()
    made = create_group(olga)
    client_for(olga).post(f"/groups/{made.pk}/change/", {"name": name})
    assert Group.objects.get().name == "7b"


def test_a_group_is_renamed_and_deleted_once_it_is_empty(people: tuple[Any, Any, Any]) -> None:
    olga, anna, _ = people
    made = create_group(olga, anna)
    client = client_for(olga)
    client.post(f"/groups/{made.pk}/change/", {"name": " The  chess   club "})
    assert Group.objects.get().name == "The chess club"
    client.post(f"/groups/{made.pk}/dissolve/")
    assert Group.objects.exists()
    membership.remove_member(made.pk, anna.pk)
    assert client.post(f"/groups/{made.pk}/dissolve/").headers["Location"] == "/groups/"
    assert not Group.objects.exists()


def test_groups_and_members_have_bounds(people: tuple[Any, Any, Any], settings: Any) -> None:
    settings.GROUPS_PER_PLAYER, settings.MEMBERS_PER_GROUP = 2, 2
    olga, anna, bob = people
    made = create_group(olga, anna)
    with pytest.raises(Refused, match="group-full"):
        membership.join_group(bob, made.code or "")
    create_group(olga)
    with pytest.raises(Refused, match="many-groups"):
        create_group(olga)


def test_closing_an_account_takes_its_groups_along(people: tuple[Any, Any, Any]) -> None:
    olga, anna, bob = people
    made = create_group(olga, anna, bob)
    for who in (olga, anna):
        schedule_deletion(who.pk)
    Player.objects.filter(closing_at__isnull=False).update(
        closing_at=timezone.now() - timedelta(days=1)
    )
    delete_due_accounts()
    made.refresh_from_db()
    assert made.organiser is None and made.code is None
    assert [each.player for each in membership.list_members(made)] == [bob]
    assert client_for(bob).get(f"/groups/{made.pk}/").status_code == 200


def test_the_admin_gives_a_group_to_another_organiser(
    people: tuple[Any, Any, Any], admin_client: Any
) -> None:
    olga, anna, _ = people
    made, otto = create_group(olga), create_organiser("Otto Brook")
    path = f"/admin/lobby/group/{made.pk}/change/"
    page = admin_client.get(path).content.decode()
    assert "7b" in page and (made.code or "") not in page
    answer = admin_client.post(path, {"name": "7b", "organiser": anna.pk})
    assert answer.status_code == 200 and "organiser" in answer.content.decode()
    assert admin_client.post(path, {"name": "7b", "organiser": otto.pk}).status_code == 302
    assert client_for(otto).post(f"/groups/{made.pk}/code/").status_code == 302
    assert client_for(olga).post(f"/groups/{made.pk}/code/").status_code == 403
