"""The delivery loop with a real receiver, several senders, and crashes."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from queue import Queue
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from games.runtime.db import close_db_threads
from lobby.accounts import encryption
from lobby.accounts.one_time_secrets import NewSecret
from lobby.models import Delivery, Player, Webhook
from lobby.webhooks import registration
from lobby.webhooks.deliveries import (
    GONE,
    LeasedDelivery,
    Sending,
    attempt_delivery,
    lease_deliveries,
)
from lobby.webhooks.delivery_request import AT_ONCE
from tests.builders.players import create_player
from tests.builders.sites import PATIENCE, ROOT
from tests.builders.webhooks import Receiver, is_signed

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _anywhere(settings: Any) -> Iterator[None]:
    settings.WEBHOOKS_TO_PRIVATE_NETWORKS = True
    yield
    close_db_threads()


def tell(hook_id: int, name: str) -> None:
    now = timezone.now()
    Delivery.objects.create(
        hook_id=hook_id, event=name, kind="match.began", body="{}", at=now, due_at=now
    )


def make(there: Receiver, owner: Player) -> NewSecret:
    return registration.register_webhook(owner.pk, there.address, True, False)


def run(*senders: Sending, rounds: int = 100) -> None:
    """Run the senders concurrently until nothing is due or being sent."""

    async def work(one: Sending) -> None:
        for _ in range(rounds):
            pause = await one()
            while one._tries.keys:  # noqa: ASYNC110  # the loop has no event for it
                await asyncio.sleep(0.01)
            if pause is None:
                return

    async def all_of_them() -> None:
        await asyncio.gather(*map(work, senders))

    asyncio.run(all_of_them())


def test_a_delivery_arrives_signed(there: Receiver) -> None:
    made = make(there, create_player("Anna"))
    tell(made.id, "one")
    run(Sending())
    (got,) = there.got
    row = Delivery.objects.get()
    assert is_signed(got, made.text)
    assert not is_signed(got, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    assert got.headers["webhook-id"] == row.pk
    assert row.due_at is None and not row.given_up


def test_a_failure_is_tried_again_with_the_same_id(there: Receiver) -> None:
    made = make(there, create_player("Anna"))
    tell(made.id, "one")
    there.answers = [500]
    run(Sending())
    row = Delivery.objects.get()
    assert (row.tries, row.fault) == (1, "status-500")
    assert row.due_at is not None and row.due_at > timezone.now()
    Delivery.objects.update(due_at=timezone.now())
    run(Sending())
    assert len(there.got) == 2
    assert len({got.headers["webhook-id"] for got in there.got}) == 1
    assert all(is_signed(got, made.text) for got in there.got)
    assert Delivery.objects.get().due_at is None


def test_two_senders_send_each_once(there: Receiver) -> None:
    hooks = [make(there, create_player(f"Player {number}")).id for number in range(6)]
    for number in range(4):
        for hook_id in hooks:
            tell(hook_id, f"event {number}")
    run(Sending(), Sending(), Sending())
    assert len(there.got) == 24
    assert set(Counter(got.headers["webhook-id"] for got in there.got).values()) == {1}
    assert not Delivery.objects.filter(due_at__isnull=False).exists()


def test_another_process_follows_one_killed_after_sending(there: Receiver) -> None:
    made = make(there, create_player("Anna"))
    tell(made.id, "one")
    (taken,) = lease_deliveries(1)
    assert asyncio.run(attempt_delivery(taken)) == ""  # the process dies here
    run(Sending())
    assert len(there.got) == 1  # its lease has not expired
    Delivery.objects.update(due_at=timezone.now())
    run(Sending())
    assert len({got.headers["webhook-id"] for got in there.got}) == 1
    assert len(there.got) == 2
    assert Delivery.objects.get().due_at is None


def test_a_delivery_survives_a_kill_during_sending(there: Receiver) -> None:
    made = make(there, create_player("Anna"))
    tell(made.id, "one")
    started: Queue[subprocess.Popen[bytes]] = Queue()
    there.hold = lambda: started.get().kill()  # when the request has arrived, before any response
    server = subprocess.Popen([sys.executable, "-c", SERVER], cwd=ROOT, env=environment())
    started.put(server)
    assert server.wait(60) == -signal.SIGKILL
    row = Delivery.objects.get()
    assert row.due_at is not None and row.due_at > timezone.now()
    there.hold = lambda: None
    Delivery.objects.update(due_at=timezone.now())  # its lease has expired
    run(Sending())
    first, second = there.got
    assert first.headers["webhook-id"] == second.headers["webhook-id"] == row.pk
    assert first.body == second.body
    assert is_signed(first, made.text) and is_signed(second, made.text)
    assert Delivery.objects.get().due_at is None


SERVER = """
import asyncio, django
django.setup()
from lobby.webhooks.deliveries import Sending
async def send():
    sending = Sending()
    await sending()
    await asyncio.wait(list(sending._tries._tasks.values()))
