"""Deliveries are created once per event, and retried."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.utils import timezone

from games.models import Event
from games.review import decisions
from lobby.accounts import encryption
from lobby.accounts.guests import new_guest
from lobby.accounts.merging import merge_guest
from lobby.models import Delivery, Player, Webhook
from lobby.privacy import personal_data
from lobby.privacy.account_deletion import delete_due_accounts, schedule_deletion
from lobby.webhooks import deliveries, registration
from lobby.webhooks.deliveries import PAUSES, lease_deliveries, store_outcome
from lobby.webhooks.outbox import notify_of_games
from tests.builders.matches import create_finished_match, create_match, deliver_events
from tests.builders.players import create_player, create_players
from tests.builders.retention import delete_old
from tests.builders.tournaments import (
    create_tournament,
    join_players,
    play_tournament,
    start_tournament,
)

pytestmark = pytest.mark.django_db
ADDRESS = "https://example.org/in"


def hook(owner: Player, games: bool = True, tournaments: bool = True) -> int:
    return registration.register_webhook(owner.pk, ADDRESS, games, tournaments).id


def told(hook_id: int) -> list[str]:
    return list(Delivery.objects.filter(hook=hook_id).order_by("at", "id").values_list(
        "kind", flat=True))  # fmt: skip


@pytest.fixture
def anna() -> Player:
    made: Player = create_player("Anna")
    return made


@pytest.fixture
def bert() -> Player:
    made: Player = create_player("Bert")
    return made


@pytest.fixture
def due(anna: Player) -> Iterator[Webhook]:
    """Create a hook with one delivery that is due."""
    found = Webhook.objects.get(pk=hook(anna))
    tell(found, "one")
    yield found


def tell(to: Webhook, name: str) -> None:
    now = timezone.now()
    Delivery.objects.create(hook=to, event=name, kind="match.began", body="{}", at=now, due_at=now)


def pass_by(time: timedelta) -> None:
    """Move the stored times back by this much."""
    Delivery.objects.filter(due_at__isnull=False).update(due_at=F("due_at") - time)
    Delivery.objects.update(at=F("at") - time)
    Webhook.objects.filter(failing_since__isnull=False).update(
        failing_since=F("failing_since") - time
    )


def test_the_players_own_games_page(anna: Player, bert: Player) -> None:
    mine, theirs, deaf = hook(anna), hook(bert), hook(anna, games=False)
    other = hook(create_player("Carla"))
    match = create_finished_match("tic-tac-toe", anna, bert)
    deliver_events()
    assert told(mine) == told(theirs) == ["match.began", "match.ended"]
    assert told(deaf) == told(other) == []
    first = Delivery.objects.filter(hook=mine).order_by("at").first()
    assert first is not None
    body = json.loads(first.body)
    assert (body["id"], body["kind"]) == (first.pk, "match.began")
    assert body["match"]["id"] == match.pk
    assert body["match"]["url"].endswith(f"/match/{match.pk}/")
    decisions.void_match(create_player("rita", "senior reviewer"), match.pk, "So.", 0)
    deliver_events()
    assert told(mine) == ["match.began", "match.ended", "match.voided"]


def test_a_repeated_event_is_delivered_once(anna: Player, bert: Player) -> None:
    mine = hook(anna)
    create_match("tic-tac-toe", anna, bert)
    deliver_events()
    before = list(Delivery.objects.values())
    notify_of_games(list(Event.objects.all()))
    assert list(Delivery.objects.values()) == before
    assert told(mine) == ["match.began"]


def test_the_games_of_a_guest_who_has_an_account(anna: Player, bert: Player) -> None:
    guest = new_guest()
    match = create_match("tic-tac-toe", guest, bert)
    deliver_events()
    mine = hook(anna)
    merge_guest(guest.pk, anna.pk)
    decisions.void_match(create_player("rita", "senior reviewer"), match.pk, "So.", 0)
    deliver_events()
    assert told(mine) == ["match.voided"]


def test_an_organisers_hook_gets_tournament_events() -> None:
    players = create_players(4)
    mine, other = hook(players[0], games=False), hook(players[1], games=False)
    tournament = create_tournament(players[0], "round-robin")
    join_players(tournament, players)
    start_tournament(tournament)
    play_tournament(tournament)
    assert told(other) == []
    rounds = ["tournament.round"] * 3
    assert sorted(told(mine)) == sorted(["tournament.began", *rounds, "tournament.over"])
    bodies = [json.loads(each.body) for each in Delivery.objects.filter(hook=mine)]
    assert {body["tournament"]["id"] for body in bodies} == {tournament.pk}
    numbers = [body["tournament"].get("round") for body in bodies]
    assert sorted(number for number in numbers if number) == [1, 2, 3]


def test_a_tournament_that_is_called_off() -> None:
    (organiser,) = create_players(1)
    mine = hook(organiser)
    start_tournament(create_tournament(organiser, "swiss"))
    assert told(mine) == ["tournament.called-off"]


def test_only_open_accounts_have_webhooks(anna: Player, settings: Any) -> None:
    from games.messages.refusal import Refused

    settings.WEBHOOKS_PER_ACCOUNT = 2
    with pytest.raises(Refused, match="not-allowed"):
        hook(new_guest())
    with pytest.raises(Refused, match="hook-kinds"):
        hook(anna, games=False, tournaments=False)
    with pytest.raises(Refused, match="hook-private"):
        registration.register_webhook(anna.pk, "https://127.0.0.1/", True, True)
    hook(anna)
    hook(anna)
    with pytest.raises(Refused, match="too-many-hooks"):
        hook(anna)


def test_the_secret_is_stored_encrypted(anna: Player) -> None:
    made = registration.register_webhook(anna.pk, ADDRESS, True, False)
    row = Webhook.objects.get()
    assert made.text not in str(Webhook.objects.values())
    assert encryption.decrypt(row.secret) == made.text
    (stored,) = personal_data.webhooks(frozenset({anna.pk}))
    assert "secret" not in stored


def test_a_delivery_is_taken_by_one(due: Webhook) -> None:
    (taken,) = lease_deliveries(10)
    assert (taken.hook_id, taken.address) == (due.pk, ADDRESS)
    assert lease_deliveries(10) == []
    store_outcome(taken, "")
    assert Delivery.objects.get().due_at is None
    due.refresh_from_db()
    assert due.heard_at is not None
    pass_by(timedelta(days=2))
    assert lease_deliveries(10) == []


def test_a_kill_before_the_outcome_is_stored_loses_nothing(due: Webhook) -> None:
    (first,) = lease_deliveries(10)
    pass_by(deliveries.LEASE.length)
    (second,) = lease_deliveries(10)
    assert second.id == first.id and second.until != first.until
    store_outcome(first, "timeout")  # it was only delayed, and another process now has the delivery
    assert Delivery.objects.get().tries == 0
    store_outcome(second, "")
    store_outcome(first, "timeout")
    row = Delivery.objects.get()
    assert (row.due_at, row.tries, row.given_up) == (None, 0, False)


def test_a_slow_hook_does_not_delay_others(due: Webhook, bert: Player) -> None:
    for number in range(20):
        tell(due, f"more {number}")
    other = Webhook.objects.get(pk=hook(bert))
    tell(other, "theirs")
    assert sorted(each.hook_id for each in lease_deliveries(2)) == sorted([due.pk, other.pk])
    assert lease_deliveries(10, busy=[due.player_id]) == []
    assert [each.hook_id for each in lease_deliveries(10)] == [due.pk]


def test_taking_does_not_scan_a_backlog(due: Webhook) -> None:
    few = steps_of_taking()
    now = timezone.now()
    Delivery.objects.bulk_create(
        Delivery(hook=due, event=str(i), kind="match.began", body="{}", at=now, due_at=now)
        for i in range(3000)
    )
    assert steps_of_taking() < 2 * few


def steps_of_taking() -> int:
    """Return the database steps that a check takes while the only account is busy."""
    owners, seen = list(Player.objects.values_list("pk", flat=True)), []
    connection.connection.set_progress_handler(lambda: seen.append(1), 1)
    try:
        assert lease_deliveries(10, busy=owners) == []
    finally:
        connection.connection.set_progress_handler(None, 0)
    return len(seen)


def test_two_hooks_of_one_account_are_one_after_the_other(due: Webhook, anna: Player) -> None:
    tell(Webhook.objects.get(pk=hook(anna)), "theirs")
    (first,) = lease_deliveries(10)
    assert (first.owner_id, lease_deliveries(10, busy=[anna.pk])) == (anna.pk, [])
    (second,) = lease_deliveries(10)
    assert first.hook_id != second.hook_id


def test_a_suspended_account_gets_no_deliveries(due: Webhook, anna: Player, bert: Player) -> None:
    tell(Webhook.objects.get(pk=hook(bert)), "theirs")
    rita = create_player("rita", "senior reviewer")
    decisions.suspend_player(rita, anna.pk, "So.", decisions.get_number(player_id=anna.pk), None)
    assert [each.owner_id for each in lease_deliveries(10)] == [bert.pk]
    row = Delivery.objects.get(hook=due)
    assert (row.due_at, row.given_up, row.fault) == (None, True, "suspended")


def test_a_disabled_hook_gets_no_deliveries(due: Webhook, anna: Player) -> None:
    Player.objects.filter(pk=anna.pk).update(is_active=False)
    assert lease_deliveries(10) == []
    assert not deliveries.get_pending_deliveries(due.pk).exists()


def test_a_failing_delivery_is_retried_for_a_day_and_dropped(due: Webhook) -> None:
    for pause in PAUSES:
        (taken,) = lease_deliveries(10)
        store_outcome(taken, "status-500")
        assert lease_deliveries(10) == []
        pass_by(pause - timedelta(seconds=5))
        assert lease_deliveries(10) == []
        pass_by(timedelta(seconds=5))
    (taken,) = lease_deliveries(10)
    store_outcome(taken, "timeout")
    row = Delivery.objects.get()
    assert (row.tries, row.given_up, row.due_at, row.fault) == (6, True, None, "timeout")
    assert sum(PAUSES, timedelta()) >= timedelta(days=1)
    due.refresh_from_db()
    assert due.off_at is None  # after one day, not several
    assert [each.pk for each in registration.list_dropped_deliveries(due.pk)] == [row.pk]


def give_up(found: Webhook, name: str) -> None:
    tell(found, name)
    for pause in (*PAUSES, timedelta()):
        (taken,) = lease_deliveries(10)
        store_outcome(taken, "timeout")
        pass_by(pause)


def test_after_days_of_failures_it_is_switched_off(anna: Player, bert: Player) -> None:
    found = Webhook.objects.get(pk=hook(anna))
    for day in range(3):
        give_up(found, f"day {day}")
        found.refresh_from_db()
        assert found.off_at is None or day == 2
    assert found.off_at is not None
    create_finished_match("tic-tac-toe", anna, bert)
    deliver_events()
    assert not deliveries.get_pending_deliveries(found.pk).exists()
    assert registration.enable_webhooks(registration.get_webhooks(anna.pk)) == 1
    create_match("tic-tac-toe", anna, bert)
    deliver_events()
    assert deliveries.get_pending_deliveries(found.pk).count() == 1


def test_a_success_in_between_keeps_a_hook_enabled(anna: Player) -> None:
    found = Webhook.objects.get(pk=hook(anna))
    for day in range(5):
        give_up(found, f"day {day}")
        tell(found, f"good {day}")
        (taken,) = lease_deliveries(10)
        store_outcome(taken, "")
    found.refresh_from_db()
    assert (found.off_at, found.failing_since) == (None, None)


def test_a_receiver_that_answers_gone_gets_no_more(due: Webhook) -> None:
    tell(due, "two")
    (taken,) = lease_deliveries(10)
    store_outcome(taken, deliveries.GONE)
    due.refresh_from_db()
    assert due.off_at is not None
    assert lease_deliveries(10) == []
    assert Delivery.objects.filter(given_up=True).count() == 2


def test_a_closed_account_has_no_webhooks(due: Webhook, anna: Player) -> None:
    (taken,) = lease_deliveries(10)
    schedule_deletion(anna.pk)
    Player.objects.filter(pk=anna.pk).update(closing_at=timezone.now())
    delete_due_accounts()
    assert not Webhook.objects.exists() and not Delivery.objects.exists()
    store_outcome(taken, "")  # it was being sent
    store_outcome(taken, "timeout")
    assert not Delivery.objects.exists()


def test_old_deliveries_are_swept(due: Webhook) -> None:
    (taken,) = lease_deliveries(10)
    store_outcome(taken, "")
    tell(due, "waits")
    pass_by(timedelta(days=6))
    delete_old(Delivery)
    assert Delivery.objects.count() == 2
    pass_by(timedelta(days=2))
    delete_old(Delivery)
    assert [each.event for each in Delivery.objects.all()] == ["waits"]
