"""Ends by time and absence, through real servers with short times."""

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.builders.databases import database_of_its_own
from tests.builders.sites import Person, Program, Site, Socket, pair, until
from tests.builders.sockets import open_sockets

FIRST_MOVE = 8  # seconds, so that the pages of a match open in time on a busy machine
SHORT = {
    "FIRST_MOVE_SECONDS": str(FIRST_MOVE),
    "ABANDONED_SECONDS": "3",
    "PRESENCE_TIMEOUT_SECONDS": "2",
    "LAG_ALLOWANCE_MS": "100",
    "SECRET_KEY": "k" * 50,
}
GAME = "tic-tac-toe"


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    env = dict(SHORT)
    if request.param == "postgres":
        env["DATABASE_URL"] = request.getfixturevalue("postgres_url")
        env["REDIS_URL"] = request.getfixturevalue("redis_url")
    server = Site(tmp_path_factory.mktemp(request.param), env)
    try:
        yield server.wait()
        server.must_be_calm()
    finally:
        server.stop()


@pytest.fixture
def referees(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Program]]:
    """Two more referees beside the one within `serve`."""
    folder = tmp_path_factory.mktemp("referees")
    env = dict(site.env)
    found = [
        Program([sys.executable, "manage.py", "referee"], folder / f"{i}.log", env=env)
        for i in range(2)
    ]
    for referee in found:
        until(lambda referee=referee: "watches" in referee.output(), "a referee")  # type: ignore[misc]
    yield found
    for referee in found:
        referee.must_be_calm()
        referee.stop()


def sit(alice: Person, bob: Person, clock: str | None) -> tuple[str, dict[str, Socket]]:
    match_id, roles = pair(alice, bob, GAME, clock)
    sockets = open_sockets(roles, match_id)
    return match_id, sockets


def ended(socket: Socket) -> dict[str, Any]:
    return socket.next("state", lambda state: state["status"] != "live")


def ended_after(socket: Socket) -> tuple[dict[str, Any], float]:
    """Return the state at the end, and the last deadline before it.

    An outage of the server, even for a second, moves the deadline.
    """
    deadline = socket.state["clock"]["deadline"]
    while (state := socket.next("state"))["status"] == "live":
        deadline = state["clock"]["deadline"]
    return state, deadline


def late(person: Person, match_id: str, deadline: float) -> float:
    """Return how many seconds after its deadline the match ended."""
    return float(person.json(f"/match/{match_id}/record.json")["ended_at"] - deadline)


def test_the_clocks_are_in_the_state(alice_online: Person, bob_online: Person) -> None:
    _, sockets = sit(alice_online, bob_online, "3+2")
    x, o = sockets["xplayer"], sockets["oplayer"]
    before = x.state["clock"]
    assert before["control"] == "3+2"
    assert before["remaining_ms"] == {"xplayer": 180_000, "oplayer": 180_000}
    assert before["running"] == "xplayer"
    x.play("mark 1 1")
    clock = o.ply(1)["clock"]
    assert clock["running"] == "oplayer"
    passed = (clock["since"] - before["since"]) * 1000
    assert -10 <= clock["remaining_ms"]["xplayer"] - (182_000 - passed) <= 110  # 100 ms for lag
    assert clock["remaining_ms"]["oplayer"] == 180_000
    assert clock["deadline"] == pytest.approx(clock["since"] + 180, abs=0.01)


def test_a_match_that_nobody_starts_is_aborted_and_nobody_loses(
    alice_online: Person, bob_online: Person, referees: list[Program]
) -> None:
    match_id, sockets = sit(alice_online, bob_online, "3+2")
    x = sockets["xplayer"]
    clock = x.state["clock"]
    assert clock["deadline"] == pytest.approx(clock["since"] + FIRST_MOVE, abs=0.01)
    state, deadline = ended_after(x)
    assert 0 <= late(alice_online, match_id, deadline) < 3
    assert (state["status"], state["ended"]) == ("aborted", "aborted")
    assert state["goals"] == {"xplayer": 0, "oplayer": 0}
    assert state["verdict"]["code"] == "end.not-begun"


