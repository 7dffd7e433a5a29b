"""Hints between a server and its background process, without Redis."""

import asyncio
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from games.runtime import pubsub as module
from games.runtime.process_link import ProcessLink, create_ends
from games.runtime.pubsub import PubSub, use_link


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = create_ends()
    with ours, theirs:
        yield ours, theirs


@pytest.fixture(autouse=True)
def no_link_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_link", None)


def read_all(end: socket.socket) -> list[dict[str, Any]]:
    """Return the messages that wait at this end, and whether the other one was closed (None)."""

    async def read() -> list[Any]:
        found: list[Any] = []
        ProcessLink(end, None).listen(found.append, lambda: found.append(None))
        await asyncio.sleep(0.1)
        return found

    return asyncio.run(asyncio.wait_for(read(), 10))


def test_the_server_sends_only_hints_that_its_background_process_wants(
    ends: tuple[socket.socket, socket.socket],
) -> None:
    async def publish() -> None:
        hints = PubSub()
        assert not hints.has_peers
        hints.publish("events", match="lost")
        link = ProcessLink(ends[0], frozenset())
        use_link(link)
        assert hints.has_peers and not hints.is_heard("events")
        hints.publish("events", match="unwanted")
        link.groups = frozenset({"events"})
        hints.publish("events", match="wanted")
        hints.publish("match.1", match="unwanted")

    asyncio.run(publish())
    assert read_all(ends[1]) == [{"group": "events", "match": "wanted"}]


def test_the_background_process_sends_all_hints(ends: tuple[socket.socket, socket.socket]) -> None:
    async def publish() -> None:
        use_link(ProcessLink(ends[0], None))
        PubSub().publish("match.1", version=7)

    asyncio.run(publish())
    assert read_all(ends[1]) == [{"group": "match.1", "version": 7}]


def test_a_hint_reaches_its_hearer_even_if_another_hearer_fails() -> None:
    async def hear() -> list[Any]:
        hints, heard = PubSub(), list[Any]()
        hints.subscribe("broken", lambda hint: 1 / 0)  # type: ignore[arg-type, return-value]
        hints.subscribe("sound", heard.append)
        for group in ("broken", "unknown", "sound"):
            hints.hear({"group": group})
        hints.unsubscribe("sound")
        hints.hear({"group": "sound"})
        return heard

    assert asyncio.run(hear()) == [{"group": "sound"}]


def test_a_sender_never_waits(ends: tuple[socket.socket, socket.socket]) -> None:
    link = ProcessLink(ends[0], None)
    for number in range(5000):
        link.send({"group": "events", "number": number})
    found = read_all(ends[1])
    assert [each["number"] for each in found] == list(range(len(found)))
    assert 100 < len(found) < 5000
    link.send({"group": "events", "number": "last"})
    ends[0].close()
    link.send({"group": "events"})
    assert read_all(ends[1])[0]["number"] == "last"


def test_the_end_is_noticed_even_with_messages_unread(
    ends: tuple[socket.socket, socket.socket],
) -> None:
    ProcessLink(ends[0], None).send({"group": "unread"})
    ProcessLink(ends[1], None).send({"group": "read"})
    ends[0].close()
    assert None in read_all(ends[1])
