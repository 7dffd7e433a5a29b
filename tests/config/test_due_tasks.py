"""Tasks whose rounds begin as soon as a check finds work for them."""

import asyncio
from datetime import timedelta

import pytest
from django.utils import timezone

from config.wiring import call_due, referee_tasks
from games.journal import events
from games.live import referee
from games.match.commands import Resign
from games.models import Match
from games.runtime.tasks import Repeated, end_loops
from games.store.heartbeat import store_beat
from games.transparency_log import log
from lobby.models import Delivery, Player, Recount, Tournament, Webhook
from lobby.ratings import recount
from lobby.tournaments import lifecycle_loop
from lobby.webhooks import deliveries
from tests.builders.matches import commit_command, create_match, deliver_events
from tests.builders.tournaments import create_tournament


def test_only_a_task_that_is_due_begins_another_round() -> None:
    rounds: list[str] = []
    due = {"first": False, "second": True}

    def task(name: str) -> Repeated:
        async def work() -> None:
            rounds.append(name)
            due[name] = False

        return Repeated(name, work, 1000.0, first=1000.0)

    async def run() -> None:
        checked = [(task(name), lambda name=name: due[name]) for name in due]
        for each, _ in checked:
            each.start()
        await asyncio.sleep(0)
        look = call_due(checked)
        await look()
        await asyncio.sleep(0.05)
        assert rounds == ["second"]
        await look()
        await asyncio.sleep(0.05)
        assert rounds == ["second"]
        await end_loops()

    asyncio.run(run())


def test_the_referee_checks_which_of_its_tasks_are_due() -> None:
    async def list_parts() -> set[str]:
        return {task._part for task in referee_tasks()}

    parts = asyncio.run(list_parts())
    assert {"due", "referee", "events", "tournaments", "webhooks", "ratings", "log"} <= parts


def test_a_match_is_due_after_its_deadline_while_the_site_is_up(
    alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_beat()
    match = create_match("tic-tac-toe", alice, bob, plies=2, clock="3+2")
    assert not referee.is_any_overdue()
    Match.objects.filter(pk=match.pk).update(deadline=timezone.now() - timedelta(seconds=5))
    assert referee.is_any_overdue()
    monkeypatch.setattr(referee, "is_up", lambda: False)
    assert not referee.is_any_overdue()


def test_an_event_and_an_entry_of_the_log_are_due_until_they_are_stored(
    alice: Player, bob: Player
) -> None:
    match = create_match("tic-tac-toe", alice, bob, plies=2)
    assert events.is_any_due()
    deliver_events()
    assert not events.is_any_due() and not log.is_any_requested()
    commit_command(match, alice.pk, Resign())
    assert events.is_any_due()
    deliver_events()
    assert not events.is_any_due() and log.is_any_requested()
    while log.append_requested():
        pass
    assert not log.is_any_requested()


def test_a_tournament_is_due_at_its_next_step_while_the_site_is_up(
    alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_beat()
    tournament = create_tournament(alice)
    assert not lifecycle_loop.is_any_due()
    Tournament.objects.filter(pk=tournament.pk).update(due_at=timezone.now())
    assert lifecycle_loop.is_any_due()
    monkeypatch.setattr(lifecycle_loop, "is_up", lambda: False)
    assert not lifecycle_loop.is_any_due()


def test_a_delivery_is_due_at_its_next_attempt(alice: Player) -> None:
    now = timezone.now()
    hook = Webhook.objects.create(
        player=alice,
        address="https://example.org/",
        of_games=True,
        of_tournaments=False,
        made_at=now,
    )
    later = now + timedelta(minutes=1)
    delivery = Delivery.objects.create(hook=hook, event="1", kind="", body="", at=now, due_at=later)
    assert not deliveries.is_any_due()
    Delivery.objects.filter(pk=delivery.pk).update(due_at=now)
    assert deliveries.is_any_due()


def test_a_replay_is_due_until_it_is_complete(db: None) -> None:
    assert not recount.is_any_scheduled()
    Recount.objects.create(game="tic-tac-toe", at=timezone.now(), lot=0)
    assert recount.is_any_scheduled()
    recount.replay_all()
    assert not recount.is_any_scheduled()