def test_a_flag_falls_within_two_seconds_whoever_is_there(
    alice_online: Person, bob_online: Person, referees: list[Program]
) -> None:
    match_id, sockets = sit(alice_online, bob_online, "0+2")
    x, o = sockets["xplayer"], sockets["oplayer"]
    x.play("mark 1 1")
    o.ply(1)
    state, deadline = ended_after(x)  # nobody claims, so one of the referees ends it, once
    assert state["ended"] == "time"
    assert state["goals"] == {"xplayer": 100, "oplayer": 0}
    assert 0 <= late(alice_online, match_id, deadline) < 2
    o.send("play", ply=1, action="mark 2 2")
    o.refused("not-live")


def test_time_is_claimed_by_the_other_and_not_before_it_is_up(
    alice_online: Person, bob_online: Person
) -> None:
    match_id, sockets = sit(alice_online, bob_online, "0+5")
    x, o = sockets["xplayer"], sockets["oplayer"]
    x.send("claim-time")
    x.refused("not-allowed")
    x.play("mark 1 1")
    o.ply(1)
    x.send("claim-time")
    x.refused("not-allowed")
    o.send("claim-time")  # players cannot claim their own time
    o.refused("not-allowed")
    over: list[bool] = []

    def claim() -> None:
        while not over:
            x.send("claim-time")
            time.sleep(0.05)

    claiming = threading.Thread(target=claim)
    claiming.start()
    try:
        state, deadline = ended_after(o)
    finally:
        over.append(True)
        claiming.join()
    assert state["ended"] == "time"
    assert 0 <= late(alice_online, match_id, deadline) < 2


def test_an_untimed_match_knows_no_time(alice_online: Person, bob_online: Person) -> None:
    _, sockets = sit(alice_online, bob_online, None)
    x = sockets["xplayer"]
    assert x.state["clock"] is None
    x.play("mark 1 1")
    x.send("claim-time")
    x.refused("not-allowed")
    x.send("claim-abandoned")
    x.refused("not-allowed")


def test_who_is_gone_too_long_can_be_claimed(alice_online: Person, bob_online: Person) -> None:
    _, sockets = sit(alice_online, bob_online, "10+5")
    x, o = sockets["xplayer"], sockets["oplayer"]
    x.play("mark 1 1")
    o.ply(1)
    o.close()
    x.send("claim-abandoned")
    x.refused("not-allowed")
    x.see("state", lambda state: "claim-abandoned" in state["can"])
    x.send("claim-abandoned")
    state = ended(x)
    assert state["ended"] == "abandoned"
    assert state["goals"] == {"xplayer": 100, "oplayer": 0}


def test_a_connection_that_is_open_and_silent_is_not_a_player_who_is_here(
    alice_online: Person, bob_online: Person
) -> None:
    """A sleeping laptop closes no socket. Its player counts as gone since the last ping."""
    _, sockets = sit(alice_online, bob_online, "10+5")
    x, o = sockets["xplayer"], sockets["oplayer"]
    x.play("mark 1 1")
    o.send("ping", t=1)
    o.next("pong")
    x.next("state", lambda state: not state["seats"]["oplayer"]["here"])

    def is_back() -> bool:
        o.send("ping", t=2)  # until it is seen, because a ping counts for one second only
        with contextlib.suppress(TimeoutError):
            x.frame(0.2)
        return bool(x.state["seats"]["oplayer"]["here"])

    until(is_back, "the player is here again")
    x.next("state", lambda state: "claim-abandoned" in state["can"])


