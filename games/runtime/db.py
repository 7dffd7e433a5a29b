"""The threads of this process that speak to the database for the sockets: one that does all that
matters at once, one at which long readings do not keep the others waiting, one that keeps house.

One connection each, that stays open: no hop to a pool, no connection made anew for each query, and
on SQLite no two writers of one process in each other's way.
"""

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction

from games.runtime.metrics import database_failed
from games.runtime.per_loop import PerLoop
from games.runtime.turntaking import Asker, Line

T = TypeVar("T")

_lock = threading.Lock()
_threads: dict[str, ThreadPoolExecutor] = {}


class Unavailable(Exception):  # noqa: N818  # an answer to people, not a fault of theirs
    """The database cannot be reached, twice in a row."""


async def at_desk(work: Callable[..., T], *args: object) -> T:
    """Run `work(*args)` on the desk's thread. Raises `Unavailable` when the database is away."""
    return await asyncio.get_running_loop().run_in_executor(_desk("desk"), twice, work, *args)


async def at_reading_desk(work: Callable[..., T], *args: object) -> T:
    """The same for what only reads, and for which no player waits."""
    return await asyncio.get_running_loop().run_in_executor(_desk("reader"), twice, work, *args)


async def at_housekeeping(work: Callable[..., T], *args: object) -> T:
    """The same for chores, which may take long: no player waits for this thread."""
    return await asyncio.get_running_loop().run_in_executor(_desk("keeper"), twice, work, *args)


async def in_turn(asker: Asker, work: Callable[..., T], *args: object) -> T:
    """As `at_desk`, for what many may ask for at once: one piece of work at a time, and the askers
    take turns. So all of them together delay what else is done at the desk by one piece."""
    return await _counter().serve(asker, partial(work, *args))


class _Counter:
    """Those of one event loop who wait for their turn."""

    def __init__(self) -> None:
        self._waiting: Line[tuple[Callable[[], Any], asyncio.Future[Any]]] = Line()
        self._serving: asyncio.Task[None] | None = None

    async def serve(self, asker: Asker, work: Callable[[], T]) -> T:
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.put(asker, (work, future))
        if self._serving is None or self._serving.done():
            self._serving = asyncio.ensure_future(self._serve())
        return await future

    async def _serve(self) -> None:
        while self._waiting:
            ((work, future),) = self._waiting.take(1, 1)
            if future.done():  # whoever asked is gone
                continue
            try:
                result = await at_desk(work)
            except Exception as error:  # whatever it is, whoever asked is told
                if not future.done():
                    future.set_exception(error)
            else:
                if not future.done():
                    future.set_result(result)


_counter = PerLoop(_Counter)


def twice(work: Callable[..., T], *args: object) -> T:
    """Run a piece of work that is one transaction; once more if the connection failed under it."""
    try:
        return work(*args)
    except (OperationalError, InterfaceError) as error:
        database_failed(error)
        connection.close()
        try:
            return work(*args)
        except DatabaseError as second:
            database_failed(second)
            connection.close()
            raise Unavailable from second


@contextmanager
def lightly() -> Iterator[None]:
    """A transaction that nobody waits for the disk with: what a power cut may take, because it is
    about who is here just now. What is committed later is not less safe for it."""
    if connection.vendor == "postgresql":
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL synchronous_commit = off")
            yield
        return
    if connection.in_atomic_block or settings.SQLITE_SYNCHRONOUS != "FULL":
        with transaction.atomic():
            yield
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous = NORMAL")
    try:
        with transaction.atomic():
            yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous = FULL")


def _desk(name: str) -> ThreadPoolExecutor:
    with _lock:
        if name not in _threads:
            _threads[name] = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        return _threads[name]


def close_desks() -> None:
    """End the threads and their connections; the next piece of work opens another."""
    with _lock:
        threads = list(_threads.values())
        _threads.clear()
    for thread in threads:
        thread.submit(_disconnect).result()
        thread.shutdown()


def _disconnect() -> None:
    connection.close()  # looked up here, on the thread whose connection it is
