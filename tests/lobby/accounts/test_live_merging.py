"""Merging on running servers: games continue, sockets reconnect, and tabs may race."""

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode

import pytest
from websockets.exceptions import ConnectionClosed

from games.live.frames import CLOSE_RECONNECT
from tests.builders.databases import database_of_its_own
from tests.builders.players import PASSWORD
from tests.builders.sites import Person, Site, Socket, pair, servers

KEY = "m" * 50


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def sites(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[Site]]:
    """One server on SQLite, and two servers on PostgreSQL."""
    env = {"SECRET_KEY": KEY}
    if request.param == "postgres":
        env["DATABASE_URL"] = request.getfixturevalue("postgres_url")
        env["REDIS_URL"] = request.getfixturevalue("redis_url")
        database_of_its_own(env)
    with servers(
        env,
        *(
            tmp_path_factory.mktemp(f"server{i}")
            for i in range(2 if request.param == "postgres" else 1)
        ),
    ) as found:
        yield found


@pytest.fixture
def site(sites: list[Site]) -> Site:
    return sites[0]


def sign_up(person: Person, name: str) -> Person:
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    status, page = person.form("/accounts/signup/", urlencode(form).encode())
    assert status == 200, page
    assert name in page
    return person


def sign_in(person: Person, name: str) -> Person:
    form = {"login": name, "password": PASSWORD}
    status, page = person.form("/accounts/login/", urlencode(form).encode())
    assert status == 200, page
    return person


def closed(socket: Socket) -> int:
    """Return the close code of a socket."""
    end = time.monotonic() + 20
    try:
        while True:
            socket.frame(max(0.01, end - time.monotonic()))
    except ConnectionClosed as found:
        assert found.rcvd is not None
        return found.rcvd.code


_numbers = iter(range(1000))


def a_name(of: str) -> str:
    return f"{of} {next(_numbers)}"


def test_live_games_go_on_and_sockets_begin_anew(sites: list[Site], bob_online: Person) -> None:
    here, there = sites[0], sites[-1]
    name = a_name("Anna")
    account = sign_up(Person(there), name)
    guest = Person(here).be_guest()
    match_id, roles = pair(guest, bob_online, "tic-tac-toe")
    role = next(role for role, who in roles.items() if who is guest)
    on_phone = account.match(match_id)
    assert on_phone.next("state")["you"] is None, "the account on another device looks on"
    at_lobby = guest.lobby()
    with guest.match(match_id) as stale, bob_online.match(match_id) as b:
        stale.next("state")
        b.next("state")
        first = stale if role == "xplayer" else b
        first.play("mark 1 1")
        second = b if first is stale else stale
        second.ply(1)
        sign_in(guest, name)
        # The guest's tab acts for the account until the server asks it to reconnect. On a busy
        # machine that may happen before this action. The account then acts on its own device.
        try:
            second.play("mark 2 2")
        except ConnectionClosed:
            assert second is stale
            with account.match(match_id) as device:
                if device.next("state")["ply"] == 1:
                    device.play("mark 2 2")
        assert [closed(s) for s in (stale, at_lobby, on_phone)] == [CLOSE_RECONNECT] * 3
        b.ply(2)
        assert b.state["seats"][role]["name"] == name or b.next(
            "state", lambda state: state["seats"][role]["name"] == name
        )
    with (
        account.match(match_id) as a,
        guest.at(there).match(match_id) as same,
        bob_online.match(match_id) as b,
    ):
        for socket in (a, same, b):
            socket.next("state")
        assert a.state["you"] == same.state["you"] == role
        for action, other in (("mark 3 3", a), ("mark 1 2", a), ("mark 1 3", same)):
            mover = b if b.state["turn"] != role else other
            mover.play(action)
            for socket in (a, same, b):
                socket.ply(mover.state["ply"])
    page = account.get("/")[1]
    assert f"/match/{match_id}/" in page or a.state["status"] == "over"
    assert here.manage("verify_matches").returncode == 0


def test_two_tabs_sign_in_at_once(sites: list[Site], site: Site) -> None:
    names = [a_name("Anna"), a_name("Berta")]
    for name in names:
        sign_up(Person(site), name)
    bob = Person(site).be_guest()
    guest = Person(site).be_guest()
    match_id, _ = pair(guest, bob, "dots-and-boxes")
    for tried in ([names[0]] * 2, names):
        tabs = [guest.at(sites[i % len(sites)]) for i in range(2)]
        for tab in tabs:
            tab.get("/accounts/login/")
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(sign_in, tabs, tried))
    with Person(site).match(match_id) as watcher:
        seats = watcher.next("state")["seats"]
        assert names[0] in {seat["name"] for seat in seats.values()}, "the first to come stays"
    assert site.manage("verify_matches").returncode == 0


def test_a_match_against_oneself_ends_for_all_who_look(sites: list[Site], site: Site) -> None:
    name = a_name("Anna")
    account = sign_up(Person(site), name)
    guest = Person(site).be_guest()
    match_id, roles = pair(account, guest, "tic-tac-toe")
    with Person(sites[-1]).match(match_id) as watcher, roles["xplayer"].match(match_id) as x:
        watcher.next("state")
        x.next("state")
        x.play("mark 1 1")
        sign_in(guest, name)
        over = watcher.next("state", lambda state: state["status"] == "over")
    assert over["ended"] == "voided"
    assert over["verdict"]["code"] == "end.one-person"
    assert "against yourself" in account.get("/")[1]


def test_everything_that_is_stored_is_one_download(sites: list[Site], site: Site) -> None:
    name = a_name("Anna")
    account = sign_up(Person(site), name)
    guest = Person(site).be_guest()
    bob = Person(site).be_guest()
    match_id, roles = pair(guest, bob, "tic-tac-toe")
    with roles["xplayer"].match(match_id) as x:
        x.next("state")
        x.play("mark 1 1")
    sign_in(guest, name)
    status, text = account.get("/accounts/download/")
    assert status == 200, text
    found = json.loads(text)
    assert found["account"]["name"] == name
    (match,) = found["matches"]
    assert (match["match"], len(match["moves"])) == (match_id, 1)
    assert len(found["guest_names"]) == 1
    assert len(found["sessions"]) >= 1
    assert "password" not in text
    assert Person(site).raw("/accounts/download/")[0] == 302
    assert bob.raw("/accounts/download/")[0] == 302, "a guest has no account"
