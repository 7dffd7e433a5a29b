"""The one thread of this process that speaks to the database for the sockets.

One thread and one connection that stays open: no hop to a pool, no connection made anew for each
query, and on SQLite no two writers of one process in each other's way.
"""

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction

from games.metrics import database_failed

T = TypeVar("T")

_lock = threading.Lock()
_thread: ThreadPoolExecutor | None = None


class Unavailable(Exception):  # noqa: N818  # an answer to people, not a fault of theirs
    """The database cannot be reached, twice in a row."""


async def at_desk(work: Callable[..., T], *args: object) -> T:
    """Run `work(*args)` on the desk's thread. Raises `Unavailable` when the database is away."""
    return await asyncio.get_running_loop().run_in_executor(_desk(), twice, work, *args)


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


def _desk() -> ThreadPoolExecutor:
    global _thread  # noqa: PLW0603  # the process has one desk
    with _lock:
        if _thread is None:
            _thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="desk")
        return _thread


def close_desk() -> None:
    """End the thread and its connection; the next piece of work opens another."""
    global _thread
    with _lock:
        thread, _thread = _thread, None
    if thread is not None:
        thread.submit(_disconnect).result()
        thread.shutdown()


def _disconnect() -> None:
    connection.close()  # looked up here, on the thread whose connection it is
