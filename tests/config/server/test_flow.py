"""A long answer waits for its client, and ends with it."""

import asyncio

from django.test import override_settings

from config.server.flow import Flow


class Request:
    """A request as far as the flow needs it."""

    def __init__(self) -> None:
        self.transport = self.channel = self
        self.producers: list[Flow] = []
        self.is_aborted = False

    def registerProducer(self, producer: Flow, streaming: bool) -> None:  # noqa: N802
        assert streaming
        self.producers.append(producer)

    def unregisterProducer(self) -> None:  # noqa: N802
        self.producers.pop()

    def abortConnection(self) -> None:  # noqa: N802
        self.is_aborted = True


def test_it_waits_until_the_client_takes_more() -> None:
    async def main() -> None:
        flow = Flow(Request())
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
        flow = Flow(request)
        flow.pauseProducing()
        flow.stopProducing()
        assert not await flow.wait()
        flow.end()
        assert request.producers  # the transport is gone, with all that it knew

    asyncio.run(main())


@override_settings(IDLE_SECONDS=0.01)
def test_a_client_that_takes_nothing_is_given_up() -> None:
    async def main() -> None:
        request = Request()
        flow = Flow(request)
        flow.pauseProducing()
        assert not await flow.wait()
        assert request.is_aborted

    asyncio.run(main())
