"""Logging in: uniform errors, few attempts, notices of new browsers, sessions that end."""

import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.sessions.models import Session
from django.test import Client, override_settings

from games.store.sessions import SessionStore
from lobby.accounts import hashing
from lobby.accounts.devices import get_device_name
from lobby.accounts.guests import new_guest
from lobby.models import Player, SignIn
from tests.builders.players import NEW_PASSWORD, PASSWORD, create_player, is_logged_in, log_in

pytestmark = pytest.mark.django_db
WRONG = "Wrong name or password"
TOO_OFTEN = "Too many attempts."


@pytest.fixture
def hashes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the hasher of each hash that is computed from now on."""
    done: list[str] = []
    for hasher in (hashing.Argon2Hasher, hashing.PBKDF2Hasher):
        for how in ("encode", "verify"):
            real = getattr(hasher, how)

            def counted(self: Any, *args: Any, real: Any = real, **more: Any) -> Any:
                done.append(type(self).__name__)
                return real(self, *args, **more)

            monkeypatch.setattr(hasher, how, counted)
    return done


@pytest.fixture
def limited() -> Iterator[None]:
    with override_settings(
        RATE_LIMITS=True, LOGIN_ATTEMPTS_PER_ACCOUNT=3, LOGIN_ATTEMPTS_PER_ADDRESS=8
    ):
        yield


def attempt(name: str, password: str, address: str = "127.0.0.1") -> tuple[int, str]:
    answer = Client(REMOTE_ADDR=address).post(
        "/accounts/login/", {"login": name, "password": password}
    )
    return answer.status_code, answer.content.decode()


def test_a_missing_and_an_existing_account_are_answered_alike(hashes: list[str]) -> None:
    create_player("anna")
    create_player("shut", is_active=False)
    guest = new_guest()
    hashes.clear()
    pages = []
    for name in ("anna", "nobody", "shut", guest.username):
        status, page = attempt(name, "guess")
        assert (status, hashes) == (200, ["Argon2Hasher"]), name
        hashes.clear()
        pages.append(re.sub(r'name="csrf.*?>', "", page).replace(name, "…"))
    assert WRONG in pages[0]
    assert len(set(pages)) == 1
    assert attempt("shut", PASSWORD)[0] == 200, "nor does the right password tell"


@pytest.mark.parametrize("typed", ["Anna Berg", "anna berg", " ANNA  BERG ", "Ａnna Berg"])  # noqa: RUF001
def test_the_name_is_found_however_it_is_typed(typed: str) -> None:
    create_player("Anna Berg")
    assert is_logged_in(log_in(typed))


def test_one_that_looks_alike_is_another_name() -> None:
    create_player("Anna Berg")
    assert not is_logged_in(log_in("Anna.Berg"))
    assert not is_logged_in(log_in("Аnna Berg"))  # noqa: RUF001  # a Cyrillic letter


def test_an_older_password_stays_valid_and_is_hashed_anew() -> None:
    anna = create_player("anna")
    anna.password = PBKDF2PasswordHasher().encode(PASSWORD, "salt", iterations=1000)
    anna.save()
    assert is_logged_in(log_in("anna"))
    anna.refresh_from_db()
    assert anna.password.startswith("argon2$argon2id$")


def test_only_so_many_are_hashed_at_once() -> None:
    assert hashing._slots._value == settings.CONCURRENT_PASSWORD_HASHES  # type: ignore[attr-defined]


@pytest.mark.usefixtures("limited")
def test_tries_are_few_for_an_account_and_for_a_client_network() -> None:
    create_player("anna")
    for number in range(3):
        assert attempt("anna", "guess", f"198.51.100.{number}")[0] == 200
    status, page = attempt("ANNA", PASSWORD, "198.51.100.9")
    assert status == 429
    assert TOO_OFTEN in page
    for number in range(8):
        assert attempt(f"name {number}", "guess", f"2001:db8:1:1::{number + 1}")[0] == 200
    assert attempt("name 9", "guess", "2001:db8:1:1::99")[0] == 429
    assert attempt("name 9", "guess", "2001:db8:1:2::1")[0] == 200


@pytest.mark.usefixtures("limited")
def test_sign_ups_and_mails_are_few() -> None:
    with override_settings(SIGNUPS_PER_HOUR=2, MAILS_PER_HOUR_PER_RECIPIENT=1, SENDS_MAIL=True):
        client = Client(REMOTE_ADDR="203.0.113.5")
        form = {"username": "x", "password1": "1", "password2": "2"}
        told = [client.post("/accounts/signup/", form).status_code for _ in range(3)]
        assert told == [200, 200, 429]
        for path in ("/accounts/password/reset/", "/accounts/login/code/"):
            fresh = Client(REMOTE_ADDR="203.0.113.6")
            asked = {"email": f"{path.count('/')}{len(path)}@example.org"}
            assert fresh.post(path, asked).status_code == 302
            assert Client(REMOTE_ADDR="203.0.113.7").post(path, asked).status_code == 429


def test_a_new_browser_is_shown_to_the_account() -> None:
    create_player("anna")
    first = log_in("anna", client=Client(HTTP_USER_AGENT="Mozilla/5.0 (X11; Linux) Firefox/140"))
    assert "New login to your account" not in first.get("/").content.decode(), (
        "the first one is no news"
    )
    first.post("/accounts/logout/")
    assert is_logged_in(log_in("anna", client=first))
    assert not SignIn.objects.exists(), "nor one that it knows"
    log_in("anna", client=Client(HTTP_USER_AGENT="Mozilla/5.0 (Windows NT) Chrome/140 Edg/140"))
    page = first.get("/").content.decode()
    assert "New login to your account" in page
    assert "Edge on Windows" in page
    assert first.post("/accounts/sign-ins/read/").status_code == 302
    assert "New login to your account" not in first.get("/").content.decode()


def test_who_broke_in_cannot_put_the_warning_away() -> None:
    create_player("anna")
    first, intruder = log_in("anna"), log_in("anna")
    log_in("anna", client=Client(HTTP_USER_AGENT="curl"))  # again, with another browser
    without_cookie = Client()
    without_cookie.cookies["sessionid"] = intruder.cookies["sessionid"].value
    assert is_logged_in(without_cookie)
    without_cookie.post("/accounts/sign-ins/read/")
    intruder.post("/accounts/logout/")
    for other in (log_in("anna", client=intruder), log_in("anna")):
        other.post("/accounts/sign-ins/read/")
    told = first.get("/").content.decode()
    assert SignIn.objects.earliest("at").seen_at is None
    assert "New login to your account" in told


def test_a_browser_is_told_of_those_that_came_after_it() -> None:
    create_player("anna")
    first, second = log_in("anna"), log_in("anna")
    assert "New login to your account" not in second.get("/").content.decode(), "it is the new one"
    assert "New login to your account" in first.get("/").content.decode()
    log_in("anna")
    assert "New login to your account" in second.get("/").content.decode()


def test_browsers_are_named_in_few_words() -> None:
    safari = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1"
    assert get_device_name(safari) == "Safari on iPhone"
    assert get_device_name("") == ""


def test_sessions_are_listed_and_each_can_be_ended() -> None:
    create_player("anna")
    here = log_in("anna", client=Client(HTTP_USER_AGENT="Firefox Linux"))
    there, third = log_in("anna", client=Client(HTTP_USER_AGENT="Safari iPhone")), log_in("anna")
    page = here.get("/accounts/sessions/").content.decode()
    assert "Safari on iPhone" in page
    assert re.search(r"Firefox on Linux</b>\s+· this session", page)
    one = UserSession.objects.get(session_key=there.session.session_key)
    assert here.post(f"/accounts/sessions/{one.pk}/end/").status_code == 302
    assert not is_logged_in(there)
    assert is_logged_in(third)
    assert here.post("/accounts/sessions/").status_code == 302
    assert not is_logged_in(third)
    assert is_logged_in(here)
    create_player("bob")
    bob = log_in("bob")
    mine = UserSession.objects.get(user__username="bob")
    assert here.post(f"/accounts/sessions/{mine.pk}/end/").status_code == 404
    assert is_logged_in(bob)


def test_no_address_is_stored_with_a_session() -> None:
    create_player("anna")
    log_in("anna", client=Client(REMOTE_ADDR="203.0.113.77"))
    assert set(UserSession.objects.values_list("ip", flat=True)) == {"0.0.0.0"}


def test_a_new_password_ends_the_other_sessions_and_asks_for_the_old_one() -> None:
    create_player("anna")
    here, there = log_in("anna"), log_in("anna")
    form = {"oldpassword": "guess", "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    assert "Wrong password" in here.post("/accounts/password/", form).content.decode()
    answer = here.post("/accounts/password/", {**form, "oldpassword": PASSWORD})
    assert answer.status_code == 302, answer.content.decode()
    assert is_logged_in(here)
    assert not is_logged_in(there)
    assert Session.objects.count() == 1


def test_a_session_ends_in_the_end_that_of_staff_after_eight_hours() -> None:
    create_player("anna")
    create_player("chief", is_staff=True)
    for name, most in (("anna", settings.SESSION_MAX_SECONDS), ("chief", 8 * 3600)):
        session = log_in(name).session
        assert isinstance(session, SessionStore)
        assert most - 60 < session["_ends_at"] - time.time() <= most
        assert session.get_expiry_age() <= min(most, settings.SESSION_COOKIE_AGE)
        session["_ends_at"] = time.time() + 100
        assert session.get_expiry_age() <= 100, "however much it is used"
        session["_ends_at"] = time.time() - 1
        session.save()
        assert not Session.objects.filter(
            pk=session.session_key, expire_date__gt=session.get_expiry_date()
        ).exists()
    guest, client = new_guest(), Client()
    client.force_login(guest)
    assert "_ends_at" not in client.session, "a guest could not log in again"


def test_who_becomes_staff_has_eight_hours_from_then() -> None:
    create_player("anna")
    client = log_in("anna")
    Player.objects.update(is_staff=True)
    client.get("/")
    assert client.session["_ends_at"] - time.time() <= 8 * 3600
