"""Wait for tabs to answer a presence check, with one shared poll every 20 ms.

A task per waiting caller would wake as often: a hundred of them would use a tenth of a processor.
"""

import asyncio
import time
from collections.abc import Sequence

import structlog

from games.runtime.pubsub import pubsub
from lobby.live.tabs import Tab

log = structlog.get_logger(__name__)

LISTEN = 0.02  # seconds between two polls


class _Wait:
    """A caller that waits for one of several tabs to answer."""

    def __init__(self, tabs: Sequence[Tab], seconds: float) -> None:
        self.tabs = tabs
        self.since = time.monotonic()
        self.looks = int(seconds / LISTEN)  # not a time, as the loop may be slow
        self.answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def look(self) -> None:
        """Set the result if it is known."""
        self.looks -= 1
        open_ = [tab for tab in self.tabs if tab.is_open]
        if any(tab.last_heard() > self.since for tab in open_):
            self.answer.set_result(True)
        elif not open_ or self.looks <= 0:
            self.answer.set_result(False)


class Listening:
    """All callers in this process that wait for an answer."""

    def __init__(self) -> None:
        self._waiting: list[_Wait] = []
        self._is_looking = False

    async def hears(self, tabs: Sequence[Tab], seconds: float) -> bool:
        """Ask these tabs for a sign of life, and return whether one of them answers in time."""
        wait = _Wait(tabs, seconds)
        for tab in tabs:
            await tab.ask_whether_there()
        self._waiting.append(wait)
        if not self._is_looking:
            self._is_looking = True
            pubsub().soon(self._look())
        return await wait.answer

    async def _look(self) -> None:
        try:
            while self._waiting:
                await asyncio.sleep(LISTEN)
                self._waiting = [wait for wait in self._waiting if self._is_open(wait)]
        finally:
            self._is_looking = False
            left, self._waiting = self._waiting, []
            for wait in left:  # the server is shutting down
                wait.answer.cancel()

    def _is_open(self, wait: _Wait) -> bool:
        if not wait.answer.done():  # if it is done, the caller was cancelled
            try:
                wait.look()
            except Exception:  # an error in one tab must not block the others
                log.exception("listening failed")
                wait.answer.set_result(False)
        return not wait.answer.done()
