"""Origins, forged headers, frames in the wrong place, and too many sockets."""

import json
import time
from collections.abc import Iterator
from socket import SO_RCVBUF, SO_SNDBUF, SOL_SOCKET
from socket import socket as plain_socket

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from games.live.frames import CLOSE_NO_SUCH
from games.runtime.addresses import get_client_network
from tests.builders.sites import PATIENCE, Person, Site, pair, until
from tests.hostile.attack import frame, handshake

OWN = "https://play.example.org"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One server with every limit on, each so low that a test can reach it."""
    env = {
        "RATE_LIMITS": "on",
        "SOCKETS_PER_PLAYER": "3",
        "SOCKETS_PER_ADDRESS": "8",
        "SEEKS_PER_MINUTE_PER_ADDRESS": "3",
        "LOG_FORMAT": "json",
    }
    server = Site(tmp_path_factory.mktemp("guarded"), env)
    try:
        yield server.wait()
    finally:
        server.stop()


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server with a public origin and no trusted proxy."""
    server = Site(tmp_path_factory.mktemp("public"), {"ALLOWED_ORIGINS": OWN, "RATE_LIMITS": "on"})
    try:
        yield server.wait()
    finally:
        server.stop()


@pytest.mark.parametrize(
    ("origin", "opens"),
    [
        (OWN, True),
        (OWN + ":443", True),
        ("https://PLAY.example.org", True),
        ("http://play.example.org", False),
        (OWN + ":8443", False),
        ("https://example.org", False),
        ("https://evil.play.example.org", False),
        ("https://play.example.org.evil.example", False),
        ("https://evil.example/https://play.example.org", False),
        ("https://play.example.org@evil.example", False),
        ("https://evil.example#play.example.org", False),
        ("https://play.example.orgevil.example", False),
        ("https://127.0.0.1", False),
        ("wss://play.example.org", False),
        ("file://", False),
        ("null", False),
        ("", False),
        ("*", False),
        (None, False),
    ],
)
@pytest.mark.parametrize("path", ["/ws/lobby/", "/ws/match/AAAAAAAAAA/", "/ws/"])
def test_a_socket_opens_for_the_sites_own_origin_alone(
    public: Site, path: str, origin: str | None, opens: bool
) -> None:
    try:
        with connect(
            f"ws://127.0.0.1:{public.port}{path}",
            origin=origin,  # type: ignore[arg-type]
        ):
            opened = True
    except InvalidStatus as refused:
        assert refused.response.status_code in {400, 403}
        opened = False
    assert opened == opens


FORGED = {
    "X-Forwarded-For": "203.0.113.7",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Port": "443",
    "X-Real-IP": "203.0.113.7",
    "Forwarded": "for=203.0.113.7;proto=https;host=evil.example",
    "Daphne-Root-Path": "/evil",
}


def test_forwarding_headers_are_believed_of_nobody_but_the_proxy(public: Site) -> None:
    person = Person(public)
    person.headers = {"Host": "play.example.org", **FORGED}
    # The server ignores both the scheme and the host: it redirects http to its own https address.
    status, place = person.raw("/")
    assert (status, place) == (301, f"{OWN}/")
    person.headers["Host"] = "evil.example"
    assert person.raw("/")[0] == 400
    assert person.raw("/healthz") == (200, None)
    assert person.raw("/metrics")[0] == 404


def test_an_address_is_limited_whatever_it_says_that_it_is(guarded: Site) -> None:
    people = []
    for number in range(3):
        person = Person(guarded).be_guest()
        person.headers = {"X-Forwarded-For": f"203.0.113.{number}"}
        people.append(person)
    answers = []
    for person in people * 2:
        with person.lobby() as lobby:
            lobby.send("seek", game="tic-tac-toe", clock=None)
            found = lobby.frame()
            while found["type"] == "lobby":
                found = lobby.frame()
            answers.append(found.get("code", found["type"]))
            lobby.send("cancel")
    assert answers == ["seeking"] * 3 + ["too-fast"] * 3


def test_a_player_and_an_address_have_only_so_many_sockets(guarded: Site) -> None:
    alice, bob = Person(guarded).be_guest(), Person(guarded).be_guest()
    held = [alice.lobby() for _ in range(3)]
    for socket in held:
        socket.next("lobby")
    _refused(alice)
    held += [bob.lobby() for _ in range(3)]
    held += [Person(guarded).lobby() for _ in range(2)]
    for socket in held[3:]:
        socket.next("lobby")
    _refused(Person(guarded))
    for socket in held:
        socket.close()
    with alice.lobby() as again:
        again.next("lobby")
    lines = [line for line in guarded.output().splitlines() if '"kind": "too-many"' in line]
    assert len(lines) == 1, "one line for a class of refusal"
    assert "127.0.0.1" not in guarded.output().replace("Ready: open", "")


def _refused(person: Person) -> None:
    with person.lobby() as one_more:
        assert one_more.next("error")["code"] == "too-many"
        with pytest.raises(ConnectionClosed) as closed:
            one_more.frame()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4429


