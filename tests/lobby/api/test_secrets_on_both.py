"""Tokens, OAuth and webhooks on real servers: one on SQLite, two on PostgreSQL and Redis."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from urllib.parse import urlencode

import pytest

from tests.builders.api import (
    Lines,
    create_client,
    create_token,
    send_move,
    send_request,
    start_game,
)
from tests.builders.oauth import allow_at_site, exchange_code_at_once
from tests.builders.players import PASSWORD
from tests.builders.sites import Person, Site, servers, until
from tests.builders.webhooks import Receiver, is_signed, run_receiver

pytestmark = pytest.mark.filterwarnings("ignore")

ROUNDS = 2


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def sites(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[Site]]:
    env = {"SECRET_KEY": "k" * 50, "WEBHOOKS_TO_PRIVATE_NETWORKS": "on", "LOG_FORMAT": "json"}
    names = ["alone"]
    if request.param == "postgres":
        env["DATABASE_URL"] = request.getfixturevalue("postgres_url")
        env["REDIS_URL"] = request.getfixturevalue("redis_url")
        names = ["here", "there"]
    with servers(env, *(tmp_path_factory.mktemp(name) for name in names)) as found:
        yield found


def sql(site: Site, statement: str) -> None:
    """Change stored data in ways that the site does not allow."""
    done = site.manage("shell", "-c", f"from lobby.models import *; {statement}")
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def owner(sites: list[Site]) -> Person:
    """Create an account whose owner has just confirmed the password."""
    found = Person(sites[0])
    form = {"username": "olga", "password1": PASSWORD, "password2": PASSWORD}
    assert found.form("/accounts/signup/", urlencode(form).encode())[0] == 200
    found.form("/accounts/reauthenticate/", urlencode({"password": PASSWORD}).encode())
    return found


def test_a_code_that_comes_twice_at_once_is_worth_one_token(
    sites: list[Site], owner: Person
) -> None:
    for _ in range(ROUNDS):
        told = exchange_code_at_once(list(islice(cycle(sites), 4)), allow_at_site(owner))
        won = [value for status, value in told if status == 200]
        lost = [value["error"] for status, value in told if status == 400]
        assert (len(won), lost) == (1, ["invalid_grant"] * 3), told
        for site in sites:
            assert send_request(site, "GET", "/api/account", won[0]["access_token"])[0] == 401


def test_a_token_that_runs_out_ends_its_streams_and_no_others(sites: list[Site]) -> None:
    short, long = create_token(sites[0], "anna", days="1"), create_token(sites[0], "anna")
    with (
        Lines(sites[-1], "/api/stream/event", short) as ends,
        Lines(sites[-1], "/api/stream/event", long) as goes_on,
    ):
        ends.blank()
        sql(sites[0], "Token.objects.exclude(expires_at=None).update(expires_at='2000-01-01T00Z')")
        ends.rest()
        goes_on.blank()
    for site in sites:
        assert send_request(site, "GET", "/api/account", short)[0] == 401
        assert send_request(site, "GET", "/api/account", long)[0] == 200


def test_many_requests_of_one_token_at_once(sites: list[Site]) -> None:
    text = create_token(sites[0], "busy")
    with ThreadPoolExecutor(16) as threads:
        seen = threads.map(
            lambda site: send_request(site, "GET", "/api/account", text)[0],
            islice(cycle(sites), 100),
        )
        assert Counter(seen) == {200: 100}
        ends = threads.map(
            lambda site: send_request(site, "DELETE", "/api/token", text)[0],
            islice(cycle(sites), 16),
        )
        assert set(ends) <= {204, 401}
    assert {send_request(site, "GET", "/api/account", text)[0] for site in sites} == {401}


def test_a_hook_hears_of_a_game_once(sites: list[Site], owner: Person) -> None:
    with run_receiver() as there:
        form = urlencode({"address": there.address, "told": "games"}).encode()
        status, page = owner.form("/accounts/webhooks/", form)
        assert status == 200
        secret = "whsec_" + page.partition('value="whsec_')[2].partition('"')[0]
        theirs = play_game(sites)
        until(lambda: len(kinds(there)) == 2, "both deliveries")
        assert kinds(there) == {"match.began": 1, "match.ended": 1}
        assert all(theirs in got.body and is_signed(got, secret) for got in there.got)


def kinds(there: Receiver) -> Counter[str]:
    return Counter(got.body.partition('"kind":"')[2].partition('"')[0] for got in there.got)


def play_game(sites: list[Site]) -> str:
    olga, bert = create_token(sites[0], "olga"), create_token(sites[0], "bert")
    game = start_game(sites[0], olga, bert, name="bert")
    assert send_move(sites[-1], olga, game, "mark 1 1")[0] == 200
    assert send_move(sites[0], bert, game, "mark 2 2")[0] == 200
    create_client(sites[-1], olga).board.resign_game(game)
    return game
