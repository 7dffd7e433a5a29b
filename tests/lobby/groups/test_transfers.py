"""Moving a member to another class: offered by one organiser, accepted by another."""

from collections.abc import Iterator
from copy import deepcopy
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password
from django.test import override_settings
from django.utils import timezone

from games.match.setup import Setup
from games.messages.refusal import Refused
from games.models import Notice
from lobby.groups import membership, transfers
from lobby.groups.class_accounts import create_accounts
from lobby.groups.member_passwords import create_passwords, create_token
from lobby.models import Group, Member, Player, Seek, Transfer
from lobby.privacy.protection import are_kept_apart
from lobby.privacy.visibility import is_public
from lobby.seeks import matchmaking
from tests.builders.groups import create_group
from tests.builders.matches import create_match
from tests.builders.pages import get_text, remove_isolates
from tests.builders.players import client_for, create_organiser, create_player
from tests.builders.prepared import Snapshot

pytestmark = pytest.mark.django_db
SETUP = Setup("tic-tac-toe")


class School:
    """Olga runs 7b with Anna, whose account it created, and Ben; Otto runs 8b with Eva."""

    def __init__(self) -> None:
        self.olga, self.otto = create_organiser(), create_organiser("Otto Brook")
        self.ben, self.eva = create_player("Ben Cole"), create_player("Eva Dorn")
        self.old = create_group(self.olga, self.ben, for_minors=True)
        self.new = create_group(self.otto, self.eva, for_minors=True)
        Group.objects.filter(pk=self.new.pk).update(name="8b")
        create_accounts(self.old, self.olga, "7b", [("Anna 7b", make_password("amber-otter-472"))])
        self.anna = Player.objects.get(username="Anna 7b")

    def offer(self, **form: str) -> Any:
        form = form or {"code": self.new.code or ""}
        return client_for(self.olga).post(self.where, form, follow=True)

    @property
    def where(self) -> str:
        return f"/groups/{self.old.pk}/members/{self.anna.pk}/move/"

    def answer(self, who: Player, group: Group, **form: str) -> Any:
        offer = Transfer.objects.get()
        path = f"/groups/{group.pk}/transfers/{offer.pk}/"
        return client_for(who).post(path, form, follow=True)

    def is_in(self, group: Group) -> bool:
        return Member.objects.filter(group=group, player=self.anna).exists()


@pytest.fixture(scope="module")
def built(django_db_setup: None, django_db_blocker: Any) -> Iterator[School]:
    with django_db_blocker.unblock(), override_settings(RATE_LIMITS=False):
        empty = Snapshot()
        try:
            yield School()
        finally:
            empty.restore()


@pytest.fixture
def school(built: School, db: None) -> School:
    """The school, for a test that takes back what it changes."""
    return deepcopy(built)


def test_a_member_moves_once_the_other_organiser_accepts(school: School) -> None:
    page = remove_isolates(get_text(client_for(school.olga).get(school.where)))
    assert "Move Anna 7b to another class" in page and "They stay protected" in page
    assert "stays here until its organiser accepts" in get_text(school.offer())
    assert school.is_in(school.old) and not school.is_in(school.new)
    page = get_text(client_for(school.otto).get(f"/groups/{school.new.pk}/"))
    assert "Anna 7b" in page and "Accept" in page
    page = school.answer(school.otto, school.new, accept="1")
    assert "is now a member of this class" in get_text(page)
    assert school.is_in(school.new) and not school.is_in(school.old)
    assert not Transfer.objects.exists()
    said = set(Notice.objects.filter(player=school.anna).values_list("said__code", flat=True))
    assert said == {"notice.class-moved"}


def test_the_right_to_set_passwords_moves_along(school: School) -> None:
    school.offer()
    with pytest.raises(Refused, match="not-made-here"):
        create_passwords(school.new, create_token(), school.anna.pk)
    school.answer(school.otto, school.new, accept="1")
    (new,) = create_passwords(school.new, create_token())
    assert new.player == school.anna
    with pytest.raises(Refused, match="not-made-here"):
        create_passwords(school.old, create_token(), school.anna.pk)
    page = client_for(school.otto).post(
        f"/groups/{school.new.pk}/members/{school.anna.pk}/password/", {"token": create_token()}
    )
    assert "slip-password" in get_text(page)
    with pytest.raises(Refused, match="minors-stay"):  # it is still a class account
        membership.leave_group(school.anna.pk, school.new.pk)
    school.old.members.exclude(player=school.olga).delete()
    membership.delete_group(school.old.pk)
    assert create_passwords(school.new, create_token(), school.anna.pk)


