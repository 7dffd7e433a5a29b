"""Log-in of a class with cards and pictures: what works, when, and what a stranger can do."""

import re
import threading
from datetime import timedelta
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connections, transaction
from django.db.models import F
from django.test import Client, override_settings
from django.utils import timezone
from structlog.testing import capture_logs

from games.review.decisions import suspend_player
from lobby.accounts.guests import new_guest
from lobby.groups import class_login
from lobby.groups.class_closing import close_class
from lobby.groups.class_login import PICTURES, check_pictures, close_login, hash_pictures
from lobby.models import ClassLogin, Device, Group, MemberLogin, Player, SignIn
from tests.builders.class_logins import (
    choose_pictures,
    create_class,
    enter_class_code,
    give_logins,
    open_class,
    scan_card,
)
from tests.builders.groups import create_group
from tests.builders.pages import get_text, remove_isolates
from tests.builders.players import (
    client_for,
    create_organiser,
    create_player,
    is_logged_in,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna() -> Player:
    return create_player("Anna 7b")


@pytest.fixture
def ben() -> Player:
    return create_player("Ben 7b")


@pytest.fixture
def group(anna: Player, ben: Player) -> Group:
    return create_class(anna, ben)


def get_wrong(pictures: tuple[str, ...]) -> tuple[str, ...]:
    return (next(each for each in PICTURES if each != pictures[0]), *pictures[1:])


def get_player(client: Client) -> int | None:
    found = client.session.get("_auth_user_id")
    return None if found is None else int(found)


# -- cards


def test_a_card_logs_its_owner_in_on_the_page_of_the_class(group: Group, anna: Player) -> None:
    (login,) = give_logins(group, anna)
    open_class(group)
    client = Client()
    answer = scan_card(group, login.card, client)
    assert (answer.status_code, answer.url) == (302, f"/groups/{group.pk}/")
    assert get_player(client) == anna.pk and is_logged_in(client)


@pytest.mark.parametrize("change", ["lower", "spaced", "hyphens"])
def test_the_letters_of_a_card_can_be_typed(group: Group, anna: Player, change: str) -> None:
    (login,) = give_logins(group, anna)
    open_class(group)
    typed = {
        "lower": login.card.lower(),
        "spaced": f" {login.card[:7]} {login.card[7:]} ",
        "hyphens": "-".join(login.card[at : at + 5] for at in range(0, 20, 5)),
    }[change]
    assert scan_card(group, typed).status_code == 302


def test_a_card_works_only_while_log_in_is_open(group: Group, anna: Player) -> None:
    (login,) = give_logins(group, anna)
    closed = scan_card(group, login.card)
    assert closed.status_code == 403 and "Log-in is closed" in get_text(closed)
    open_class(group)
    assert scan_card(group, login.card).status_code == 302
    ClassLogin.objects.update(open_until=timezone.now())
    assert scan_card(group, login.card).status_code == 403
    open_class(group)
    assert group.organiser
    close_login(group, group.organiser)
    assert scan_card(group, login.card).status_code == 403


def test_log_in_is_open_for_a_school_day_at_most(group: Group) -> None:
    for hours in (0, 1, 9, 10_000):
        left = open_class(group, hours).open_until - timezone.now()
        assert timedelta(minutes=59) < left <= timedelta(hours=settings.CLASS_LOGIN_HOURS)
    client = client_for(group.organiser)
    for hours in ("1", "8", "99", "-1", "x", ""):
        client.post(f"/groups/{group.pk}/login/open/", {"hours": hours})
        left = ClassLogin.objects.get().open_until - timezone.now()
        assert left <= timedelta(hours=settings.CLASS_LOGIN_HOURS)


def test_a_card_of_another_class_does_not_work(group: Group, anna: Player) -> None:
    (login,) = give_logins(group, anna)
    other = create_group(create_organiser("Otto Brook"))
    open_class(other)
    open_class(group)
    assert scan_card(other, login.card).status_code == 400


@pytest.mark.parametrize("code", ["", "A" * 20, "x" * 5000, "\N{FULLWIDTH DIGIT FOUR}", "\0"])
def test_a_wrong_card_is_refused(group: Group, anna: Player, code: str) -> None:
    give_logins(group, anna)
    open_class(group)
    assert scan_card(group, code).status_code == 400
    assert not Session.objects.exists()


def test_log_in_closes_when_its_organiser_may_not_open_it(group: Group, anna: Player) -> None:
    (login,) = give_logins(group, anna)
    open_class(group)
    assert group.organiser
    suspend_player(create_player("Rita", "reviewer"), group.organiser.pk, "So.", 0, days=1)
    assert scan_card(group, login.card).status_code == 403
    Group.objects.update(organiser=None)
    assert scan_card(group, login.card).status_code == 403


def test_a_closed_class_has_no_log_in(group: Group, anna: Player) -> None:
    (login,) = give_logins(group, anna)
    open_class(group)
    assert group.organiser
    close_class(group.organiser, group.pk, "archive", "")
    assert scan_card(group, login.card).status_code == 403
    for page in ("cards", "names", "login/board"):
        answer = client_for(group.organiser).get(f"/groups/{group.pk}/{page}/")
        assert answer.status_code in (302, 403), page


def test_a_card_ends_with_the_membership(group: Group, anna: Player) -> None:
    (login,) = give_logins(group, anna)
    open_class(group)
    client_for(group.organiser).post(f"/groups/{group.pk}/members/{anna.pk}/remove/")
    assert scan_card(group, login.card).status_code == 400
    assert not MemberLogin.objects.exists()


@pytest.mark.parametrize("change", [{"is_active": False}, {"is_staff": True}])
def test_a_card_works_for_no_account_whose_password_is_not_the_classes(
    group: Group, anna: Player, change: dict[str, Any]
) -> None:
    (login,) = give_logins(group, anna)
    open_class(group)
    Player.objects.filter(pk=anna.pk).update(**change)
    assert scan_card(group, login.card).status_code == 400


# -- pictures


def test_pictures_log_a_pupil_in_on_a_device_with_the_classes_code(
    group: Group, anna: Player, ben: Player
) -> None:
    (login,) = give_logins(group, anna)
    code = open_class(group).code
    device = enter_class_code(f"{code[:4]}-{code[4:]}".lower())
    page = get_text(device.get(f"/groups/{group.pk}/login/"))
    assert "Anna 7b" in page and "Ben 7b" not in page  # he has no pictures
    page = get_text(device.get(f"/groups/{group.pk}/login/{anna.pk}/"))
    assert page.count("passwords") >= 3 * len(PICTURES)
    answer = choose_pictures(device, group, anna, login.pictures)
    assert (answer.status_code, answer.url) == (302, f"/groups/{group.pk}/")
    assert get_player(device) == anna.pk
    device.post("/accounts/logout/")  # the next child on the same device
    assert "Anna 7b" in get_text(device.get(f"/groups/{group.pk}/login/"))


def test_without_the_classes_code_no_name_is_shown_and_no_pictures_work(
    group: Group, anna: Player
) -> None:
    (login,) = give_logins(group, anna)
    first = open_class(group).code
    device = enter_class_code(first)
    open_class(group)  # with another code
    for stranger in (Client(), device, client_for(create_player("Otto Cole"))):
        page = get_text(stranger.get(f"/groups/{group.pk}/login/"))
        assert "Anna" not in page
        assert not re.search(rf"\b{group.name}\b", page)  # a token may contain it
        answer = choose_pictures(stranger, group, anna, login.pictures)
        assert (answer.status_code, answer.url) == (302, "/class/")
    assert MemberLogin.objects.get().wrong_pictures == 0
    assert enter_class_code(first).cookies.get("class") is None


def test_a_closed_class_looks_like_one_that_does_not_exist(group: Group, anna: Player) -> None:
    answers = [Client().get(f"/groups/{each}/login/") for each in (group.pk, "nosuchone9")]
    assert [each.status_code for each in answers] == [403, 403]
    assert len({get_text(each).replace(group.pk, "nosuchone9") for each in answers}) == 1


def test_five_wrong_pictures_lock_the_account_until_log_in_is_opened_again(
    group: Group, anna: Player, ben: Player
) -> None:
    login, other = give_logins(group, anna, ben)
    device = enter_class_code(open_class(group).code)
    for _ in range(settings.PICTURE_ERRORS_PER_ACCOUNT):
        answer = choose_pictures(device, group, anna, get_wrong(login.pictures))
        assert answer.status_code == 400 and "not your pictures" in get_text(answer)
    answer = choose_pictures(device, group, anna, login.pictures)
    assert answer.status_code == 400 and "Too many wrong pictures" in get_text(answer)
    assert get_player(device) is None
    assert scan_card(group, login.card).status_code == 302
    assert choose_pictures(device, group, ben, other.pictures).status_code == 302
    device = enter_class_code(open_class(group).code)
    assert choose_pictures(device, group, anna, login.pictures).status_code == 302


def test_wrong_pictures_of_all_members_lock_the_class(
    group: Group, anna: Player, ben: Player
) -> None:
    login, other = give_logins(group, anna, ben)
    device = enter_class_code(open_class(group).code)
    with override_settings(PICTURE_ERRORS_PER_CLASS=3):
        for _ in range(3):
            choose_pictures(device, group, anna, get_wrong(login.pictures))
        answer = choose_pictures(device, group, ben, other.pictures)
        assert answer.status_code == 400 and get_player(device) is None
        page = get_text(client_for(group.organiser).get(f"/groups/{group.pk}/login/board/"))
        assert "has stopped after too many wrong pictures" in page


@pytest.mark.parametrize("pictures", [(), ("sun",), ("sun", "sun", "x"), ("", "", "")])
def test_incomplete_pictures_are_no_attempt(
    group: Group, anna: Player, pictures: tuple[str, ...]
) -> None:
    give_logins(group, anna)
    device = enter_class_code(open_class(group).code)
    answer = choose_pictures(device, group, anna, pictures)
    assert answer.status_code == 400 and "one picture in each row" in get_text(answer)
    assert MemberLogin.objects.get().wrong_pictures == 0


def test_a_member_without_pictures_cannot_use_them(group: Group, anna: Player) -> None:
    give_logins(group, anna, with_pictures=False)
    device = enter_class_code(open_class(group).code)
    answer = choose_pictures(device, group, anna, ("sun", "sun", "sun"))
    assert (answer.status_code, answer.url) == (302, f"/groups/{group.pk}/login/")
    assert get_player(device) is None


def test_a_protected_member_of_a_club_is_not_named_there(anna: Player) -> None:
    """Not even to those who know the code: members of the club cannot see her either."""
    group = create_class(anna)
    give_logins(group, anna)
    Group.objects.update(for_minors=False)
    group.refresh_from_db()
    assert class_login.list_picture_members(group) == []
    page = get_text(client_for(group.organiser).get(f"/groups/{group.pk}/cards/"))
    assert "Anna" not in page


# -- what such a session is


def test_the_session_has_a_new_key_and_nothing_of_the_last_one(
    group: Group, anna: Player, ben: Player
) -> None:
    """A key that somebody planted on the device is of no use (session fixation)."""
    (login,) = give_logins(group, anna)
    open_class(group)
    device = client_for(ben)
    session = device.session
    session["planted"] = True
    session.save()
    assert scan_card(group, login.card, device).status_code == 302
    assert get_player(device) == anna.pk and "planted" not in device.session
    assert device.session.session_key != session.session_key
    assert not Session.objects.filter(pk=session.session_key).exists()


def test_nothing_of_a_guest_on_the_device_becomes_the_pupils(group: Group, anna: Player) -> None:
    (login,) = give_logins(group, anna)
    open_class(group)
    guest = new_guest()
    device = client_for(guest)
    assert scan_card(group, login.card, device).status_code == 302
    guest.refresh_from_db()
    assert guest.alias_of_id is None and get_player(device) == anna.pk


def test_the_session_ends_with_the_opening(group: Group, anna: Player) -> None:
    (login,) = give_logins(group, anna)
    opened = open_class(group, 2)
    client = Client()
    scan_card(group, login.card, client)
    session = Session.objects.get(pk=client.session.session_key)
    assert session.expire_date <= opened.open_until + timedelta(seconds=2)
    client.get("/")  # renews the session, but not beyond that
    session.refresh_from_db()
    assert session.expire_date <= opened.open_until + timedelta(seconds=2)


def test_changes_to_the_account_still_ask_for_the_password(group: Group, anna: Player) -> None:
    """So a stranger who guesses pictures plays as the pupil for a day, and no more."""
    (login,) = give_logins(group, anna)
    open_class(group)
    client = Client()
    scan_card(group, login.card, client)
    for path in ("2fa/totp/activate/", "2fa/webauthn/add/"):
        answer = client.get(f"/accounts/{path}")
        assert answer.status_code in (302, 403), path
        assert answer.status_code == 403 or "reauthenticate" in answer.url, path
    for path, form in (
        ("words/", {}),
        ("email/", {"email": "a@example.org", "action_add": "1"}),
        ("password/", {"oldpassword": "x", "password1": "new horse 9"}),
    ):
        answer = client.post(f"/accounts/{path}", form)
        assert answer.status_code != 302 or "reauthenticate" in answer.url, path
    for path in ("tokens/", "close/"):  # no pupil has these
        assert client.post(f"/accounts/{path}", {"password": "x"}).url == "/accounts/", path
    anna.refresh_from_db()
    assert anna.email == "" and anna.closing_at is None
    assert not anna.check_password("new horse 9") and not hasattr(anna, "recovery_words")


def test_a_device_of_the_class_is_not_remembered_as_the_pupils(group: Group, anna: Player) -> None:
    (login,) = give_logins(group, anna)
    open_class(group)
    for _ in range(2):
        assert scan_card(group, login.card).status_code == 302
    assert not Device.objects.exists() and not SignIn.objects.exists()


# -- who may open it


def test_only_the_organiser_opens_closes_and_shows_it(group: Group, anna: Player) -> None:
    for name in ("open", "close"):
        where = f"/groups/{group.pk}/login/{name}/"
        assert client_for(anna).post(where).status_code == 403
        assert client_for(create_player(f"Otto {name}")).post(where).status_code == 404
        assert "/accounts/login/" in Client().post(where).url
        assert client_for(group.organiser).get(where).status_code == 405
    assert not ClassLogin.objects.exists()
    code = open_class(group).code
    client = client_for(group.organiser)
    assert f"{code[:4]}-{code[4:]}" in get_text(client.get(f"/groups/{group.pk}/login/board/"))
    assert client_for(anna).get(f"/groups/{group.pk}/login/board/").status_code == 403
    page = get_text(client_for(anna).get(f"/groups/{group.pk}/"))
    assert code[:4] not in page and "Log-in without passwords" not in page
    assert client.get(f"/groups/{group.pk}/login/").url == f"/groups/{group.pk}/login/board/"


def test_a_board_that_other_devices_cannot_open_says_so(group: Group) -> None:
    open_class(group)
    client, path = client_for(group.organiser), f"/groups/{group.pk}/login/board/"
    shown = get_text(client.get(path, headers={"host": "localhost:8000"}))
    assert "Other devices cannot open localhost:8000" in shown
    assert "Other devices cannot open" not in get_text(client.get(path))


def test_a_pupil_sees_who_is_logged_in_on_the_device(group: Group, ben: Player) -> None:
    open_class(group)
    page = remove_isolates(get_text(client_for(ben).get(f"/groups/{group.pk}/login/")))
    assert "Ben 7b is logged in on this device" in page and "data-ask" in page
    assert "data-ask" not in get_text(Client().get(f"/groups/{group.pk}/login/"))


# -- limits, logs and secrets


def test_wrong_codes_and_cards_are_limited_by_address(group: Group, anna: Player) -> None:
    (login,) = give_logins(group, anna)
    code = open_class(group).code
    with override_settings(RATE_LIMITS=True, CLASS_LOGIN_ERRORS_PER_ADDRESS=4):
        client = Client(REMOTE_ADDR="203.0.113.77")
        for _ in range(2):
            assert client.post("/class/", {"code": "WRONG"}).status_code == 400
            assert scan_card(group, "WRONG", client).status_code == 400
        assert client.post("/class/", {"code": code}).status_code == 429
        assert scan_card(group, login.card, client).status_code == 429
        assert scan_card(group, login.card, Client(REMOTE_ADDR="203.0.113.78")).status_code == 302


def test_no_secret_is_stored_or_logged(group: Group, anna: Player) -> None:
    with capture_logs() as lines:
        (login,) = give_logins(group, anna)
        device = enter_class_code(open_class(group).code)
        choose_pictures(device, group, anna, get_wrong(login.pictures))
        choose_pictures(device, group, anna, login.pictures)
        scan_card(group, login.card)
        scan_card(group, "B" * 20)
    events = [line["event"] for line in lines]
    assert "logged in with a card" in events and "logged in with pictures" in events
    assert "login with a card failed" in events and "login with pictures failed" in events
    stored = MemberLogin.objects.values_list().get()
    for text in (str(lines), str(stored), repr(login)):
        assert login.card not in text and "B" * 20 not in text
        assert not any(f"'{picture}'" in text for picture in PICTURES)


def test_a_copy_of_the_database_does_not_reveal_pictures(anna: Player) -> None:
    known = hash_pictures(1, ("sun", "sun", "sun"))
    assert known != hash_pictures(2, ("sun", "sun", "sun"))
    with override_settings(SECRET_KEY="another " * 8):
        assert known != hash_pictures(1, ("sun", "sun", "sun"))


@pytest.mark.django_db(transaction=True)
def test_attempts_at_the_same_time_are_all_counted(anna: Player) -> None:
    """Otherwise parallel requests would get additional guesses."""
    group = create_class(anna)
    (login,) = give_logins(group, anna)
    open_class(group)
    MemberLogin.objects.update(wrong_pictures=F("wrong_pictures") + 3)
    answers = list[Any]()

    def attempt() -> None:
        try:
            with transaction.atomic():
                answers.append(check_pictures(group.pk, anna.pk, get_wrong(login.pictures)))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=attempt) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    codes = sorted(each.code for each in answers)
    assert codes == ["pictures-locked"] * 4 + ["wrong-pictures"] * 2
    assert MemberLogin.objects.get().wrong_pictures == settings.PICTURE_ERRORS_PER_ACCOUNT


def test_a_closed_account_leaves_nothing(group: Group, anna: Player) -> None:
    give_logins(group, anna)
    anna.delete()
    assert not MemberLogin.objects.exists() and not UserSession.objects.exists()