def test_a_frame_of_another_match_or_session_is_worth_nothing(
    site: Site, alice_online: Person, bob_online: Person, charlie_online: Person
) -> None:
    first, _ = pair(alice_online, bob_online, "tic-tac-toe")
    second, roles = pair(alice_online, bob_online, "tic-tac-toe")
    eve = Person(site).be_guest()
    mine = json.dumps({"type": "play", "ply": 0, "action": "mark 2 2"})
    with (
        roles["xplayer"].match(second) as x,
        roles["oplayer"].match(second) as o,
        eve.match(second) as e,
        charlie_online.match(second) as c,
    ):
        for socket in (x, o, e, c):
            socket.next("state")
        for socket, code in ((o, "not-your-turn"), (e, "not-a-player"), (c, "not-a-player")):
            socket.connection.send(mine)
            socket.refused(code)
        x.connection.send(mine)
        assert x.ply(1)["diagram"] == "....x...."
        # Repeat the frame, and send the opponent's copy of it: no second move is made.
        x.connection.send(mine)
        o.connection.send(mine)
        assert x.next("state")["ply"] == 1
        o.refused("stale")
        # A mark from another socket's pong measures nothing here.
        o.send("ping", t=1)
        e.send("echo", mark=o.next("pong")["mark"])
        x.send("phrase", phrase="<img src=x onerror=alert(1)>")
        x.refused("malformed")
        e.send("phrase", phrase="hello")
        e.refused("not-a-player")
    record = alice_online.json(f"/match/{first}/record.json")
    assert record["moves"] == []
    assert len(alice_online.json(f"/match/{second}/record.json")["moves"]) == 1
    site.must_be_calm()


def test_a_session_that_ended_speaks_for_nobody(
    site: Site, alice_online: Person, bob_online: Person
) -> None:
    match_id, roles = pair(alice_online, bob_online, "tic-tac-toe")
    x = roles["xplayer"]
    kept = x.cookie_header()
    ended = site.manage(
        "shell", "-c",
        "from django.contrib.sessions.models import Session; import os;"
        "Session.objects.filter(pk=os.environ['KEY']).delete()",
        KEY=kept.split("sessionid=")[1].split(";")[0],
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    with x.match(match_id) as socket:
        assert socket.next("state")["you"] is None
        socket.send("play", ply=0, action="mark 1 1")
        socket.refused("not-a-player")


def test_who_reads_nothing_is_closed_before_much_is_kept_for_them(site: Site) -> None:
    with plain_socket() as slow:
        slow.setsockopt(SOL_SOCKET, SO_RCVBUF, 2048)
        # Otherwise, the kernel accepts megabytes in a second in which the server reads nothing.
        slow.setsockopt(SOL_SOCKET, SO_SNDBUF, 2048)
        slow.connect(("127.0.0.1", site.port))
        slow.settimeout(PATIENCE)
        slow.sendall(handshake(site.port, "/ws/lobby/", site.url))
        assert b" 101 " in slow.recv(300)
        ping = frame(b'{"type":"ping","t":"%s"}' % (b"x" * 2000))
        asked = 0
        with pytest.raises(OSError, match=r"reset|Broken pipe"):
            while asked < 4_000_000:
                slow.sendall(ping)
                asked += len(ping)
                time.sleep(0.001)
    # The kernel's buffers at both ends, plus 256 kB of the server's own.
    assert asked < 1_000_000


def test_a_slow_client_has_time_to_answer_a_close_frame(site: Site) -> None:
    with plain_socket() as slow:
        slow.connect(("127.0.0.1", site.port))
        slow.settimeout(PATIENCE)
        slow.sendall(handshake(site.port, "/ws/nowhere/", site.url))
        found = b""
        while CLOSE_NO_SUCH.to_bytes(2, "big") not in found:
            found += slow.recv(300)
        slow.settimeout(2)
        with pytest.raises(TimeoutError):  # not yet closed
            slow.recv(1)


@pytest.mark.parametrize(
    ("address", "counted_as"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::9", "2001:db8:1:2::"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("::FFFF:CB00:7107", "203.0.113.7"),
        ("64:ff9b::203.0.113.7", "203.0.113.7"),  # NAT64
        ("2002:cb00:7107:1::9", "203.0.113.7"),  # 6to4
        ("2001:0:c000:201::34ff:8ef8", "203.0.113.7"),  # Teredo
        ("64:ff9b:1::203.0.113.7", "64:ff9b:1::"),
        ("fe80::1%eth0", "fe80::"),
        ("no address", "no address"),
        ("", ""),
    ],
)
def test_limits_count_an_ipv6_network_as_one(address: str, counted_as: str) -> None:
    assert get_client_network(address) == counted_as


def test_who_floods_and_goes_takes_no_room_from_who_comes(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    env = {
        "RATE_LIMITS": "on",
        "SOCKETS_PER_ADDRESS": "4",
        "ADDRESS_FRAMES_PER_SECOND": "6",
        "ADDRESS_FRAMES_BURST": "6",
    }
    site = Site(tmp_path_factory.mktemp("paced"), env)
    try:
        held = [Person(site.wait()).lobby() for _ in range(4)]
        for socket in held:
            socket.next("lobby")
            for number in range(40):
                socket.send("ping", t=number)
        for socket in held:
            socket.close()

        def comes_in() -> bool:
            with Person(site).lobby() as socket:
                try:
                    return bool(socket.frame()["type"] == "lobby")
                except ConnectionClosed:  # the former sockets still take all places
                    return False

        until(comes_in, "a free place", patience=16)  # reading all 160 messages takes 27 s
    finally:
        site.stop()