def test_protection_stays_and_follows_the_new_class(school: School) -> None:
    live = create_match("tic-tac-toe", school.anna, school.ben, plies=1)
    seek = matchmaking.create_seek(school.anna.pk, SETUP, group_id=school.old.pk)
    school.offer()
    live.refresh_from_db()
    assert live.status == "live" and are_kept_apart(school.anna.pk, school.eva.pk)
    offer = Transfer.objects.get()
    _, ended = transfers.accept_transfer(school.otto, school.new.pk, offer.pk)
    live.refresh_from_db()
    assert live.ended == "aborted" and ended == {seek.pk: school.anna.pk}
    assert not Seek.objects.exists() and not is_public(school.anna.pk)
    assert are_kept_apart(school.anna.pk, school.ben.pk)
    assert not are_kept_apart(school.anna.pk, school.eva.pk)


def test_a_class_of_the_same_organiser_takes_the_member_at_once(school: School) -> None:
    other = create_group(school.olga, for_minors=True)
    Group.objects.filter(pk=other.pk).update(name="7c", code=None)
    club = create_group(school.olga)
    page = client_for(school.olga).get(school.where).content.decode()
    assert other.pk in page and club.pk not in page  # a club is not for minors
    assert "is now in 7c" in remove_isolates(get_text(school.offer(group=other.pk)))
    assert school.is_in(other) and not school.is_in(school.old)
    assert school.offer(group=other.pk).status_code == 404


@pytest.mark.parametrize("who", ["decline", "withdraw"])
def test_an_offer_is_declined_or_withdrawn(school: School, who: str) -> None:
    school.offer()
    at = (school.otto, school.new) if who == "decline" else (school.olga, school.old)
    assert "Nobody was moved" in get_text(school.answer(*at))
    assert school.is_in(school.old) and not Transfer.objects.exists()


def test_only_the_two_organisers_may_answer(school: School) -> None:
    school.offer()
    offer = Transfer.objects.get()
    for who in (school.olga, school.anna, school.ben, school.eva, create_organiser("Carl Club")):
        for group in (school.old, school.new):
            school.answer(who, group, accept="1") if Transfer.objects.exists() else None
            assert not school.is_in(school.new)
    for stranger in (school.eva, school.anna):
        with pytest.raises(Refused, match="not-allowed"):
            transfers.accept_transfer(stranger, school.new.pk, offer.pk)
        with pytest.raises(Refused, match="not-allowed"):
            transfers.withdraw_transfer(stranger, school.new.pk, offer.pk)
    for other in (school.otto, create_organiser("Dora Club")):
        with pytest.raises(Refused, match="not-allowed"):
            transfers.offer_transfer(other, school.old.pk, school.anna.pk, school.new.pk)


@pytest.mark.parametrize(
    "change, code",
    [
        ("not for minors", "transfer-not-minors"),
        ("closed", "transfer-closed"),
        ("no organiser", "transfer-no-organiser"),
        ("no longer an organiser", "transfer-no-organiser"),
        ("full", "group-full"),
        ("the same", "transfer-same"),
        ("the organiser", "organiser-stays"),
    ],
)
def test_what_cannot_be_moved_is_refused(
    school: School, settings: Any, change: str, code: str
) -> None:
    target, player = school.new, school.anna
    if change == "not for minors":
        Group.objects.filter(pk=target.pk).update(for_minors=False)
    elif change == "closed":
        Group.objects.filter(pk=target.pk).update(closed_at=timezone.now())
    elif change == "no organiser":
        Group.objects.filter(pk=target.pk).update(organiser=None)
    elif change == "no longer an organiser":
        school.otto.groups.clear()
    elif change == "full":
        settings.MEMBERS_PER_GROUP = 2
    elif change == "the same":
        target = school.old
    else:
        player = school.olga
    with pytest.raises(Refused, match=code):
        transfers.offer_transfer(school.olga, school.old.pk, player.pk, target.pk)
    assert not Transfer.objects.exists() and school.is_in(school.old)