def test_who_is_here_and_does_not_play_on_can_be_claimed_after_days(
    site: Site, alice_online: Person, bob_online: Person
) -> None:
    match_id, sockets = sit(alice_online, bob_online, None)
    x, o = sockets["xplayer"], sockets["oplayer"]
    x.play("mark 1 1")
    o.ply(1)
    x.send("claim-stalled")
    x.refused("not-allowed")
    script = f"""
from datetime import timedelta
from django.utils import timezone
from games.models import Match, Pulse
long_ago = timezone.now() - timedelta(days=3)
Match.objects.filter(pk="{match_id}").update(acted_at=long_ago, version=100)
Pulse.objects.update(up_since=long_ago)
"""
    done = site.manage("shell", "-c", script)
    assert done.returncode == 0, done.stderr
    state = x.next("state", lambda state: "claim-stalled" in state["can"])
    assert state["seats"]["oplayer"]["here"]
    o.next("state", lambda state: state["version"] == 100)
    assert "claim-stalled" not in o.state["can"]
    o.send("claim-stalled")
    o.refused("not-allowed")
    x.send("claim-stalled")
    state = ended(o)
    assert (state["ended"], state["goals"]) == ("abandoned", {"xplayer": 100, "oplayer": 0})
    assert state["verdict"]["code"] == "end.stalled"


def test_who_comes_back_in_time_has_not_abandoned(alice_online: Person, bob_online: Person) -> None:
    match_id, sockets = sit(alice_online, bob_online, "10+5")
    x, o = sockets["xplayer"], sockets["oplayer"]
    x.play("mark 1 1")
    o.ply(1)
    o.close()
    x.next("state", lambda state: "claim-abandoned" in state["can"])
    name = x.state["seats"]["oplayer"]["name"]
    person = alice_online if f"<b><bdi>{name}</bdi></b>" in alice_online.get("/")[1] else bob_online
    with person.match(match_id) as back:
        back.next("state")
        x.send("claim-abandoned")
        while (frame := x.frame())["type"] != "error":
            assert frame["status"] == "live"
        assert frame["code"] == "not-allowed"
        back.play("mark 2 2")


def test_the_referee_ends_an_abandoned_match_after_three_times_as_long(
    alice_online: Person, bob_online: Person, charlie_online: Person, referees: list[Program]
) -> None:
    _, sockets = sit(alice_online, bob_online, "10+5")
    x, o = sockets["xplayer"], sockets["oplayer"]
    x.play("mark 1 1")
    o.ply(1)
    start = time.monotonic()
    o.close()
    state = ended(x)
    assert 8.5 < time.monotonic() - start < 25
    assert state["ended"] == "abandoned"
    assert state["goals"] == {"xplayer": 100, "oplayer": 0}


def test_a_move_and_a_flag_at_once_give_one_result(
    alice_online: Person, bob_online: Person
) -> None:
    """In several matches the last move arrives exactly at the deadline, together with a claim."""
    for delay in (-0.05, 0.0, 0.05, 0.1, 0.15):
        match_id, sockets = sit(alice_online, bob_online, "0+1")
        x, o = sockets["xplayer"], sockets["oplayer"]
        x.play("mark 1 1")
        deadline = o.ply(1)["clock"]["deadline"]
        while time.time() < deadline + delay:
            time.sleep(0.001)
        x.send("claim-time")
        o.send("play", ply=1, action="mark 2 2")
        x.send("claim-time")
        end = ended(x)
        assert end["ended"] == "time"
        record = alice_online.json(f"/match/{match_id}/record.json")
        loser = {1: "oplayer", 2: "xplayer"}[len(record["moves"])]  # whose turn it was at the end
        assert record["goals"] == {"xplayer": 100, "oplayer": 0, loser: 0} | (
            {"oplayer": 100} if loser == "xplayer" else {}
        )


