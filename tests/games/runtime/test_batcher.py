"""The batcher runs one batch at a time, and every requester is answered, even after failures."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest

from games.runtime.batcher import Batcher
from games.runtime.fair_queue import Requester

HOME, SCHOOL = Requester("203.0.113.1", 1), Requester("203.0.113.2", 2)
LOST = -1


class Work:
    """Doubles numbers, batch by batch, as soon as `go_on` is set."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.at_once = 0
        self.go_on = asyncio.Event()
        self.begun = asyncio.Event()

    async def __call__(self, numbers: list[int]) -> Sequence[int | Exception]:
        self.batches.append(numbers)
        self.at_once += 1
        assert self.at_once == 1, "one batch at a time"
        self.begun.set()
        try:
            await self.go_on.wait()
            return self.answers(numbers)
        finally:
            self.at_once -= 1

    def answers(self, numbers: list[int]) -> Sequence[int | Exception]:
        if 13 in numbers:
            raise RuntimeError("a fault of the work")
        if 99 in numbers:
            return []
        return [ValueError(number) if number < 0 else 2 * number for number in numbers]


def batcher(work: Work, most: int = 10, each: int = 10, skips: bool = False) -> Batcher[int, int]:
    return Batcher("test", work, lost=lambda: LOST, most=most, each=each, skips_gone=skips)


def run(test: Callable[[Work], Awaitable[None]]) -> None:
    async def timed() -> None:
        await asyncio.wait_for(test(Work()), 10)

    asyncio.run(timed())


def test_what_is_asked_during_a_batch_is_the_next_batch() -> None:
    async def test(work: Work) -> None:
        asks = batcher(work)
        first = asks.ask(1)
        await work.begun.wait()
        rest = [asks.ask(number) for number in (2, 3, 4)]
        assert not first.done()
        work.go_on.set()
        assert await asyncio.gather(first, *rest) == [2, 4, 6, 8]
        assert work.batches == [[1], [2, 3, 4]]

    run(test)


def test_a_batch_holds_so_many_and_no_more() -> None:
    async def test(work: Work) -> None:
        work.go_on.set()
        asks = batcher(work, most=2, each=2)
        assert await asyncio.gather(*map(asks.ask, range(5))) == [0, 2, 4, 6, 8]
        assert work.batches == [[0, 1], [2, 3], [4]]

    run(test)


@pytest.mark.parametrize("limited", [True, False])
def test_of_one_client_network_a_batch_holds_few_unless_limits_are_off(
    settings: Any, limited: bool
) -> None:
    settings.RATE_LIMITS = limited

    async def test(work: Work) -> None:
        work.go_on.set()
        asks = batcher(work, most=10, each=2)
        flood = [asks.ask(number, SCHOOL) for number in range(8)]
        await asyncio.gather(*flood, asks.ask(8, HOME))
        assert work.batches[0] == ([0, 8, 1] if limited else list(range(9)))
        assert len(work.batches) == (4 if limited else 1)

    run(test)


def test_an_answer_that_is_an_exception_is_raised_for_its_asker_alone() -> None:
    async def test(work: Work) -> None:
        work.go_on.set()
        asks = batcher(work)
        answers = await asyncio.gather(
            asks.ask(1), asks.ask(-5), asks.ask(2), return_exceptions=True
        )
        assert (answers[0], answers[2]) == (2, 4)
        assert isinstance(answers[1], ValueError)

    run(test)


@pytest.mark.parametrize("bad", [13, 99], ids=["it raises", "it answers too few"])
def test_where_the_work_fails_everybody_is_answered_and_the_next_batch_comes(bad: int) -> None:
    async def test(work: Work) -> None:
        work.go_on.set()
        asks = batcher(work, most=2, each=2)
        assert await asyncio.gather(*map(asks.ask, (1, bad, 3, 4))) == [LOST, LOST, 6, 8]
        assert await asks.ask(5) == 10

    run(test)


def test_when_a_turn_is_cancelled_everybody_is_answered_and_it_goes_on() -> None:
    async def test(work: Work) -> None:
        asks, before = batcher(work, most=2, each=2), asyncio.all_tasks()
        asked = [asks.ask(number) for number in range(5)]
        await work.begun.wait()
        for turn in asyncio.all_tasks() - before:
            turn.cancel()
        assert await asyncio.gather(*asked) == [LOST] * 5
        work.go_on.set()
        assert await asks.ask(7) == 14
        assert work.batches == [[0, 1], [7]]

    run(test)


def test_when_a_turn_is_cancelled_before_it_begins_everybody_is_answered() -> None:
    async def test(work: Work) -> None:
        work.go_on.set()
        asks, before = batcher(work), asyncio.all_tasks()
        asked = [asks.ask(1), asks.ask(2)]
        for turn in asyncio.all_tasks() - before:
            turn.cancel()
        assert await asyncio.gather(*asked) == [LOST] * 2
        assert work.batches == []
        assert await asks.ask(3) == 6

    run(test)


def test_what_is_lost_may_be_an_exception() -> None:
    async def test(work: Work) -> None:
        work.go_on.set()
        asks: Batcher[int, int] = Batcher("test", work, lost=KeyError, most=2, each=2)
        answers = await asyncio.gather(asks.ask(13), asks.ask(1), return_exceptions=True)
        assert [type(answer) for answer in answers] == [KeyError, KeyError]
        assert answers[0] is not answers[1], "each has its own: a traceback is not shared"

    run(test)


@pytest.mark.parametrize("skips", [False, True])
def test_a_question_whose_asker_is_gone_is_dropped_only_where_that_is_wanted(skips: bool) -> None:
    async def test(work: Work) -> None:
        asks = batcher(work, skips=skips)
        first = asks.ask(1)
        await work.begun.wait()
        gone, waits = asks.ask(2), asks.ask(3)
        gone.cancel()
        first.cancel()  # its batch has begun, so this has no effect
        work.go_on.set()
        assert await waits == 6
        assert work.batches == [[1], [3] if skips else [2, 3]]

    run(test)


def test_it_is_finished_when_everybody_is_answered() -> None:
    async def test(work: Work) -> None:
        asks = batcher(work, most=1, each=1)
        await asks.finished()  # nothing was asked
        asked = [asks.ask(1), asks.ask(2)]
        finished = asyncio.ensure_future(asks.finished())
        await work.begun.wait()
        assert not finished.done()
        work.go_on.set()
        await finished
        assert [future.result() for future in asked] == [2, 4]

    run(test)