@pytest.mark.parametrize(
    "change", ["removed", "handed over", "expired", "full", "offered elsewhere"]
)
def test_an_offer_that_no_longer_holds_moves_nobody(
    school: School, settings: Any, change: str
) -> None:
    school.offer()
    offer = Transfer.objects.get()
    if change == "removed":
        membership.remove_member(school.old.pk, school.anna.pk)
    elif change == "handed over":
        Group.objects.filter(pk=school.old.pk).update(organiser=school.otto)
    elif change == "expired":
        Transfer.objects.update(at=timezone.now() - timedelta(days=31))
        page = get_text(client_for(school.otto).get(f"/groups/{school.new.pk}/"))
        assert "Anna 7b" not in page
    elif change == "full":
        settings.MEMBERS_PER_GROUP = 2
    else:
        third = create_group(create_organiser("Carl Club"), for_minors=True)
        school.offer(code=third.code or "")
    with pytest.raises(Refused, match="group-full" if change == "full" else "transfer-over"):
        transfers.accept_transfer(school.otto, school.new.pk, offer.pk)
    assert not school.is_in(school.new) and not is_public(school.anna.pk)


def test_accepting_twice_is_once(school: School) -> None:
    school.offer()
    offer = Transfer.objects.get()
    transfers.accept_transfer(school.otto, school.new.pk, offer.pk)
    with pytest.raises(Refused, match="transfer-over"):
        transfers.accept_transfer(school.otto, school.new.pk, offer.pk)
    assert Member.objects.filter(player=school.anna).count() == 1


def test_who_is_in_the_new_class_already_only_leaves_the_old_one(school: School) -> None:
    membership.join_group(school.anna, school.new.code or "")
    school.offer()
    school.answer(school.otto, school.new, accept="1")
    assert not school.is_in(school.old)
    (member,) = Member.objects.filter(player=school.anna)
    assert member.group == school.new and member.making is not None


def test_the_code_of_a_class_is_not_guessed(school: School) -> None:
    assert "Invalid code" in get_text(school.offer(code="WRONGCODE1"))
    assert "not a member of that group" in get_text(school.offer(group="nosuchgroup"))
    assert not Transfer.objects.exists()


# -- accounts that were made elsewhere


def test_every_organiser_of_a_pupil_can_set_the_password(school: School) -> None:
    membership.join_group(school.anna, school.new.code or "")
    for group in (school.old, school.new):
        assert create_passwords(group, create_token(), school.anna.pk)
    page = get_text(client_for(school.otto).get(f"/groups/{school.new.pk}/"))
    assert f"/members/{school.anna.pk}/password/" in page
    membership.remove_member(school.old.pk, school.anna.pk)
    assert create_passwords(school.new, create_token(), school.anna.pk)


def test_a_pupils_own_account_is_reset_only_if_nothing_else_recovers_it(school: School) -> None:
    assert create_passwords(school.old, create_token(), school.ben.pk)
    assert [each.player for each in create_passwords(school.old, create_token())] == [school.anna]
    address = EmailAddress.objects.create(user=school.ben, email="ben@example.com")
    assert create_passwords(school.old, create_token(), school.ben.pk), "it is not confirmed yet"
    address.verified = True
    address.save()
    with pytest.raises(Refused, match="not-made-here"):
        create_passwords(school.old, create_token(), school.ben.pk)


def test_a_club_resets_no_passwords_of_those_who_joined_it(school: School) -> None:
    club = create_group(create_organiser("Carl Club"), create_player("Stan Ger"))
    membership.join_group(school.anna, club.code or "")
    for member in club.members.all():
        with pytest.raises(Refused, match="not-made-here"):
            create_passwords(club, create_token(), member.player_id)


# -- no class


def test_a_pupil_in_no_class_reads_how_to_join_one(school: School) -> None:
    membership.remove_member(school.old.pk, school.anna.pk)
    page = get_text(client_for(school.anna).get("/groups/"))
    assert "Ask your teacher for the code of your class" in page
    assert "Ask your teacher" not in get_text(client_for(create_player("Stan Ger")).get("/groups/"))
