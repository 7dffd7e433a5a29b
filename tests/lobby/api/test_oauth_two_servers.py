"""A code sent to two servers on PostgreSQL at the same time yields one token, which is revoked."""

from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.builders.api import send_request
from tests.builders.oauth import (
    allow_at_site,
    exchange_code_at_once,
)
from tests.builders.players import PASSWORD
from tests.builders.sites import Person, servers

pytestmark = pytest.mark.filterwarnings("ignore")

ROUNDS = 5


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
            told = exchange_code_at_once(sites, allow_at_site(alice))
            won = [value for status, value in told if status == 200]
            lost = [value["error"] for status, value in told if status == 400]
            assert (len(won), lost) == (1, ["invalid_grant"]), told
            for site in sites:
                assert send_request(site, "GET", "/api/account", won[0]["access_token"])[0] == 401