asyncio.run(send())
"""


def environment() -> dict[str, str]:
    """Return the environment for a process that uses the test's database."""
    here = connection.settings_dict
    place = f"{here['USER']}@{here['HOST']}:{here['PORT']}/{here['NAME']}"
    is_sqlite = connection.vendor == "sqlite"
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "DATABASE_URL": f"sqlite:///{here['NAME']}" if is_sqlite else f"postgres://{place}",
        "SECRET_KEY": settings.SECRET_KEY,
        "WEBHOOKS_TO_PRIVATE_NETWORKS": "on",
    }


def test_slow_receivers_are_limited_and_hold_no_database_connection(there: Receiver) -> None:
    go_on = threading.Event()
    there.hold = lambda: go_on.wait(20)
    for number in range(AT_ONCE + 3):
        tell(make(there, create_player(f"Player {number}")).id, "one")
    sending = Sending()

    async def work() -> None:
        await sending()
        async with asyncio.timeout(10):
            while len(there.got) < AT_ONCE:  # noqa: ASYNC110  # another thread counts
                await asyncio.sleep(0.02)
        await sending()
        assert len(sending._tries.keys) == len(there.got) == AT_ONCE
        # The background thread is free and holds no transaction.
        assert len(await asyncio.wait_for(asyncio.to_thread(_write), 10)) == 1
        go_on.set()
        while sending._tries.keys or await sending():  # noqa: ASYNC110
            await asyncio.sleep(0.02)

    try:
        asyncio.run(work())
    finally:
        go_on.set()
    assert len(there.got) == AT_ONCE + 3


def _tell(hook_id: int) -> None:
    try:
        tell(hook_id, "theirs")
    finally:
        connection.close()


def _write() -> list[Any]:
    try:
        return [create_player("Somebody else")]
    finally:
        connection.close()


def test_names_that_resolve_to_private_addresses_get_nothing(
    there: Receiver, settings: Any
) -> None:
    settings.WEBHOOKS_TO_PRIVATE_NETWORKS = False
    address = f"https://parlour.example:{there.port}/"
    made = registration.register_webhook(create_player("Anna").pk, address, True, False)
    tell(made.id, "one")
    asked = []

    def names(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"]

    run(Sending(names))
    assert (asked, there.got) == (["parlour.example"], [])
    assert Delivery.objects.get().fault == "private"


def test_responses_decide_the_outcome(there: Receiver) -> None:
    make(there, create_player("Anna"))
    secret = Webhook.objects.get().secret
    until = timezone.now()
    taken = LeasedDelivery("msg_x", 1, 1, until, there.address, secret, "{}")
    there.answers = [200, 299, 301, 404, 410]
    found = [asyncio.run(attempt_delivery(taken)) for _ in range(5)]
    assert found == ["", "", "status-301", "status-404", GONE]
    unread = LeasedDelivery("msg_x", 1, 1, until, there.address, "no token of Fernet", "{}")
    assert asyncio.run(attempt_delivery(unread)) == "unread"


def test_a_delivery_that_cannot_be_sent_is_eventually_dropped(there: Receiver) -> None:
    tell(make(there, create_player("Anna")).id, "one")

    def names(host: str, port: int) -> list[str]:
        raise RuntimeError("a fault of ours")

    run(Sending(names))
    row = Delivery.objects.get()
    assert (row.tries, row.fault) == (1, "broken")


def test_names_that_are_slow_to_look_up_fail_nobody_else(there: Receiver, monkeypatch: Any) -> None:
    """Even an account with many such names has only one resolution in progress."""
    monkeypatch.setattr("lobby.webhooks.delivery_request.SECONDS", 0.2)
    evil, good = create_player("Evil"), make(there, create_player("Anna"))
    for number in range(AT_ONCE):
        address = f"http://slow{number}.example:{there.port}/"
        found = Webhook.objects.create(
            player=evil, address=address, of_games=True, of_tournaments=False,
            secret=encryption.encrypt("whsec_eA=="), made_at=timezone.now(),
        )  # fmt: skip
        tell(found.pk, "one")
    go_on, looked = threading.Event(), []

    def names(host: str, port: int) -> list[str]:
        if host.startswith("slow"):
            looked.append(host)
            go_on.wait(20)
        return ["127.0.0.1"]

    async def work() -> None:
        sending = Sending(names)
        await sending()
        async with asyncio.timeout(20):
            while not looked:  # noqa: ASYNC110  # another thread counts
                await asyncio.sleep(0.02)
            await asyncio.sleep(0.5)  # the attempt has ended, but its resolution has not
            monkeypatch.setattr("lobby.webhooks.delivery_request.SECONDS", PATIENCE)
            await asyncio.to_thread(_tell, good.id)
            while not there.got:
                await sending()
                await asyncio.sleep(0.02)
        assert len(looked) == 1
        go_on.set()
        while sending._tries.keys:  # noqa: ASYNC110
            await asyncio.sleep(0.02)

    try:
        asyncio.run(work())
    finally:
        go_on.set()
    assert len(there.got) == 1
    assert Delivery.objects.get(hook__address__startswith=f"http://{looked[0]}").fault == "timeout"
