"""Background loops continue after an exception, and end cleanly."""

import asyncio
from collections.abc import Awaitable, Callable

from prometheus_client import REGISTRY

from games.runtime.db import Unavailable
from games.runtime.tasks import KeyedJobs, Repeated, end_loops

SOON = 0.001


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def within_time() -> None:
        await asyncio.wait_for(work(), 10)

    asyncio.run(within_time())


def rounds(part: str, outcome: str) -> float:
    return REGISTRY.get_sample_value("parlour_rounds_total", {"part": part, "to": outcome}) or 0


class Work:
    """Work that fails in the given number of rounds; then it succeeds and sets `enough`."""

    def __init__(self, *faults: BaseException, enough: int = 2) -> None:
        self._faults = list(faults)
        self._left = enough
        self.enough = asyncio.Event()

    async def __call__(self) -> None:
        if self._faults:
            raise self._faults.pop(0)
        self._left -= 1
        if self._left == 0:
            self.enough.set()


def test_work_that_raises_goes_on_and_is_counted() -> None:
    async def work() -> None:
        before = {to: rounds("a test", to) for to in ("done", "failed", "unavailable")}
        task = Work(ValueError("a test"), Unavailable(), ValueError("a test"))
        loop = Repeated("a test", task, SOON)
        loop.start()
        await task.enough.wait()
        await loop.stop()
        assert rounds("a test", "failed") - before["failed"] == 2
        assert rounds("a test", "unavailable") - before["unavailable"] == 1
        assert rounds("a test", "done") - before["done"] >= 1

    run(work)


def test_a_cancelled_part_of_the_work_does_not_end_the_loop() -> None:
    async def work() -> None:
        task = Work(asyncio.CancelledError())
        loop = Repeated("a test", task, SOON)
        loop.start()
        await task.enough.wait()
        assert loop.is_running
        await loop.stop()
        assert not loop.is_running

    run(work)


def test_it_is_started_once() -> None:
    async def work() -> None:
        task = Work(enough=1)
        loop = Repeated("a test", task, 600)
        assert loop.start()
        assert not loop.start()
        await task.enough.wait()
        await loop.stop()
        assert loop.start()  # after its end it can start again

    run(work)


def test_a_call_shortens_the_pause_and_a_round_may_choose_its_own() -> None:
    async def work() -> None:
        count, pauses = 0, [600.0, 0.0, 600.0]
        begun, done = asyncio.Event(), asyncio.Event()

        async def one() -> float:
            nonlocal count
            count += 1
            begun.set()
            if count == 3:
                done.set()
            return pauses[count - 1]

        loop = Repeated("a test", one, 600)
        loop.start()
        await begun.wait()
        loop.call()  # ends the first pause; the second has no pause
        await done.wait()
        await loop.stop()
        assert count == 3

    run(work)


def test_a_pause_that_a_call_ended_begins_no_other_round() -> None:
    async def work() -> None:
        pauses = [0.1, 1000.0, 1000.0]
        left = list(pauses)

        async def take_pause() -> float:
            return left.pop(0)

        loop = Repeated("a test", take_pause, 1000.0)
        loop.start()
        await asyncio.sleep(0)
        loop.call()
        await asyncio.sleep(0.2)
        assert left == pauses[2:]
        await loop.stop()

    asyncio.run(work())


def test_the_first_round_may_be_late_and_the_loop_ends_by_itself() -> None:
    async def work() -> None:
        left, ended = 2, asyncio.Event()

        async def one() -> None:
            nonlocal left
            left -= 1

        loop = Repeated("a test", one, SOON, first=600, goes_on=lambda: left > 0, at_end=ended.set)
        loop.start()
        for _ in range(5):
            await asyncio.sleep(0)
        assert left == 2
        loop.call()
        await ended.wait()
        assert left == 0

    run(work)


def test_all_loops_end_with_the_event_loop() -> None:
    async def work() -> None:
        under_way, ended = asyncio.Event(), []

        async def never_done() -> None:
            under_way.set()
            await asyncio.Event().wait()

        loops = [
            Repeated("a test", never_done, 1, at_end=lambda: ended.append("never done")),
            Repeated(
                "a test", Work(ValueError("a test")), 1, at_end=lambda: ended.append("failed")
            ),
        ]
        for loop in loops:
            loop.start()
        await under_way.wait()
        await end_loops()
        assert sorted(ended) == ["failed", "never done"]
        assert not any(loop.is_running for loop in loops)

    run(work)


def test_jobs_go_on_side_by_side_one_for_each_key() -> None:
    async def work() -> None:
        jobs: KeyedJobs[str] = KeyedJobs("a test")
        begun: list[str] = []
        free = asyncio.Event()

        async def slow() -> None:
            begun.append("slow")
            await free.wait()

        async def fails() -> None:
            begun.append("fails")
            raise ValueError("a test")

        async def is_away() -> None:
            begun.append("is away")
            raise Unavailable

        for _ in range(2):
            jobs.start("slow", slow)
        jobs.start("fails", fails)
        jobs.start("is away", is_away)
        while len(jobs.keys) > 1:  # noqa: ASYNC110  # it has no event for it
            await asyncio.sleep(SOON)
        assert begun == ["slow", "fails", "is away"] and jobs.keys == ["slow"]
        free.set()
        while jobs.keys:  # noqa: ASYNC110
            await asyncio.sleep(SOON)
        jobs.start("slow", slow)  # its key is free again
        while jobs.keys:  # noqa: ASYNC110
            await asyncio.sleep(SOON)
        assert begun[3:] == ["slow"]

    run(work)
