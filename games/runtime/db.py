"""The threads on which this process uses the database for its sockets.

One is for matches and their sockets, one for pairing people and storing who is here, one for long
reads, and one for chores. Each keeps one connection open, so no query waits for a pool or for a new
connection.
"""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction
from django.db.utils import Error

from games.runtime.background_priority import background_priority
from games.runtime.batcher import Batcher
from games.runtime.fair_queue import Requester
from games.runtime.metrics import count_database_error
from games.runtime.per_loop import PerLoop

T = TypeVar("T")

_lock = threading.Lock()
_threads: dict[str, ThreadPoolExecutor] = {}


# Errors of SQLite that depend on the machine: locked, out of memory, read-only, failing or full
# disk, and a file that cannot be opened. Faults of ours, such as a missing table, are others.
_SQLITE_UNAVAILABLE = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL,
}
_READ_ONLY = "25006"  # the SQLSTATE of PostgreSQL for writes to a database that takes none


class Unavailable(Exception):  # noqa: N818  # an answer to people, not a fault of theirs
    """The database could not be reached, twice in a row."""


def is_unavailable(error: BaseException | None) -> bool:
    """Return whether the error means that the database is unreachable, locked, full or read-only.
    The same request may succeed later."""
    if isinstance(error, Unavailable):
        return True
    if not isinstance(error, Error):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in _SQLITE_UNAVAILABLE
    if isinstance(error, OperationalError | InterfaceError):
        return True
    return getattr(cause, "sqlstate", None) == _READ_ONLY


@contextmanager
def optional_write() -> Iterator[None]:
    """Skip a write that can be left out, such as when something was last used, if the database
    cannot be used for now. Not for use in a transaction."""
    try:
        yield
    except Error as error:
        if not is_unavailable(error):
            raise
        count_database_error(error)


async def in_db(work: Callable[..., T], *args: object) -> T:
    """Run `work(*args)` on the database thread. Raises `Unavailable` if the database is away."""
    return await asyncio.get_running_loop().run_in_executor(
        _thread("db"), run_with_retry, work, *args
    )


async def in_db_for_reading(work: Callable[..., T], *args: object) -> T:
    """The same for long reads that no player waits for."""
    reader = _thread("db-reader")
    return await asyncio.get_running_loop().run_in_executor(reader, _yielding, work, *args)


async def in_db_for_chores(work: Callable[..., T], *args: object) -> T:
    """The same for chores, which may take long and write: no player waits for this thread."""
    keeper = _thread("db-chores")
    return await asyncio.get_running_loop().run_in_executor(keeper, _yielding, work, *args)


async def in_db_for_people(work: Callable[..., T], *args: object) -> T:
    """The same for pairing people, and for storing who is here: it does not stand behind chores,
    and no action in a match stands behind it."""
    return await asyncio.get_running_loop().run_in_executor(
        _thread("db-people"), _yielding, work, *args
    )


async def in_db_round_robin(requester: Requester, work: Callable[..., T], *args: object) -> T:
    """Run work as `in_db_for_people` does, one piece at a time and in turn between the requesters.
    Other work waits for at most one piece of theirs, however much they request."""
    result: T = await _turns().ask(partial(work, *args), requester)
    return result


class _Turns(Batcher[Callable[[], Any], Any]):
    """The pieces of work of one event loop that take turns."""

    def __init__(self) -> None:
        super().__init__("turns", self._do, lost=Unavailable, most=1, each=1, skips_gone=True)

    async def _do(self, pieces: list[Callable[[], Any]]) -> Sequence[Any]:
        (piece,) = pieces
        try:
            return [await in_db_for_people(piece)]
        except Exception as error:
            return [error]  # raised for whoever asked


_turns = PerLoop(_Turns)


def run_with_retry(work: Callable[..., T], *args: object) -> T:
    """Run a piece of work that is one transaction; run it once more if the connection fails."""
    try:
        return work(*args)
    except Error as error:
        if not isinstance(error, OperationalError | InterfaceError) and not is_unavailable(error):
            raise
        count_database_error(error)
        connection.close()
        try:
            return work(*args)
        except DatabaseError as second:
            count_database_error(second)
            connection.close()
            raise Unavailable from second


def _yielding(work: Callable[..., T], *args: object) -> T:
    with background_priority():
        return run_with_retry(work, *args)


@contextmanager
def atomic_without_fsync() -> Iterator[None]:
    """A transaction that does not wait for the disk. A power cut may lose it, so it is for what
    matters only for a while, such as who is here now. Later commits are as safe as ever."""
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


def _thread(name: str) -> ThreadPoolExecutor:
    with _lock:
        if name not in _threads:
            _threads[name] = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        return _threads[name]


def close_db_threads() -> None:
    """End the threads and their connections; the next piece of work starts a new thread."""
    with _lock:
        threads = list(_threads.values())
        _threads.clear()
    for thread in threads:
        thread.submit(_disconnect).result()
        thread.shutdown()


def _disconnect() -> None:
    connection.close()  # looked up here, on the thread whose connection it is
