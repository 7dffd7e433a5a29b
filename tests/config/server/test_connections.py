"""The connections that are closed when there are too many, or when their time is up."""

import time

from config.server.connections import Connections
from tests.builders.sites import until
from tests.builders.transports import FakeTransport


def entered(connections: Connections, client_network: str, awaited: float = 0) -> FakeTransport:
    """Add an open connection. With `awaited`, its client must act within that many seconds."""
    line = FakeTransport()
    assert connections.admit(line, client_network)
    if awaited:
        connections.expect(line, awaited)
    return line


def test_the_longest_awaited_of_a_client_network_makes_room_for_its_next() -> None:
    connections = Connections(total=10, share=3)
    socket, first, second = (entered(connections, "alice", wait) for wait in (0, 9, 9))
    elsewhere = entered(connections, "bob", 9)
    third = entered(connections, "alice", 9)
    assert [line.is_closed for line in (socket, first, second, third)] == [
        False,
        True,
        False,
        False,
    ]
    assert not elsewhere.is_closed
    assert len(connections) == 4


def test_one_who_did_their_part_is_not_given_up() -> None:
    connections = Connections(total=10, share=2)
    busy, idle = entered(connections, "alice", 9), entered(connections, "alice", 9)
    connections.heard(busy)
    entered(connections, "alice")
    assert (busy.is_closed, idle.is_closed) == (False, True)
    assert not connections.admit(FakeTransport(), "alice"), "nobody there has to do anything"
    connections.lost(busy)
    assert connections.admit(FakeTransport(), "alice")


def test_with_no_room_at_all_the_client_network_that_keeps_most_waiting_makes_it() -> None:
    connections = Connections(total=6, share=0)
    people = [entered(connections, name, 9) for name in ("bob", "charlie")]
    eve = [entered(connections, "eve", 9) for _ in range(4)]
    entered(connections, "dora")
    assert [line.is_closed for line in eve] == [True, False, False, False]
    assert not any(line.is_closed for line in people)


def test_nobody_is_given_up_where_all_are_busy() -> None:
    connections = Connections(total=2, share=0)
    held = [entered(connections, "alice"), entered(connections, "bob")]
    assert not connections.admit(FakeTransport(), "charlie")
    assert not any(line.is_closed for line in held)


def test_who_lets_their_time_pass_is_closed_and_counted_no_more() -> None:
    connections = Connections(total=10, share=1)
    slow, other = entered(connections, "alice", 0.01), entered(connections, "bob", 60)

    def swept() -> bool:
        connections.sweep()
        return slow.is_closed

    until(swept, "the slow one closed", 5)
    assert not other.is_closed
    assert len(connections) == 1
    connections.lost(slow)  # its transport reports this slightly later
    assert len(connections) == 1
    entered(connections, "alice")


def test_a_new_wait_begins_anew() -> None:
    connections = Connections(total=10, share=0)
    line = entered(connections, "alice", 0.01)
    connections.expect(line, 60)
    end = time.monotonic() + 0.05
    until(lambda: time.monotonic() > end, "the first time passed")
    connections.sweep()
    assert not line.is_closed


def reading(
    connections: Connections, client_network: str, unread: int, seconds: float = 60
) -> FakeTransport:
    """Add a connection with that many sent bytes, none of which its client has read."""
    line = entered(connections, client_network)
    line._tempDataLen = unread
    connections.expect_reading(line, seconds)
    return line


def test_who_leaves_the_most_unread_makes_room_when_it_is_too_much() -> None:
    connections = Connections(total=20, share=0, unread=1000)
    alice = reading(connections, "alice", 200)
    eve = [reading(connections, "eve", 190) for _ in range(4)]
    assert not any(line.is_closed for line in (alice, *eve))
    bob = reading(connections, "bob", 60)
    assert [line.is_closed for line in eve] == [True, True, False, False]
    assert not (alice.is_closed or bob.is_closed)
    assert connections.total_unread() == 640


def test_what_was_read_meanwhile_does_not_count() -> None:
    connections = Connections(total=20, share=0, unread=1000)
    lines = [reading(connections, "alice", 300) for _ in range(3)]
    for line in lines:
        line._tempDataLen = 0
    lines += [reading(connections, "alice", 300) for _ in range(3)]
    assert not any(line.is_closed for line in lines)
    connections.lost(lines[-1])
    assert connections.total_unread() == 600


def test_a_slow_reader_is_waited_for_and_one_that_reads_nothing_is_closed() -> None:
    connections = Connections(total=10, share=0)
    slow, stuck = (reading(connections, "alice", 10_000, 0.2) for _ in range(2))
    began = time.monotonic()

    def swept() -> bool:
        slow._tempDataLen -= 10
        connections.sweep()
        return stuck.is_closed and time.monotonic() - began > 0.6

    until(swept, "the stuck one closed", 5)
    assert not slow.is_closed


def test_the_next_request_must_come_in_its_own_time() -> None:
    connections = Connections(total=10, share=0)
    line = reading(connections, "alice", 10_000, 60)
    connections.expect(line, 0.05)  # it has started to send its next request

    def swept() -> bool:
        line._tempDataLen -= 10
        connections.sweep()
        return line.is_closed

    until(swept, "closed, although it reads", 5)
