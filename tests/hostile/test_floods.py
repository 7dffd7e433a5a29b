"""Clients that disconnect or flood a socket with control frames do not affect others."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders.sites import PATIENCE, Person, Site, pair, until
from tests.hostile.raw import (
    CONTINUATION,
    PING,
    PONG,
    close_codes,
    flood_and_reset,
    frame,
    frames_of,
    open_socket,
    read_until_closed,
    reset,
)


@pytest.fixture(scope="module")
def fragile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server without limits, so that the floods come through; it pings often.

    Its clients have as long for their answers, also on a busy machine.
    """
    env = {"PING_INTERVAL_SECONDS": "3", "RATE_LIMITS": "off"}
    server = Site(tmp_path_factory.mktemp("fragile"), env)
    try:
        yield server.wait()
    finally:
        server.stop()


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    server = Site(tmp_path_factory.mktemp("guarded"), {"RATE_LIMITS": "on"})
    try:
        yield server.wait()
    finally:
        server.stop()


def sockets(site: Site) -> int:
    """Return the site's open sockets. A thread's first query opens files, which stay open."""
    found = 0
    for path in Path(f"/proc/{site.pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            found += path.readlink().name.startswith("socket:")
    return found


def kilobytes(site: Site) -> int:
    text = Path(f"/proc/{site.pid}/status").read_text()
    return int(text.split("VmRSS:")[1].split()[0])


def test_a_flood_of_pongs_and_a_reset_is_felt_by_nobody(fragile: Site) -> None:
    alice, bob = Person(fragile).be_guest(), Person(fragile).be_guest()
    match_id, roles = pair(alice, bob, "tic-tac-toe")
    with contextlib.ExitStack() as stack:
        x = stack.enter_context(roles["xplayer"].match(match_id))
        o = stack.enter_context(roles["oplayer"].match(match_id))
        viewers = [stack.enter_context(Person(fragile).lobby()) for _ in range(8)]
        for player in (x, o):
            player.next("state", lambda state: state["watchers"] == 0)
        for viewer in viewers:
            viewer.next("lobby")
        before = sockets(fragile)
        for ply, action in enumerate(("mark 1 1", "mark 2 2", "mark 1 2", "mark 2 1")):
            for path in (f"/ws/match/{match_id}/", "/ws/lobby/"):
                for _ in range(3):
                    flood_and_reset(fragile, path)
            (x, o)[ply % 2].play(action)
            for player in (x, o):
                assert player.ply(ply + 1)["last"] == action
        seeker = stack.enter_context(Person(fragile).be_guest().lobby())
        seeker.send("seek", game="six-in-a-row", clock=None)
        seek = seeker.next("seeking")["seek"]
        for viewer in viewers:
            viewer.next("lobby", lambda lobby: seek in str(lobby["seeks"]))
        # The server has removed disconnected clients and freed their resources.
        until(lambda: sockets(fragile) <= before + 6, "their descriptors closed", 15)
        with Person(fragile).match(match_id) as charlie:
            assert charlie.next("state")["watchers"] == 1
    # The server still pings idle clients.
    with open_socket(fragile, "/ws/lobby/") as quiet:
        heard = b""

        def pinged() -> bool:
            nonlocal heard
            heard += quiet.recv(65536)
            return any(kind == PING for kind, _ in frames_of(heard))

        until(pinged, "a ping", 15)
    fragile.must_be_calm()


def test_who_breaks_off_at_any_moment_leaves_nothing_behind(fragile: Site) -> None:
    before = sockets(fragile)
    for bytes_sent in (0, 1, 40, 200):
        for _ in range(5):
            connection = open_socket(fragile, "/ws/lobby/")
            connection.sendall((frame(b"", PING) * 40)[:bytes_sent])
            reset(connection)
    until(lambda: sockets(fragile) <= before, "their descriptors closed", 15)
    fragile.must_be_calm()


@pytest.mark.parametrize(
    "flood",
    [
        frame(b"", PING),
        frame(b"x" * 100, PING),
        frame(b"", PONG),
        frame(b"", last=False) + frame(b"", CONTINUATION, last=False) * 50,
        frame(b"{", last=False) + frame(b"", CONTINUATION, last=False) * 50,
    ],
    ids=["pings", "long pings", "pongs", "empty fragments", "fragments"],
)
def test_control_frames_and_fragments_have_a_bound(guarded: Site, flood: bytes) -> None:
    with open_socket(guarded, "/ws/lobby/") as connection:
        with contextlib.suppress(OSError):
            if flood[0] < 2:  # a message that never ends
                connection.sendall(flood + frame(b"", CONTINUATION, last=False) * 500)
            else:
                connection.sendall(flood * 500)
        heard = read_until_closed(connection)
    assert close_codes(heard) == [4429]
    assert len([kind for kind, _ in heard if kind == PONG]) <= 60


def test_a_few_control_frames_and_fragments_are_welcome(guarded: Site) -> None:
    with open_socket(guarded, "/ws/lobby/") as connection:
        connection.sendall(frame(b"a", PING) * 20 + frame(b"", PONG) * 10)
        connection.sendall(frame(b'{"type":', last=False) + frame(b'"ping"}', CONTINUATION))
        heard = b""

        def answered() -> bool:
            nonlocal heard
            heard += connection.recv(65536)
            found = list(frames_of(heard))
            pongs = [body for kind, body in found if kind == PONG]
            return pongs == [b"a"] * 20 and any(b'"pong"' in body for _, body in found)

        until(answered, "pongs, and the answer to a message in two parts")


def test_answers_to_pings_do_not_pile_up_for_who_reads_nothing(fragile: Site) -> None:
    before = kilobytes(fragile)
    sent = 0
    with open_socket(fragile, "/ws/lobby/", small=True) as slow:
        slow.settimeout(PATIENCE)
        with pytest.raises(OSError, match=r"reset|Broken pipe"):
            while sent < 20_000_000:
                slow.sendall(frame(b"x" * 125, PING) * 100)
                sent += 13_100
    assert kilobytes(fragile) - before < 5_000