def test_a_phrase_reaches_the_other_and_not_too_often(
    alice_online: Person, bob_online: Person, charlie_online: Person
) -> None:
    match_id, sockets = sit(alice_online, bob_online, None)
    x, o = sockets["xplayer"], sockets["oplayer"]
    x.send("phrase", phrase="good-luck")
    heard = o.next("phrase")
    assert (heard["role"], heard["words"]) == ("xplayer", {"code": "phrase.good-luck"})
    x.send("phrase", phrase="thanks")
    x.refused("too-fast")
    x.send("phrase", phrase="<b>anything</b>")
    x.refused("malformed")
    with charlie_online.match(match_id) as watcher:
        watcher.next("state")
        watcher.send("phrase", phrase="hello")
        watcher.refused("not-a-player")


def test_the_lag_is_measured_by_the_server_and_given_back_within_bounds(
    alice_online: Person, bob_online: Person
) -> None:
    _, sockets = sit(alice_online, bob_online, "3+0")
    x, o = sockets["xplayer"], sockets["oplayer"]
    x.play("mark 1 1")
    o.ply(1)
    o.play("mark 2 2")  # from here on, only the clock limits the time
    x.ply(2)
    for _ in range(3):  # each measurement finds a slow connection
        x.send("ping", t=1)
        mark = x.next("pong")["mark"]
        time.sleep(0.3)
        x.send("echo", mark=mark)
    x.send("echo", mark="made-up")
    x.send("ping", t=2)
    x.next("pong")
    time.sleep(0.5)
    before = x.state["clock"]
    x.send("play", ply=2, action="mark 3 3")
    while (state := x.next("state"))["ply"] == 2:
        before = state["clock"]
    passed = (state["clock"]["since"] - before["since"]) * 1000  # until the server read the move
    lost = before["remaining_ms"]["xplayer"] - state["clock"]["remaining_ms"]["xplayer"]
    assert lost == pytest.approx(passed - 100, abs=10)  # 100 ms at the most


@pytest.mark.parametrize("downtime", [1.5, 4.0])  # each longer than what counts as an outage
def test_the_servers_own_downtime_is_charged_to_nobody(
    site: Site, tmp_path_factory: pytest.TempPathFactory, downtime: float
) -> None:
    """A killed server that starts again: the clocks go on where they were."""
    folder = tmp_path_factory.mktemp("down")
    env = {key: site.env[key] for key in site.env if key.endswith("_URL")} | SHORT
    if "DATABASE_URL" in env:
        database_of_its_own(env)
    env["FIRST_MOVE_SECONDS"] = "60"
    first = Site(folder, env)
    try:
        alice, bob = Person(first.wait()).be_guest(), Person(first).be_guest()
        match_id, sockets = sit(alice, bob, "0+8")
        sockets["xplayer"].play("mark 1 1")
        before = sockets["oplayer"].ply(1)["clock"]
        until(lambda: time.time() > before["since"] + 2, "two seconds of thought")
        killed_at = time.time()
        first.process.kill()
        first.process.wait()
        until(lambda: time.time() > killed_at + downtime, "the downtime")
    finally:
        first.stop(signal.SIGKILL)
    again = Site(folder, env, port=first.port)
    try:
        again.wait()
        up_at = time.time()
        roles = {
            role: next(
                p for p in (alice, bob) if f"<b><bdi>{name['name']}</bdi></b>" in p.get("/")[1]
            )
            for role, name in sockets["xplayer"].state["seats"].items()
        }
        with roles["oplayer"].match(match_id) as o:
            clock = o.next("state", lambda state: state["clock"]["since"] != before["since"])[
                "clock"
            ]
            assert clock["remaining_ms"] == before["remaining_ms"]
            moved = clock["since"] - before["since"]
            # The outage counts for nobody. It began with the last beat, and the server was up
            # before the test saw it. If also the two seconds of thought were given back, `moved`
            # would be longer.
            outage = up_at - killed_at
            assert max(downtime, outage - 3) < moved < outage + 1.9
            o.play("mark 2 2")
            assert o.state["status"] == "live"
    finally:
        again.stop()
