"""Sockets close with their session or account, for any reason and at every server."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing

import pytest
from websockets.exceptions import ConnectionClosed

from tests.builders.sites import PATIENCE, Person, Site, Socket, pair, sit

AT_THE_LATEST = 10.0  # seconds
SLACK = 3.0  # of a busy machine


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that looks for missed changes once a minute, but checks sessions more often."""
    server = Site(tmp_path_factory.mktemp("site"), {"DB_POLL_SECONDS": "60"})
    try:
        yield server.wait()
        server.must_be_calm()
    finally:
        server.stop()


def change(site: Site, statement: str, *values: str) -> None:
    """Change the database while the site knows nothing of it."""
    with closing(sqlite3.connect(site.folder / "site.sqlite3", timeout=PATIENCE)) as database:
        assert database.execute(statement, values).rowcount == 1
        database.commit()


def closed_with(socket: Socket, patience: float) -> tuple[int, list[str]]:
    """The code with which a socket is closed, and the codes of the errors before."""
    told, end = [], time.monotonic() + patience
    try:
        while True:
            frame = socket.frame(max(0.01, end - time.monotonic()))
            if frame["type"] == "error":
                told.append(frame["detail"])
    except ConnectionClosed as closed:
        assert closed.rcvd is not None
        return closed.rcvd.code, told


GONE = "DELETE FROM django_session WHERE session_key = ?"
EXPIRED = "UPDATE django_session SET expire_date = '2020-01-01 00:00:00' WHERE session_key = ?"
CLOSED = "UPDATE lobby_player SET is_active = 0 WHERE username = ?"
PASSWORD = "UPDATE lobby_player SET password = '!changed' WHERE username = ?"


@pytest.fixture
def standing(site: Site) -> Iterator[dict[str, Socket]]:
    """The sockets of two players whose sessions stand."""
    _, sockets = sit(Person(site).be_guest(), Person(site).be_guest(), "tic-tac-toe")
    yield sockets
    for socket in sockets.values():
        socket.close()


def test_a_socket_ends_with_its_session_and_its_account_and_others_are_left_alone(
    site: Site, standing: dict[str, Socket], bob_online: Person, charlie_online: Person
) -> None:
    until_looked_at = time.monotonic() + 11  # twice, the second time against what was kept
    ends = [(GONE, 4401), (EXPIRED, 4401), (CLOSED, 4403), (PASSWORD, 4401)]
    held: list[tuple[Socket, int]] = []
    matches: list[tuple[str, Socket]] = []
    try:
        for statement, code in ends:
            alice = Person(site).be_guest()
            match_id, roles = pair(alice, bob_online, "tic-tac-toe")
            matches.append((match_id, roles["xplayer"].match(match_id)))
            lobby, match = alice.lobby(), alice.match(match_id)
            match.next("state")
            name = lobby.next("lobby")["you"]
            held += [(lobby, code), (match, code)]
            (key,) = (c.value for c in alice.cookies if "sessionid" in c.name)
            change(site, statement, str(key) if "session_key" in statement else name)
        began = time.monotonic()
        for socket, code in held:
            left = AT_THE_LATEST + SLACK - (time.monotonic() - began)
            assert closed_with(socket, left) == (
                code,
                ["This account is closed."] if code == 4403 else [],
            )
        # The opponent's and a stranger's sockets stay open.
        with bob_online.match(matches[0][0]) as b, charlie_online.match(matches[0][0]) as watcher:
            for socket in (b, watcher):
                socket.next("state")
                socket.send("ping", t=1)
                socket.next("pong")
            b.send("resign")
            watcher.next("state", lambda state: state["status"] == "over")
    finally:
        for socket, _ in held:
            socket.close()
    x, o = standing["xplayer"], standing["oplayer"]
    while time.monotonic() < until_looked_at:
        x.send("ping", t=1)
        x.next("pong")
        time.sleep(0.5)
    x.play("mark 1 1")
    o.ply(1)
