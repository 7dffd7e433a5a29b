"""On PostgreSQL, only the database threads keep a connection, and each keeps only one."""

import asyncio
import gc
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.contrib.auth import login
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, connections
from django.http import HttpRequest
from django.test import override_settings

from config.environment import _DB_THREADS, Environment
from config.server.page_handler import FairSemaphore, QueueFull
from config.server.websocket import Inbox
from games.runtime.db import close_db_threads, in_db
from games.store.sessions import SessionStore
from lobby.accounts.guests import new_guest

PATHS = {
    "/": 200,
    "/nowhere/": 404,
    "/match/nowhere/": 404,
    "/seek/nowhere/": 404,
    "/fails/400/": 400,
    "/fails/403/": 403,
    "/fails/500/": 500,
    "/admin/": 302,
    "/accounts/login/": 200,
    "/healthz": 200,
    "/readyz": 200,
}


@pytest.fixture(autouse=True)
def db_threads_end() -> Iterator[None]:
    yield
    close_db_threads()


def guest_cookie() -> bytes:
    """The cookie of a guest, because error pages once queried the guest's name."""
    request = HttpRequest()
    request.session = SessionStore()
    login(request, new_guest())
    request.session.save()
    connection.close()
    return f"{settings.SESSION_COOKIE_NAME}={request.session.session_key}".encode()


async def status_of(application: Any, cookie: bytes, path: str, method: str = "GET") -> int:
    """Request a page as the server does. Return its status."""
    heard: list[dict[str, Any]] = []
    inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    inbox.put_nowait({"type": "http.request", "body": b""})
    scope = {
        "type": "http", "method": method, "path": path, "query_string": b"", "scheme": "http",
        "headers": [(b"host", b"localhost"), (b"cookie", cookie)],
        "client": ("127.0.0.1", 1),
    }  # fmt: skip

    async def send(event: dict[str, Any]) -> None:
        heard.append(event)

    await application(scope, inbox.get, send)
    return int(heard[0]["status"])


def holders(executor: ThreadPoolExecutor) -> list[str]:
    """Return the executor's threads that keep a connection."""
    threads = len(executor._threads)
    together = threading.Barrier(threads)

    def look() -> str | None:
        together.wait(10)  # so that each thread runs one of them
        return threading.current_thread().name if connection.connection is not None else None

    asked = [executor.submit(look) for _ in range(threads)]
    return [name for each in asked if (name := each.result(10))]


@pytest.mark.django_db(transaction=True)
@override_settings(ROOT_URLCONF="tests.config.failing_urls")
def test_no_thread_of_any_pool_but_the_databases_keeps_a_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from config.asgi import application

    postgres = Environment({"DATABASE_URL": "postgres://localhost/site"}).database(Path())
    kept = postgres["CONN_MAX_AGE"]
    monkeypatch.setitem(connections.databases["default"], "CONN_MAX_AGE", kept)

    cookie = guest_cookie()

    async def walk() -> list[str]:
        for _ in range(3):
            asked = [status_of(application, cookie, path) for path in PATHS]
            assert await asyncio.gather(*asked) == list(PATHS.values())
            assert await status_of(application, cookie, "/guest/", "POST") == 403  # no token
        lobby = WebsocketCommunicator(application, "/ws/lobby/")
        lobby.scope["headers"] = [(b"origin", settings.ALLOWED_ORIGINS[0].encode())]
        lobby.scope["extensions"] = {
            "websocket.frame": lambda frame: None,
            "websocket.inbox": Inbox(asyncio.get_running_loop()),
        }
        await lobby.connect()
        await lobby.disconnect()
        await in_db(connection.ensure_connection)
        await asyncio.to_thread(len, "")  # the event loop's own pool, which the limits use
        # type(), because isinstance would make the lazy objects of requests query the database.
        pools = [each for each in gc.get_objects() if issubclass(type(each), ThreadPoolExecutor)]
        assert any(each._thread_name_prefix == "page" for each in pools)
        found = []
        for pool in pools:
            if not pool._shutdown and pool._threads:
                found += holders(pool)
        return found

    found = asyncio.run(walk())
    assert found, "the database thread's own is seen"
    assert {name.rpartition("_")[0] for name in found} <= {
        *("db", "db-reader", "db-chores", "db-people")
    }
    assert len(found) < _DB_THREADS


@pytest.mark.parametrize(("pool", "threads"), [("", 6), ("6", 1), ("20", 15)])
def test_the_pool_has_a_connection_for_each_thread(pool: str, threads: int) -> None:
    env = Environment({"DATABASE_POOL_SIZE": pool} if pool else {})
    assert env.page_threads(int(pool or 11)) == threads


def test_more_threads_than_connections_are_refused_in_one_line() -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_POOL_SIZE must be at least 13"):
        Environment({"PAGE_THREADS": "8"}).page_threads(11)
    assert Environment({"PAGE_THREADS": "8"}).page_threads(None) == 8


def test_client_networks_take_turns_and_none_has_more_than_half() -> None:
    async def order() -> list[str]:
        semaphore, going = FairSemaphore(4, 10), []

        async def wants(who: str) -> None:
            await semaphore.acquire(who)
            going.append(who)

        waiting = [asyncio.ensure_future(wants(who)) for who in "aaaaaabbc"]
        for _ in waiting:
            await asyncio.sleep(0)
        assert going == ["a", "a", "b", "b"]
        for who in "abab":
            semaphore.release(who)
            for _ in waiting:
                await asyncio.sleep(0)
        return going[4:]

    assert asyncio.run(order()) == ["a", "c", "a"]  # the fourth slot is not for network a


def test_who_waits_too_often_is_told_and_who_leaves_is_forgotten() -> None:
    async def go() -> None:
        semaphore = FairSemaphore(1, 2)
        first = semaphore.acquire("a")
        second, third = semaphore.acquire("a"), semaphore.acquire("a")
        with pytest.raises(QueueFull):
            semaphore.acquire("a")
        other = semaphore.acquire("b")
        semaphore.cancel("a", second)
        semaphore.release("a")
        assert first.done()
        assert third.done() != other.done()
        semaphore.cancel("a", third)
        semaphore.cancel("b", other)
        assert semaphore.acquire("c").done()

    asyncio.run(go())
