"""How fast a client takes a long answer: the transport says when it holds enough of it."""

import asyncio
from typing import Any

from django.conf import settings


class Flow:
    """What is sent to one request, as a producer that Twisted pauses and resumes."""

    def __init__(self, request: Any) -> None:
        self._request = request
        self._may = asyncio.Event()
        self._may.set()
        self._is_over = False
        request.registerProducer(self, True)

    async def wait(self) -> bool:
        """Wait until the client takes more. False: it is gone, or takes nothing any more."""
        try:
            async with asyncio.timeout(settings.IDLE_SECONDS):
                await self._may.wait()
        except TimeoutError:
            self._request.transport.abortConnection()
            return False
        return not self._is_over

    def end(self) -> None:
        """All of it is sent."""
        if not self._is_over:
            self._request.unregisterProducer()

    # -- called by the transport

    def pauseProducing(self) -> None:  # noqa: N802  # the library's name
        self._may.clear()

    def resumeProducing(self) -> None:  # noqa: N802  # the library's name
        self._may.set()

    def stopProducing(self) -> None:  # noqa: N802  # the library's name
        self._is_over = True
        self._may.set()
