"""The referee ends overdue matches, and does its chores as well."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest
from django.utils import timezone

import games.live.referee
from config import wiring
from games.journal.opening import open_match
from games.journal.publisher import publisher
from games.live.referee import Referee
from games.match.setup import Setup
from games.models import Attendance, Match, Pulse
from games.review.sign_search import Search
from games.runtime.db import close_db_threads
from games.runtime.tasks import end_loops
from lobby.accounts.guests import new_guest

pytestmark = pytest.mark.django_db(transaction=True)
HOUR = timedelta(hours=1)


@pytest.fixture
def people() -> tuple[int, int]:
    now = timezone.now()
    Pulse.objects.create(pk=1, at=now + HOUR, up_since=now - 100 * HOUR)  # the site is up
    return new_guest().pk, new_guest().pk


def timed(people: tuple[int, int], due_in: float, **more: object) -> Match:
    """A live match in which both have acted, with its deadline (seconds from now)."""
    match = open_match(Setup("tic-tac-toe", "10+0"), *people)
    due = timezone.now() + timedelta(seconds=due_in)
    Match.objects.filter(pk=match.pk).update(acted=3, deadline=due, **more)
    return match


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def within() -> None:
        await asyncio.wait_for(work(), 30)

    try:
        asyncio.run(within())
    finally:
        close_db_threads()


def is_over(match: Match) -> bool:
    return not Match.objects.filter(pk=match.pk, status="live").exists()


def test_flags_fall_though_the_oldest_that_are_due_cannot_be_read(
    people: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games.live.referee, "_MOST", 5)
    stuck = [timed(people, -100, notation="nonsense") for _ in range(12)]
    flag = timed(people, -10)

    async def work() -> None:
        referee = Referee()
        for _ in range(4):
            await referee.sweep()
        assert await asyncio.to_thread(is_over, flag)
        fresh = await asyncio.to_thread(timed, people, -1)
        await referee.sweep()  # it also ends what has become due just now
        assert await asyncio.to_thread(is_over, fresh)

    run(work)
    assert not any(is_over(match) for match in stuck)


def test_a_match_that_cannot_be_read_is_not_tried_in_every_round(people: tuple[int, int]) -> None:
    timed(people, -100, notation="nonsense")

    async def work() -> None:
        referee = Referee()
        assert await referee.sweep() == 1
        assert await referee.sweep() == 0

    run(work)


def test_what_is_due_at_once_shares_its_commits(people: tuple[int, int]) -> None:
    matches = [timed(people, -10) for _ in range(30)]
    batches: list[int] = []

    async def work() -> None:
        referee = Referee()
        publisher().listen(lambda rows: batches.append(len(rows)))
        await referee.sweep()

    run(work)
    assert all(is_over(match) for match in matches)
    assert sum(batches) == 30
    assert len(batches) <= 3


def test_who_is_here_does_not_keep_the_referee_from_those_who_are_gone(
    people: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games.live.referee, "_MOST", 5)
    now = timezone.now()
    long_ago = now - 2 * HOUR
    thinking = [timed(people, 3600, acted_at=long_ago, created_at=long_ago) for _ in range(12)]
    Attendance.objects.bulk_create(
        Attendance(match=match, server="here", first_at=now, second_at=now, seen_at=now)
        for match in thinking
    )
    gone = timed(people, 3600, acted_at=now - HOUR, created_at=long_ago)

    async def work() -> None:
        referee = Referee()
        asked = [await referee.sweep() for _ in range(4)]
        assert sum(asked) == 1  # it does not even ask about the others

    run(work)
    assert is_over(gone)
    assert not any(is_over(match) for match in thinking)


def test_a_flag_falls_while_signs_are_searched_for(
    people: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    searching, found = threading.Event(), threading.Event()

    def search(self: object) -> bool:
        searching.set()
        found.wait(20)
        return False

    monkeypatch.setattr(Search, "go_on", search)

    async def work() -> None:
        await wiring.start_background_tasks("referee")
        try:
            assert await asyncio.to_thread(searching.wait, 10)
            flag = await asyncio.to_thread(timed, people, -1)
            until = time.monotonic() + 15  # before the search ends
            while not await asyncio.to_thread(is_over, flag):
                assert time.monotonic() < until, "the referee stands still"
                await asyncio.sleep(0.05)
        finally:
            found.set()
            await end_loops()

    run(work)


def test_a_chore_that_fails_does_not_keep_the_others_from_being_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done = threading.Event()

    def fails() -> None:
        raise RuntimeError("a chore's fault")

    monkeypatch.setattr(wiring, "CHORES", (fails, done.set))

    async def work() -> None:
        await wiring.start_background_tasks("referee")
        assert await asyncio.to_thread(done.wait, 10)
        await end_loops()

    run(work)
