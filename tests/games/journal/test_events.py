"""Events of matches: stored with the change, and delivered in order, at least once."""

import json
import subprocess
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.journal import events
from games.journal.requests import Request
from games.journal.transaction import commit_requests
from games.match.commands import Resign
from games.models import Event, Match
from games.review import decisions
from tests.builders import nursery
from tests.builders.matches import create_finished_match, create_match, deliver_events, play_ply
from tests.builders.ports import free_port
from tests.builders.retention import delete_old
from tests.builders.sites import MANAGE, Person, Program, Site, pair


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[Event]:
    """The events that a handler received."""
    found: list[Event] = []
    monkeypatch.setattr(events, "handlers", [found.extend])
    return found


def stored(match: Match) -> list[tuple[str, str, int | None, int | None]]:
    rows = Event.objects.filter(match=match).order_by("version")
    return list(rows.values_list("kind", "ended", "first_goal", "second_goal"))


def due_now() -> None:
    Event.objects.filter(due_at__isnull=False).update(due_at=timezone.now())


@pytest.mark.django_db
def test_a_match_that_is_played_begins_and_ends(alice: Any, bob: Any) -> None:
    match = create_finished_match("tic-tac-toe", alice, bob)
    ended = ("ended", "rules", match.first_goal, match.second_goal)
    assert stored(match) == [("began", "", None, None), ended]


@pytest.mark.django_db
def test_a_move_stores_no_event(alice: Any, bob: Any) -> None:
    match = create_match("six-in-a-row", alice, bob, plies=3)
    assert [kind for kind, *_ in stored(match)] == ["began"]


@pytest.mark.django_db
def test_decisions_and_their_reversals_are_events(
    alice: Any, bob: Any, rita: Any, sara: Any
) -> None:
    match = create_finished_match("tic-tac-toe", alice, bob)
    result = (match.first_goal, match.second_goal)
    voided = decisions.void_match(rita, match.pk, "A test.", 0)
    decisions.reverse_decision(sara, voided.pk, "It was none.")
    decisions.correct_result(rita, match.pk, "A test.", 2, (25, 75))
    assert stored(match)[2:] == [
        ("voided", "voided", 0, 0),
        ("restored", "rules", *result),
        ("corrected", "adjudicated", 25, 75),
    ]


@pytest.mark.django_db
def test_a_live_match_that_the_staff_voids_and_lets_go_on(
    alice: Any, bob: Any, rita: Any, sara: Any
) -> None:
    match = create_match("tic-tac-toe", alice, bob, plies=2)
    voided = decisions.void_match(rita, match.pk, "A test.", 0)
    decisions.reverse_decision(sara, voided.pk, "It was none.")
    play_ply(match, 2)
    commit_requests([Request(match.pk, bob.pk, Resign())])
    assert stored(match)[1:] == [
        ("voided", "voided", 0, 0),
        ("restored", "", None, None),
        ("ended", "resignation", 100, 0),
    ]


@pytest.mark.django_db
def test_a_repeat_writes_nothing(alice: Any, bob: Any) -> None:
    match = create_match("tic-tac-toe", alice, bob, plies=2)
    for _ in range(3):
        commit_requests([Request(match.pk, bob.pk, Resign())])
    assert len(stored(match)) == 2


@pytest.mark.django_db(transaction=True)
def test_events_are_delivered_once_and_in_order_per_match(
    alice: Any, bob: Any, heard: list[Event]
) -> None:
    matches = [create_finished_match("tic-tac-toe", alice, bob, seed) for seed in (1, 2)]
    deliver_events()
    for match in matches:
        assert [e.kind for e in heard if e.match_id == match.pk] == ["began", "ended"]
    assert len(heard) == 4 and not Event.objects.exclude(due_at=None).exists()


@pytest.mark.django_db
def test_more_matches_take_no_more_queries(alice: Any, bob: Any) -> None:
    counts = []
    for seeds in (range(3), range(3, 7)):
        for seed in seeds:
            create_finished_match("tic-tac-toe", alice, bob, seed)
        for kind in ("began", "ended"):
            with CaptureQueriesContext(connection) as asked:
                assert events.deliver_events() == len(seeds), kind
            counts.append(len(asked) - len(seeds))  # each lease takes one
    assert counts[:2] == counts[2:]


@pytest.mark.django_db
def test_without_events_nothing_is_written(heard: list[Event]) -> None:
    with CaptureQueriesContext(connection) as asked:
        assert events.deliver_events() == 0
    (query,) = asked.captured_queries
    assert query["sql"].startswith("SELECT")


