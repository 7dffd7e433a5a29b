"""Each caller that waits for a tab gets its answer, regardless of the other callers."""

import asyncio
import time
from typing import Any, cast

import pytest

from lobby.live.availability import LISTEN, Listening
from lobby.live.tabs import Tab


class Page:
    """A tab that answers after a number of seconds, or never if None."""

    def __init__(self, answers_after: float | None = None) -> None:
        self.is_open = True
        self.asked = 0
        self._after = answers_after
        self._heard_at = time.monotonic()

    def answer(self) -> None:
        self._after = 0.0

    def last_heard(self) -> float:
        if self._after is not None and time.monotonic() - self._asked_at >= self._after:
            self._heard_at = max(self._heard_at, self._asked_at + self._after)
        return self._heard_at

    def ask_whether_there(self) -> None:
        self.asked += 1
        self._asked_at = time.monotonic()


class Broken(Page):
    def last_heard(self) -> float:
        raise RuntimeError("of this tab alone")


async def hears(listening: Listening, *pages: Page, seconds: float = 1.0) -> bool:
    return await listening.hears(cast(Any, pages), seconds)


def test_one_tab_that_answers_is_enough() -> None:
    async def ask() -> None:
        silent, page = Page(), Page(0.03)
        assert await hears(Listening(), silent, page)
        assert (silent.asked, page.asked) == (1, 1)

    asyncio.run(ask())


def test_an_answer_from_before_the_question_does_not_count() -> None:
    async def ask() -> None:
        began = time.monotonic()
        assert not await hears(Listening(), Page(), seconds=5 * LISTEN)
        assert time.monotonic() - began >= 4 * LISTEN

    asyncio.run(ask())


def test_tabs_that_are_closed_are_not_waited_for() -> None:
    async def ask() -> None:
        page = Page()
        asking = asyncio.ensure_future(hears(Listening(), page, seconds=600.0))
        await asyncio.sleep(2 * LISTEN)
        assert not asking.done()
        page.is_open = False
        assert not await asyncio.wait_for(asking, 5)

    asyncio.run(ask())


def test_waits_run_concurrently() -> None:
    async def ask() -> None:
        listening = Listening()
        gone = asyncio.ensure_future(hears(listening, Page(), seconds=600.0))
        broken = asyncio.ensure_future(hears(listening, Broken()))
        page = Page()
        slow = asyncio.ensure_future(hears(listening, page, seconds=600.0))
        await asyncio.sleep(0)
        gone.cancel()
        assert await hears(listening, Page(0.0))
        assert not await asyncio.wait_for(broken, 5)
        assert not slow.done()
        page.answer()
        assert await asyncio.wait_for(slow, 5)
        # The next caller gets an answer, too, after a time without callers.
        await asyncio.sleep(3 * LISTEN)
        assert await asyncio.wait_for(hears(listening, Page(0.0)), 5)

    asyncio.run(ask())


def test_nobody_waits_when_the_server_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask() -> None:
        listening, page = Listening(), cast(Tab, Page())
        asking = asyncio.ensure_future(listening.hears([page], 600.0))
        await asyncio.sleep(2 * LISTEN)
        for task in asyncio.all_tasks() - {asyncio.current_task(), asking}:
            task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(asking, 5)

    asyncio.run(ask())
