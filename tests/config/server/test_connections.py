"""Which connection is closed when there are too many, and which when its time is up."""

import time

from config.server.connections import Connections
from tests.live import until


class Line:
    """The transport of a connection: it only notes that it was closed."""

    is_closed = False

    def abortConnection(self) -> None:  # noqa: N802  # the library's name
        self.is_closed = True


def entered(connections: Connections, household: str, awaited: float = 0) -> Line:
    """An open connection. With `awaited`, its client must act within so many seconds."""
    line = Line()
    assert connections.admit(line, household)
    if awaited:
        connections.expect(line, awaited)
    return line


def test_the_longest_awaited_of_a_household_makes_room_for_its_next() -> None:
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
    assert not connections.admit(Line(), "alice"), "nobody there has to do anything"
    connections.lost(busy)
    assert connections.admit(Line(), "alice")


def test_with_no_room_at_all_the_household_that_keeps_most_waiting_makes_it() -> None:
    connections = Connections(total=6, share=0)
    people = [entered(connections, name, 9) for name in ("bob", "charlie")]
    eve = [entered(connections, "eve", 9) for _ in range(4)]
    entered(connections, "dora")
    assert [line.is_closed for line in eve] == [True, False, False, False]
    assert not any(line.is_closed for line in people)


def test_nobody_is_given_up_where_all_are_busy() -> None:
    connections = Connections(total=2, share=0)
    held = [entered(connections, "alice"), entered(connections, "bob")]
    assert not connections.admit(Line(), "charlie")
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
    connections.lost(slow)  # its transport reports this a moment later
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
