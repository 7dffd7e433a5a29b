"""A long response waits for its client, and ends when the client disconnects."""

import asyncio

from django.test import override_settings

from config.server.streaming import PacedWriter
from tests.builders.transports import UNUSED_SOCKET


class Request:
    """The part of a request that flow control needs, and its transport."""

    dataBuffer, offset, _tempDataLen, socket = b"", 0, 100, UNUSED_SOCKET  # noqa: N815  # the library's names

    def __init__(self) -> None:
        self.transport = self.channel = self
        self.producers: list[PacedWriter] = []
        self.is_aborted = False

    def registerProducer(self, producer: PacedWriter, streaming: bool) -> None:  # noqa: N802
        assert streaming
        self.producers.append(producer)

    def unregisterProducer(self) -> None:  # noqa: N802
        self.producers.pop()

    def abortConnection(self) -> None:  # noqa: N802
        self.is_aborted = True


def test_it_waits_until_the_client_takes_more() -> None:
    async def main() -> None:
        flow = PacedWriter(Request())
        assert await flow.wait()
        flow.pauseProducing()
        waiting = asyncio.ensure_future(flow.wait())
        await asyncio.sleep(0)
        assert not waiting.done()
        flow.resumeProducing()
        assert await waiting

    asyncio.run(main())


def test_it_ends_with_its_client() -> None:
    async def main() -> None:
        request = Request()
        flow = PacedWriter(request)
        flow.pauseProducing()
        flow.stopProducing()
        assert not await flow.wait()
        flow.end()
        assert request.producers  # the transport and all its state are gone

    asyncio.run(main())


@override_settings(IDLE_CONNECTION_SECONDS=0.01)
def test_a_client_that_takes_nothing_is_given_up() -> None:
    async def main() -> None:
        request = Request()
        flow = PacedWriter(request)
        flow.pauseProducing()
        assert not await flow.wait()
        assert request.is_aborted

    asyncio.run(main())


@override_settings(IDLE_CONNECTION_SECONDS=0.01)
def test_a_client_that_takes_a_little_at_a_time_is_waited_for() -> None:
    class SlowlyRead(Request):
        @property
        def _tempDataLen(self) -> int:  # type: ignore[override]  # noqa: N802
            self.left -= 1
            return self.left

        left = 20

    async def main() -> None:
        request = SlowlyRead()
        flow = PacedWriter(request)
        flow.pauseProducing()
        waiting = asyncio.ensure_future(flow.wait())
        while request.left > 0:
            await asyncio.sleep(0.005)
            assert not waiting.done()
        flow.resumeProducing()
        assert await waiting
        assert not request.is_aborted

    asyncio.run(main())
