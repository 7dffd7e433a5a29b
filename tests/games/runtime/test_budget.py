"""Budgets of one player and of one network, through a real server."""

import time
from collections import Counter
from collections.abc import Iterator

import pytest
from django.test import override_settings
from websockets.exceptions import ConnectionClosed

from games.runtime.budget import ACTION, Budget
from tests.builders.sites import Person, Site, Socket, pair
from tests.builders.sockets import send_at_once, wait_until_closed

LIMITS = {
    "RATE_LIMITS": "on",
    "ACTIONS_PER_SECOND": "1",
    "ACTIONS_BURST": "8",
    "ADDRESS_ACTIONS_PER_SECOND": "1",
    "ADDRESS_ACTIONS_BURST": "40",
    "SOCKET_OPENINGS_PER_SECOND": "1",
    "SOCKET_OPENINGS_BURST": "12",
    "MATCHES_PER_MINUTE": "100",
    "BEHIND_PROXY": "on",  # so that each test can have its own address
}


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    server = Site(tmp_path_factory.mktemp("strict"), LIMITS)
    try:
        yield server.wait()
    finally:
        server.stop()


def person(site: Site, address: str) -> Person:
    found = Person(site)
    found.headers = {"X-Forwarded-For": address}
    return found.be_guest()


def answers(socket: Socket, sent: int) -> Counter[str]:
    """Return the types and codes of the frames before the answer to a final ping."""
    seen: Counter[str] = Counter()
    socket.send("ping", t="end")
    while True:
        frame = socket.frame()
        if frame["type"] == "pong" and frame["t"] == "end":
            return seen
        seen[str(frame.get("code", frame["type"]))] += 1


def test_a_player_who_asks_too_much_of_the_lobby_is_refused_and_pings_are_free(
    strict: Site,
) -> None:
    with person(strict, "203.0.113.10").lobby() as lobby:
        lobby.next("lobby")
        for _ in range(6):
            lobby.send("resume", seek="A" * 10)
        for _ in range(20):
            lobby.send("ping", t=1)
        seen = answers(lobby, 6)
    assert seen["cancelled"] == 2  # a request in the lobby costs four of the eight
    assert seen["too-fast"] == 4
    assert seen["pong"] == 20


def test_a_player_who_asks_for_what_is_refused_is_slowed_down_and_the_other_plays_on(
    strict: Site,
) -> None:
    alice, bob = person(strict, "203.0.113.20"), person(strict, "203.0.113.21")
    match_id, roles = pair(alice, bob, "tic-tac-toe")
    with roles["xplayer"].match(match_id) as x, roles["oplayer"].match(match_id) as o:
        x.next("state")
        o.next("state")
        time.sleep(4)  # what the pairing cost is given back
        x.play("mark 2 2")
        o.ply(1)
        for _ in range(20):
            x.send("play", ply=0, action="mark 3 3")
        # It costs five of the eight, a move that is accepted one.
        assert 18 <= answers(x, 20)["too-fast"] <= 19
        o.play("mark 1 1")
        # Only speed matters.
        time.sleep(4)
        x.ply(2)
        x.play("mark 1 2")


def test_what_is_done_in_a_match_costs_a_fifth_of_what_is_refused() -> None:
    with override_settings(RATE_LIMITS=True, ACTIONS_PER_SECOND=1, ACTIONS_BURST=40):
        for is_granted, most in ((False, 8), (True, 36)):  # the last five must be there
            budget = Budget()
            count = 0
            while budget.may_act("203.0.113.1", 1, ACTION):
                count += 1
                if is_granted:
                    budget.granted("203.0.113.1", 1)
            assert count == most


def test_a_network_has_a_budget_of_its_own_and_a_stranger_feels_nothing(
    strict: Site,
) -> None:
    guests = [person(strict, "2001:db8::1"), *(person(strict, f"2001:db8::{n}") for n in (2, 3))]
    guests += [person(strict, f"2001:db8::{n}:1") for n in range(4, 10)]
    seen: Counter[str] = Counter()
    for guest in guests:
        with guest.lobby() as lobby:
            lobby.next("lobby")
            for _ in range(2):
                lobby.send("resume", seek="A" * 10)
            seen += answers(lobby, 2)
    assert seen["cancelled"] >= 10  # of the forty, four each
    assert seen["too-fast"] > 0
    with person(strict, "2001:db8:1::1").lobby() as lobby:
        lobby.send("resume", seek="A" * 10)
        assert lobby.next("cancelled")["seek"] == "A" * 10


def test_sockets_that_are_opened_too_fast_are_told_to_come_later(strict: Site) -> None:
    hasty = person(strict, "203.0.113.30")
    codes = []
    for _ in range(40):
        with hasty.lobby() as socket:
            frame = socket.frame()
            if frame["type"] == "error":
                assert frame["code"] == "too-fast"
                with pytest.raises(ConnectionClosed) as closed:
                    socket.frame()
                assert closed.value.rcvd is not None
                codes.append(closed.value.rcvd.code)
    assert codes and set(codes) == {4503}
    with person(strict, "203.0.113.31").lobby() as other:
        other.next("lobby")


def test_a_watchers_commands_reach_no_journal(strict: Site) -> None:
    alice, bob = person(strict, "203.0.113.40"), person(strict, "203.0.113.41")
    match_id, _ = pair(alice, bob, "tic-tac-toe")
    before = strict.output()
    with Person(strict).match(match_id) as watcher:
        watcher.next("state")
        for _ in range(30):
            watcher.send("play", ply=0, action="mark 1 1")
        seen = answers(watcher, 30)
    assert seen["not-a-player"] == 30
    assert "Traceback" not in strict.output()[len(before) :]


def test_who_does_not_slow_down_is_closed(strict: Site) -> None:
    with person(strict, "203.0.113.50").lobby() as lobby:
        lobby.next("lobby")
        send_at_once(lobby, 130, "cancel")
        assert wait_until_closed(lobby) == 4429
