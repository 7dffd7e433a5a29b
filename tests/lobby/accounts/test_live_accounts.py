"""Accounts on running sites: races for a name, and sockets whose session changes."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode

import pytest
from websockets.exceptions import ConnectionClosed

from tests.builders.databases import database_of_its_own
from tests.builders.players import PASSWORD
from tests.builders.sites import Person, Site, Socket, pair


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    env = {"SECRET_KEY": "k" * 50, "QUEUED_PAGES_PER_ADDRESS": "500"}
    if request.param == "postgres":
        env["DATABASE_URL"] = request.getfixturevalue("postgres_url")
        env["REDIS_URL"] = request.getfixturevalue("redis_url")
        database_of_its_own(env)
    server = Site(tmp_path_factory.mktemp(request.param), env)
    try:
        yield server.wait()
        server.must_be_calm()
    finally:
        server.stop()


def sign_up(person: Person, name: str) -> tuple[int, str]:
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    return person.form("/accounts/signup/", urlencode(form).encode())


def ends_with(socket: Socket) -> int:
    """Return the close code of the socket."""
    with pytest.raises(ConnectionClosed) as closed:
        while True:
            socket.frame(10)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


def test_of_fifty_who_want_one_name_one_gets_it(site: Site) -> None:
    people = [Person(site) for _ in range(50)]
    for guest in people[:10]:
        guest.be_guest()
    for visitor in people[10:]:
        visitor.get("/accounts/signup/")
    with ThreadPoolExecutor(25) as pool:
        answers = list(pool.map(lambda person: sign_up(person, "Anna Berg"), people))
    won = [page for _, page in answers if "I have written them down" in page]
    lost = [page for _, page in answers if "or a similar one, is already taken" in page]
    assert (len(won), len(lost)) == (1, 49), [status for status, _ in answers]


def test_of_two_tabs_of_a_guest_one_signs_up(site: Site) -> None:
    guest = Person(site).be_guest()
    tabs = [guest.at(site) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        pages = list(pool.map(lambda tab: sign_up(tab, "Emil Berg")[1], tabs))
    assert sum("I have written them down" in page for page in pages) == 1


def test_signing_up_keeps_the_sockets_and_the_seat(site: Site) -> None:
    alice, bob = Person(site).be_guest(), Person(site).be_guest()
    match_id, roles = pair(alice, bob, "tic-tac-toe")
    (mine,) = [role for role, person in roles.items() if person is alice]
    with alice.match(match_id) as here, bob.match(match_id) as there:
        state = here.next("state")
        there.next("state")
        assert sign_up(alice, "Alice Berg")[0] == 200
        mover, other = (here, there) if state["turn"] == mine else (there, here)
        mover.play("mark 2 2")
        other.ply(1)
        other.play("mark 1 1")
        assert here.ply(2)["you"] == mine
    with alice.match(match_id) as again:
        assert again.next("state")["you"] == mine


def test_a_new_password_closes_the_sockets_of_the_other_sessions(site: Site) -> None:
    here, there = Person(site), Person(site)
    assert sign_up(here, "Carla Berg")[0] == 200
    there.log_in("carla berg", PASSWORD)
    form = {"oldpassword": PASSWORD, "password1": "another 8 horse", "password2": "another 8 horse"}
    with here.lobby() as mine, there.lobby() as theirs:
        assert mine.next("lobby")["you"] == "Carla Berg"
        theirs.next("lobby")
        status, page = here.form("/accounts/password/", urlencode(form).encode())
        assert status == 200
        assert "Your password has been changed" in page
        assert ends_with(theirs) == 4401
        mine.send("ping", t=1)
        mine.next("pong")


def test_who_was_a_guest_leaves_the_guests_sockets_behind(site: Site) -> None:
    first, guest = Person(site), Person(site).be_guest()
    assert sign_up(first, "Doris Berg")[0] == 200
    with guest.lobby() as socket:
        socket.next("lobby")
        guest.log_in("Doris Berg", PASSWORD)
        assert ends_with(socket) == 4410  # this page is rendered again for the account
    assert re.search(r"<bdi>Doris Berg</bdi>", guest.get("/")[1])
