"""The login of a running site behind a proxy: few attempts, and a log of players and addresses."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from urllib.parse import urlencode

import pytest
from django.contrib.auth.hashers import check_password, make_password
from django.db import connection, transaction

from tests.builders.second_factors import GIVE_TO_STAFF
from tests.builders.sites import Person, Site

WRONG = "Wrong name or password"
TOO_OFTEN = "Too many attempts."


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    env = {
        "RATE_LIMITS": "on",
        "LOGIN_ATTEMPTS_PER_ACCOUNT": "3",
        "LOGIN_ATTEMPTS_PER_ADDRESS": "9",
        "BEHIND_PROXY": "on",
        "LOG_FORMAT": "json",
    }
    server = Site(tmp_path_factory.mktemp("login"), env)
    try:
        server.wait()
        made = server.manage(
            "shell", "-c",
            "from lobby.models import Player;"
            "Player.objects.create_user('member', password='a long password');"
            "print('pk', Player.objects.create_user('chief', password='a long password').pk)",
        )  # fmt: skip
        assert made.returncode == 0, made.stderr
        yield server
        server.must_be_calm()
    finally:
        server.stop()


def from_(site: Site, address: str) -> Person:
    person = Person(site)
    person._http.addheaders = [("X-Forwarded-For", address)]
    person.get("/accounts/login/")
    return person


def attempt(person: Person, name: str, password: str) -> tuple[int, str]:
    """Return the status and the text of the page."""
    form = urlencode({"login": name, "password": password, "next": "/accounts/"}).encode()
    status, body = person.form("/accounts/login/", form)
    for words in (WRONG, TOO_OFTEN):
        if words in body:
            return status, words
    return status, body


def test_an_account_is_tried_a_few_times_from_wherever(site: Site) -> None:
    assert "Log out" in attempt(from_(site, "198.51.100.77"), "chief", "a long password")[1]
    for number in range(2):
        person = from_(site, f"198.51.100.{number}")
        assert attempt(person, "chief", "guess") == (200, WRONG)
    for password in ("guess", "a long password"):
        assert attempt(from_(site, "198.51.100.9"), "chief", password) == (429, TOO_OFTEN)
    # Failed guesses do not lock out people who have logged in from there before.
    assert "Log out" in attempt(from_(site, "198.51.100.77"), "chief", "a long password")[1]
    status, page = attempt(from_(site, "198.51.100.10"), "nobody", "guess")
    assert (status, page) == (200, WRONG)


def test_an_address_tries_a_few_accounts(site: Site) -> None:
    answers = [attempt(from_(site, "203.0.113.7"), f"name {n}", "guess") for n in range(11)]
    assert answers == [(200, WRONG)] * 9 + [(429, TOO_OFTEN)] * 2
    # A network is a whole IPv6 prefix.
    answers = [attempt(from_(site, f"2001:db8::{n + 1}"), f"name {n}", "x") for n in range(10)]
    assert answers[-1] == (429, TOO_OFTEN)


def test_the_log_knows_who_by_a_number_and_from_where_by_a_hash(site: Site) -> None:
    person = from_(site, "192.0.2.77")
    assert attempt(person, "secret typed as a name", "guess")[0] == 200
    guest = from_(site, "192.0.2.77").be_guest()
    assert guest.post("/forget/")[0] == 200
    log = site.output()
    failed = re.findall(r'\{"player": (\w+), "address": "(\w{16})", "event": "login failed"', log)
    assert {player for player, _ in failed} > {"null"}  # and the numbers of known players
    (entered,) = re.findall(r'"player": (\d+), "guest": true, .*"address": "(\w{16})"', log)
    (left,) = re.findall(r'"player": (\d+), "address": "(\w{16})", "event": "logged out"', log)
    assert entered == left
    assert entered[1] in {address for _, address in failed}
    for private in ("secret typed", "192.0.2.77", "chief", "guess"):
        assert private not in log


def test_a_right_that_is_refused_is_logged(site: Site) -> None:
    made = site.manage(
        "shell", "-c",
        "from lobby.models import Player;"
        "p = Player.objects.create_user('clerk', password='a long password', is_staff=True);"
        "print('pk', p.pk);" + GIVE_TO_STAFF,
    )  # fmt: skip
    pk = re.findall(r"pk (\d+)", made.stdout)[0]
    clerk = from_(site, "192.0.2.80").log_in("clerk", "a long password", "/admin/")
    for _ in range(20):
        assert clerk.get("/admin/lobby/player/")[0] == 403
    lines = re.findall(r'.*"permission denied".*', site.output())
    assert 1 <= len(lines) <= 5, "a few in a minute"
    assert f'"player": {pk},' in lines[0]
    assert '"view": "admin:lobby_player_changelist"' in lines[0]


def test_a_site_hashes_passwords_with_all_their_memory(site: Site) -> None:
    """The tests' own process uses less memory."""
    with closing(sqlite3.connect(site.folder / "site.sqlite3")) as database:
        rows = database.execute("SELECT password FROM lobby_player WHERE username = 'member'")
        assert rows.fetchone()[0].startswith("argon2$argon2id$v=19$m=47104,t=1,p=1$")


@pytest.mark.django_db(transaction=True)
def test_no_connection_is_held_while_a_password_is_hashed() -> None:
    connection.ensure_connection()
    stored = make_password("a long password")
    assert connection.connection is None
    connection.ensure_connection()
    assert check_password("a long password", stored)
    assert connection.connection is None
    with transaction.atomic():  # which must not lose its connection
        assert check_password("a long password", stored)
        assert connection.connection is not None
