"""Nobody is charged for an outage, and each clock is moved only once."""

import asyncio
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.utils import timezone

from games.journal.limits import get_limits
from games.journal.requests import Request
from games.journal.transaction import commit_requests
from games.live.heartbeat import heart
from games.match.commands import ClaimTime, OfferDraw, Play, Resume, Sweep
from games.match.conduct import apply_command
from games.match.state import Context
from games.models import Match, Pulse
from games.models import Outage as Stored
from games.runtime.tasks import end_loops
from games.store import heartbeat
from games.store.heartbeat import SiteOutage
from games.store.records import read_states
from tests.builders.matches import commit_command, create_guest_match, get_state

pytestmark = pytest.mark.django_db(transaction=True)
SECOND = timedelta(seconds=1)


@pytest.fixture(autouse=True)
def unknown() -> Iterator[None]:
    """Let this process know nothing, as after its start."""
    heartbeat._known.__dict__.clear()
    yield
    heartbeat._known.__dict__.clear()


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the clock. On a busy machine, another outage could begin between two lines of a test."""
    at = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: at)


def timed(at: datetime, clock: str = "0+30", **more: object) -> Match:
    match = create_guest_match(clock=clock, at=at)
    if more:
        Match.objects.filter(pk=match.pk).update(**more)
    return match


def last_beat(ago: timedelta) -> datetime:
    at = timezone.now() - ago
    Pulse.objects.update_or_create(pk=1, defaults={"at": at, "up_since": at - timedelta(days=1)})
    return at


def an_outage() -> SiteOutage:
    (found,) = heartbeat.list_outages()
    return found


def moved(outage: SiteOutage, some: int = 1000) -> int:
    ids = heartbeat.list_stopped_matches(outage)
    return sum(heartbeat.move_clocks(outage, ids[i : i + some]) for i in range(0, len(ids), some))


def test_many_clocks_are_moved_just_as_one_is() -> None:
    down = timezone.now() - 20 * SECOND
    up = down + 15 * SECOND
    matches = [
        timed(down - 10 * SECOND),
        timed(down - 10 * SECOND, acted=3),
        timed(down),
        timed(down + 4.25 * SECOND, acted=1),
        timed(up - timedelta(microseconds=1)),
        timed(up),
        timed(up + SECOND),
        timed(down - 9 * SECOND, clock=""),
        timed(down - 9 * SECOND, status="aborted", ended="aborted", ended_at=down, deadline=None),
    ]
    before = {match.pk: get_state(match) for match in matches}
    heartbeat.store_outage(down, up)
    outage = an_outage()
    context = Context(up, get_limits(), lambda ply: None, lambda: (up, up))
    one_by_one = {
        pk: apply_command(state, None, Resume(outage.number, down, up), context).state
        for pk, state in before.items()
    }
    assert moved(outage, some=2) == 5
    assert read_states(before) == one_by_one
    assert moved(outage) == 0
    assert read_states(before) == one_by_one
    assert get_state(matches[0]).acted_at == down + 5 * SECOND
    assert get_state(matches[3]).acted_at == up


def test_a_beat_is_short_however_many_clocks_there_are() -> None:
    for _ in range(3):
        timed(timezone.now() - 10 * SECOND)
    last_beat(8 * SECOND)
    with CountedQueries() as queries:
        found = heartbeat.store_beat()
    assert len(found) == 1
    assert not any("games_match" in query for query in queries.made)
    assert (
        heartbeat.store_beat() == found
    )  # it is declared once, and known until all clocks are moved


def test_who_acts_before_the_clocks_are_moved_is_not_charged_for_the_outage() -> None:
    down = last_beat(20 * SECOND)
    match = timed(down - 2 * SECOND)
    heartbeat.store_beat()
    outage = an_outage()
    commit_command(match, match.first_id, Play(0, "mark 1 1"))
    state = get_state(match)
    assert state.first_ms is not None
    assert 30_000 + 30_000 - state.first_ms == 2000
    assert moved(outage) == 0
    assert get_state(match) == state


def test_who_offers_a_draw_before_the_clocks_are_moved_has_them_moved_once() -> None:
    down = last_beat(20 * SECOND)
    match = timed(down - 2 * SECOND, ply=20, acted=3)
    heartbeat.store_beat()
    outage = an_outage()
    commit_command(match, match.first_id, OfferDraw())
    state = get_state(match)
    assert state.acted_at == down - 2 * SECOND + outage.length
    assert moved(outage) == 0
    assert get_state(match) == state


@pytest.mark.parametrize("command", [Sweep(), ClaimTime()])
def test_no_flag_falls_before_the_clocks_are_moved(command: Sweep | ClaimTime) -> None:
    down = last_beat(60 * SECOND)
    match = timed(down - 2 * SECOND, acted=3)
    heartbeat.store_beat()
    who = match.second_id if isinstance(command, ClaimTime) else None
    commit_requests([Request(match.pk, who, command)])
    state = get_state(match)
    assert state.is_live
    assert state.deadline is not None
    assert state.deadline > timezone.now()


def test_the_first_commit_of_a_server_after_an_outage_declares_it_itself() -> None:
    """After the database was away, an action may be committed before the next beat."""
    heartbeat.become_server()
    down = last_beat(20 * SECOND)
    match = timed(down - 2 * SECOND)
    commit_requests([Request(match.pk, match.first_id, Play(0, "mark 1 1"))])
    left = get_state(match).first_ms
    assert left is not None
    assert 60_000 - left == 2000
    assert Stored.objects.count() == 1
    heartbeat.store_beat()
    assert Stored.objects.count() == 1


def test_a_referee_holds_nobody_to_their_time_while_no_server_beats() -> None:
    down = last_beat(60 * SECOND)
    match = timed(down - 2 * SECOND, acted=3)
    commit_requests([Request(match.pk, None, Sweep())])
    assert get_state(match).is_live
    assert Stored.objects.count() == 0  # it is no server: that it is there does not end the outage


def test_two_outages_are_both_given_back() -> None:
    now = timezone.now()
    match, other = timed(now - 60 * SECOND), timed(now - 60 * SECOND)
    heartbeat.store_outage(now - 50 * SECOND, now - 40 * SECOND)
    heartbeat.store_outage(now - 35 * SECOND, now - 30 * SECOND)
    commit_requests([Request(match.pk, match.first_id, Play(0, "mark 1 1"))])
    left = get_state(match).first_ms
    assert left is not None
    assert 60_000 - left == 30_000  # 60 s less 15, of which the first action is charged 30 at most
    for outage in heartbeat.list_outages():
        moved(outage)
    assert get_state(other).acted_at == now - 45 * SECOND


def test_who_dies_while_moving_leaves_the_rest_to_another() -> None:
    down = last_beat(20 * SECOND)
    matches = [timed(down - SECOND) for _ in range(5)]
    heartbeat.store_beat()
    outage = an_outage()
    assert heartbeat.move_clocks(outage, heartbeat.list_stopped_matches(outage)[:2]) == 2
    heartbeat._known.__dict__.clear()
    assert moved(an_outage()) == 3
    assert {get_state(match).acted_at for match in matches} == {down - SECOND + outage.length}
    assert {get_state(match).version for match in matches} == {1}


def test_a_clock_that_cannot_be_moved_does_not_hold_up_the_others() -> None:
    down = last_beat(20 * SECOND)
    good, bad, fine = (timed(down - SECOND) for _ in range(3))
    with connection.cursor() as cursor:
        cursor.execute("UPDATE games_match SET acted_at = '0' WHERE id = %s", [bad.pk])
    heartbeat.store_beat()
    moved(an_outage())
    assert get_state(good).version == get_state(fine).version == 1


def test_a_heart_moves_the_clocks_before_anybody_is_admitted() -> None:
    down = last_beat(20 * SECOND)
    matches = [timed(down - SECOND) for _ in range(3)]
    heard = []

    async def start() -> None:
        heart().listeners.append(lambda: heard.append(True))
        await heart().beats()
        await end_loops()

    asyncio.run(start())
    assert [get_state(match).version for match in matches] == [1, 1, 1]
    assert Stored.objects.count() == 0
    assert heard == [True]


class CountedQueries:
    """Counts the statements on this thread's connection."""

    def __init__(self) -> None:
        self.made: list[str] = []

    def __enter__(self) -> "CountedQueries":
        self._wrapped = connection.execute_wrapper(self._note)
        self._wrapped.__enter__()
        return self

    def __exit__(self, *args: object) -> None:
        self._wrapped.__exit__(None, None, None)

    def _note(self, execute, sql, params, many, context):  # type: ignore[no-untyped-def]
        self.made.append(sql)
        return execute(sql, params, many, context)