@pytest.mark.django_db(transaction=True)
def test_a_failing_handler_delays_only_its_match(
    alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = (create_finished_match("tic-tac-toe", alice, bob, seed) for seed in (1, 2))
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)  # the first pause is only a second
    heard: list[tuple[str, str]] = []
    is_broken = True

    def handler(some: Sequence[Event]) -> None:
        if is_broken and any(event.match_id == broken.pk for event in some):
            raise ValueError("a test")
        heard.extend((event.match_id, event.kind) for event in some)

    monkeypatch.setattr(events, "handlers", [handler])
    deliver_events()
    assert set(heard) == {(sound.pk, "began"), (sound.pk, "ended")}
    held = Event.objects.get(match=broken, kind="began")
    assert held.tries == 1 and held.due_at == now + timedelta(seconds=1)
    # The later one of that match was not even tried.
    assert Event.objects.get(match=broken, kind="ended").tries == 0
    Event.objects.filter(pk=held.pk).update(tries=50)
    due_now()
    events.deliver_events()
    held.refresh_from_db()
    assert held.tries == 51 and held.due_at == now + events.LONGEST_PAUSE
    is_broken = False
    heard.clear()
    due_now()
    deliver_events()
    assert heard == [(broken.pk, "began"), (broken.pk, "ended")]


@pytest.mark.django_db(transaction=True)
def test_a_deliverer_that_lost_its_lease_stores_nothing(
    alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = create_match("tic-tac-toe", alice, bob)

    def slow(some: Sequence[Event]) -> None:
        Match.objects.filter(pk=match.pk).update(last="by a slow handler")
        Event.objects.filter(pk__in=[event.pk for event in some]).update(
            due_at=timezone.now() + timedelta(hours=1)
        )

    monkeypatch.setattr(events, "handlers", [slow])
    events.deliver_events()
    match.refresh_from_db()
    assert match.last == ""


@pytest.mark.django_db(transaction=True)
def test_old_events_are_removed_once_they_were_handed_on(
    alice: Any, bob: Any, heard: list[Event]
) -> None:
    create_finished_match("tic-tac-toe", alice, bob)
    Event.objects.update(at=timezone.now() - timedelta(days=400))
    delete_old(Event)
    assert Event.objects.count() == 2
    deliver_events()
    made = create_finished_match("tic-tac-toe", alice, bob, 2)  # lately
    deliver_events()
    delete_old(Event)
    assert [event.match_id for event in Event.objects.all()] == [made.pk] * 2


# -- with processes that die


@pytest.fixture(params=["sqlite", "postgres"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Site]:
    """A server that delivers no events."""
    port = free_port()
    env = {"SECRET_KEY": "k" * 50, "ALLOWED_ORIGINS": f"http://127.0.0.1:{port}"}
    if request.param == "postgres":
        env["DATABASE_URL"] = request.getfixturevalue("postgres_url")
    server = Site(tmp_path, env, port, command="listen")
    try:
        yield server.wait()
    finally:
        server.stop()


def finish(site: Site) -> str:
    """A finished match between two people."""
    people = [Person(site).be_guest() for _ in range(2)]
    match_id, roles = pair(*people, "tic-tac-toe")
    with roles["xplayer"].match(match_id) as x, roles["oplayer"].match(match_id) as o:
        x.ply(0)
        x.play("mark 1 1")
        o.ply(1)
        o.play("mark 2 2")
        x.ply(2)
        x.send("resign")
        x.next("state", lambda state: state["status"] == "over")
    return match_id


def delivering(site: Site, *how: str) -> subprocess.CompletedProcess[str]:
    env = {**site.env, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    return nursery.run(["-m", "tests.games.journal.event_handler", *how], env)


def test_a_crash_between_commit_and_delivery_loses_no_event(site: Site) -> None:
    match_id = finish(site)
    site.stop(9)  # the server that committed it
    died = delivering(site, "die")  # after the handler has written, before the event is done
    assert died.returncode == -9, died.stderr
    found = json.loads(delivering(site).stdout)
    mine = [(row["kind"], row["handled"]) for row in found if row["match"] == match_id]
    assert mine == [("began", 1), ("ended", 1)]


def test_the_referee_delivers_events(site: Site, tmp_path: Path) -> None:
    match_id = finish(site)
    referee = Program([*MANAGE, "referee"], tmp_path / "referee.log", env=site.env)
    try:
        waited = delivering(site, "wait", match_id)
        assert waited.returncode == 0, waited.stderr
    finally:
        referee.stop()
