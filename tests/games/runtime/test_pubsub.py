"""Hints share messages, and a failure of Redis or of a hearer loses nothing else."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from games.runtime import pubsub
from games.runtime.pubsub import PubSub, get_server_id
from games.runtime.tasks import end_loops

Message = dict[str, Any]


class Layer:
    """A channel layer that sends as soon as `go_on` is set, or fails if it is `broken`."""

    def __init__(self) -> None:
        self.sent: list[list[int]] = []
        self.go_on = asyncio.Event()
        self.broken = False
        self.arriving: asyncio.Queue[Message] = asyncio.Queue()

    async def group_send(self, group: str, message: Message) -> None:
        self.sent.append([hint["number"] for hint in message["hints"]])
        await self.go_on.wait()
        if self.broken:
            raise ConnectionError

    async def new_channel(self) -> str:
        return "own"

    async def group_add(self, group: str, channel: str) -> None:
        pass

    async def receive(self, channel: str) -> Message:
        return await self.arriving.get()


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Any:
    settings.REDIS_URL = "redis://nowhere"

    def run(test: Callable[[PubSub, Layer], Awaitable[None]]) -> None:
        async def timed() -> None:
            layer = Layer()
            monkeypatch.setattr(pubsub, "get_channel_layer", lambda: layer)
            try:
                await asyncio.wait_for(test(PubSub(), layer), 10)
            finally:
                await end_loops()

        asyncio.run(timed())

    return run


async def until(holds: Callable[[], bool]) -> None:
    while not holds():  # noqa: ASYNC110  # a round of the loop at a time
        await asyncio.sleep(0)


def test_hints_that_are_published_during_a_send_share_the_next_message(run: Any) -> None:
    async def test(hints: PubSub, layer: Layer) -> None:
        hints.publish("a", number=1)
        hints.publish("b", number=2)
        await until(lambda: len(layer.sent) == 1)
        hints.publish("a", number=3)
        hints.publish("c", number=4)
        layer.go_on.set()
        await until(lambda: len(layer.sent) == 2)
        assert layer.sent == [[1, 2], [3, 4]]

    run(test)


def test_hints_are_sent_after_a_failure(run: Any) -> None:
    async def test(hints: PubSub, layer: Layer) -> None:
        layer.broken = True
        layer.go_on.set()
        hints.publish("a", number=1)
        await until(lambda: len(layer.sent) == 1 and not hints._is_sending)
        layer.broken = False
        hints.publish("a", number=2)
        await until(lambda: len(layer.sent) == 2)
        assert layer.sent == [[1], [2]]

    run(test)


def test_only_subscribers_hear_the_hints_of_other_servers(run: Any) -> None:
    async def test(hints: PubSub, layer: Layer) -> None:
        heard: list[int] = []

        def hear(hint: Message) -> None:
            heard.append(hint["number"])
            if hint["number"] == 2:
                raise RuntimeError("a fault of the hearer")

        hints.subscribe("a", hear)
        hints.subscribe("b", hear)
        hints.unsubscribe("b")
        groups = ("a", "b", "a", "unknown", "a")
        message = [{"group": group, "number": number} for number, group in enumerate(groups)]
        layer.arriving.put_nowait({"server": get_server_id(), "hints": message})
        layer.arriving.put_nowait({"server": "another", "hints": message})
        await until(lambda: len(heard) == 3)
        assert heard == [0, 2, 4]

    run(test)
