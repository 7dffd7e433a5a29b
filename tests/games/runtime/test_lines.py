"""An NDJSON stream ends once, from either side, and its follower leaves after it has begun."""

import asyncio

import pytest

from games.runtime.streaming import NdjsonStream, streams


class Ends:
    """Both ends of a stream: the connection and the follower."""

    def __init__(self, takes: int = 10, fails: bool = False) -> None:
        self.written: list[bytes] = []
        self.told: list[str] = []
        self.takes, self.fails = takes, fails
        self.may_begin = asyncio.Event()

    def write(self, data: bytes) -> bool:
        self.written.append(data)
        return len(self.written) < self.takes

    def finish(self) -> None:
        self.told.append("finished")

    async def begin(self, line: NdjsonStream) -> None:
        await self.may_begin.wait()
        self.told.append("begun")
        if self.fails:
            raise ValueError

    def leave(self) -> None:
        self.told.append("left")


def test_an_answer_that_ends_while_it_begins_is_left_afterwards_and_once() -> None:
    async def main() -> None:
        ends = Ends()
        line = NdjsonStream(ends, ends)
        beginning = asyncio.ensure_future(line.begin())
        await asyncio.sleep(0)
        assert len(streams()) == 1
        line.end()
        line.end()
        await asyncio.sleep(0)
        assert ends.told == [] and len(streams()) == 0
        line.send(b"too late")
        ends.may_begin.set()
        await beginning
        await asyncio.sleep(0)
        assert (ends.told, ends.written) == (["begun", "finished", "left"], [])

    asyncio.run(main())


def test_a_slow_client_is_left_once() -> None:
    async def main() -> None:
        ends = Ends(takes=2)
        ends.may_begin.set()
        line = NdjsonStream(ends, ends)
        await line.begin()
        for text in (b"one", b"two", b"three"):
            line.send(text)
        assert not line.is_open and ends.told == ["begun"]  # the follower gets no exception
        await asyncio.sleep(0)
        assert ends.told == ["begun", "finished", "left"]
        assert ends.written == [b"one\n", b"two\n"]

    asyncio.run(main())


def test_a_follower_that_fails_ends_its_answer() -> None:
    async def main() -> None:
        ends = Ends(fails=True)
        ends.may_begin.set()
        with pytest.raises(ValueError):
            await NdjsonStream(ends, ends).begin()
        await asyncio.sleep(0)
        assert ends.told == ["begun", "finished", "left"] and len(streams()) == 0

    asyncio.run(main())
