"""A code that comes to two servers on PostgreSQL at once is worth one token, and that one ends."""

import http.client
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from tests.live import Person, Site, servers
from tests.lobby.accounts.people import PASSWORD
from tests.lobby.api.people import ask
from tests.lobby.api.test_oauth import ASKED, HOME, VERIFIER, page

pytestmark = pytest.mark.filterwarnings("ignore")

ROUNDS = 5


def code_of(person: Person) -> str:
    """Allow it; gives the code."""
    connection = http.client.HTTPConnection("127.0.0.1", person.site.port, timeout=20)
    headers = {
        "Cookie": person.cookie_header(), "X-CSRFToken": person.token() or "",
        "Origin": person.site.url, "Content-Type": "application/x-www-form-urlencoded",
    }  # fmt: skip
    connection.request("POST", page(), "answer=allow", headers)
    answer = connection.getresponse()
    where = answer.getheader("Location") or ""
    connection.close()
    assert where.startswith(f"{HOME}?"), (answer.status, where)
    return parse_qs(urlsplit(where).query)["code"][0]


def test_one_of_two_gets_the_token_and_the_other_ends_it(
    postgres_url: str, redis_url: str, tmp_path: Path
) -> None:
    env = {"DATABASE_URL": postgres_url, "REDIS_URL": redis_url, "SECRET_KEY": "k" * 50}
    folders = [tmp_path / "here", tmp_path / "there"]
    for folder in folders:
        folder.mkdir()
    with servers(env, *folders) as sites:
        alice = Person(sites[0])
        form = {"username": "alice at two", "password1": PASSWORD, "password2": PASSWORD}
        assert alice.form("/accounts/signup/", urlencode(form).encode())[0] == 200
        alice.form("/accounts/reauthenticate/", urlencode({"password": PASSWORD}).encode())
        for _ in range(ROUNDS):
            told = at_once(sites, code_of(alice))
            won = [value for status, value in told if status == 200]
            lost = [value["error"] for status, value in told if status == 400]
            assert (len(won), lost) == (1, ["invalid_grant"]), told
            for site in sites:
                assert ask(site, "GET", "/api/account", won[0]["access_token"])[0] == 401


def at_once(sites: list[Site], code: str) -> list[tuple[int, Any]]:
    body = urlencode({
        "grant_type": "authorization_code", "code": code, "client_id": ASKED["client_id"],
        "redirect_uri": HOME, "code_verifier": VERIFIER,
    }).encode()  # fmt: skip
    start = Barrier(len(sites))

    def one(site: Site) -> tuple[int, Any]:
        start.wait(10)
        return ask(site, "POST", "/api/token", data=body)[:2]

    with ThreadPoolExecutor(len(sites)) as threads:
        return list(threads.map(one, sites))
