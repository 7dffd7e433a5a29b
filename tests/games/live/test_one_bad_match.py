"""A damaged match, or a part that fails, affects nobody else, and everybody gets an answer."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from types import SimpleNamespace

import pytest
from prometheus_client import REGISTRY

from games.journal.batch import Journal
from games.journal.publisher import publisher
from games.journal.requests import Request
from games.journal.transaction import commit_requests
from games.match.commands import Resign, Sweep
from games.match.state import MatchState
from games.models import Match, Move
from games.runtime.db import close_db_threads
from games.store.records import read_states
from tests.builders.matches import commit_command, create_guest_match, request_play

pytestmark = pytest.mark.django_db(transaction=True)


def live(**more: object) -> Match:
    match = create_guest_match()
    if more:
        Match.objects.filter(pk=match.pk).update(**more)
        match.refresh_from_db()
    return match


def with_journal(work: Callable[[Journal], Awaitable[None]]) -> None:
    async def run() -> None:
        await asyncio.wait_for(work(Journal()), 20)

    try:
        asyncio.run(run())
    finally:
        close_db_threads()


def plies(*matches: Match) -> list[int]:
    states = read_states([match.pk for match in matches])
    return [states[match.pk].ply for match in matches]


def test_a_listener_that_fails_keeps_nobody_from_their_answer_or_from_being_told() -> None:
    told: list[str] = []

    def fails(states: Sequence[MatchState]) -> None:
        raise RuntimeError("a listener's fault")

    async def work(journal: Journal) -> None:
        publisher().listen(fails)
        publisher().listen(lambda states: told.extend(state.id for state in states))
        for match in matches:
            assert (await journal.ask(request_play(match, 0, "mark 1 1"))).refused is None

    matches = [live(), live()]
    with_journal(work)
    assert told == [match.pk for match in matches]


def test_a_slow_listener_does_not_count_as_a_slow_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]

    def passes(states: Sequence[MatchState]) -> None:
        now[0] += 60

    async def work(journal: Journal) -> None:
        publisher().listen(passes)
        assert (await journal.ask(request_play(match, 0, "mark 1 1"))).refused is None

    match = live()
    clock = SimpleNamespace(perf_counter=lambda: now[0])
    monkeypatch.setattr("games.journal.batch.time", clock)
    before = REGISTRY.get_sample_value("parlour_commit_seconds_sum")
    with_journal(work)
    assert now == [60] and REGISTRY.get_sample_value("parlour_commit_seconds_sum") == before


def test_the_journal_has_no_task_that_could_be_cancelled() -> None:
    async def work(journal: Journal) -> None:
        before = asyncio.all_tasks()
        asked = [journal.ask(request_play(match, 0, "mark 1 1")) for match in matches]
        await asyncio.sleep(0)  # the batch has begun
        assert asyncio.all_tasks() == before
        asked[0].cancel()  # only this requester no longer waits
        assert [answer.refused for answer in await asyncio.gather(*asked[1:])] == [None, None]
        await journal.finished()

    matches = [live() for _ in range(3)]
    with_journal(work)
    assert plies(*matches) == [1, 1, 1]


def test_whoever_asks_is_answered_when_something_unexpected_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def work(journal: Journal) -> None:
        with monkeypatch.context() as patched:
            patched.setattr("games.journal.batch.COMMANDS", None)
            answer = await journal.ask(request_play(match, 0, "mark 1 1"))
        assert answer.refused in {None, "unavailable"}
        assert (await journal.ask(request_play(match, 0, "mark 1 1"))).refused is None

    match = live()
    with_journal(work)
    assert plies(match) == [1]


class Interrupt(BaseException):
    """An error that `except Exception` does not catch, such as a panic in Rust code."""


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("commit_requests", Interrupt),
        ("in_db_with_callback", RuntimeError),  # as when the thread has been stopped
        ("in_db_with_callback", MemoryError),
    ],
)
def test_the_journal_goes_on_after_any_error(
    name: str, error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise error

    async def work(journal: Journal) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(f"games.journal.batch.{name}", fails)
            answer = await journal.ask(request_play(match, 0, "mark 1 1"))
        assert answer.refused == "unavailable"
        assert (await journal.ask(request_play(match, 0, "mark 1 1"))).refused is None
        await journal.finished()

    match = live()
    with_journal(work)
    assert plies(match) == [1]


@pytest.mark.parametrize(
    "damage",
    [
        {"notation": "nonsense"},
        {"game": "no-such-game"},
        {"clock": "nonsense", "first_ms": 1000, "second_ms": 1000},
    ],
    ids=lambda damage: next(iter(damage)),
)
def test_a_match_that_cannot_be_read_is_refused_alone(damage: dict[str, object]) -> None:
    good, bad, fine = live(), live(**damage), live()
    answers, changed = commit_requests(
        [
            request_play(good, 0, "mark 1 1"),
            request_play(bad, 0, "mark 1 1"),
            request_play(fine, 0, "mark 1 1"),
        ]
    )
    assert [answer.refused for answer in answers] == [None, "unavailable", None]
    assert {state.id for state in changed} == {good.pk, fine.pk}
    assert plies(good, fine) == [1, 1]
    answers, _ = commit_requests([Request(pk, None, Sweep()) for pk in (good.pk, bad.pk, fine.pk)])
    assert [answer.refused for answer in answers if answer.state] == [
        None,
        answers[1].refused,
        None,
    ]


def test_a_match_that_cannot_be_stored_is_refused_alone() -> None:
    """The match says that nothing was played, but a first move is stored."""
    good, bad, fine = live(), live(), live()
    Move.objects.create(
        match=bad, ply=0, role="xplayer", action="mark 2 2", at=bad.created_at, spent_ms=1
    )
    answers, changed = commit_requests(
        [
            request_play(good, 0, "mark 1 1"),
            request_play(bad, 0, "mark 1 1"),
            request_play(fine, 0, "mark 1 1"),
        ]
    )
    assert [answer.refused for answer in answers] == [None, "unavailable", None]
    assert {state.id for state in changed} == {good.pk, fine.pk}
    assert plies(good, bad, fine) == [1, 0, 1]
    # Commands that store no move are still possible.
    commit_command(bad, bad.first_id, Resign())
