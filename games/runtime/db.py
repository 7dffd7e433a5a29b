"""The threads on which this process uses the database outside of pages.

One thread is for matches and their sockets, one for pairing, presence and tournaments, one for
reads that can take long, and one for chores. Each keeps one connection open, so a query does not
wait for a pool, and waits for a new connection only at first and after a failure.

The module also has functions for retries, for transactions that do not wait for the disk, and for
work with a lower priority than players' actions.
"""

import asyncio
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.utils import Error

from games.runtime.batcher import Batcher
from games.runtime.fair_queue import Requester
from games.runtime.metrics import count_database_error
from games.runtime.per_loop import PerLoop

T = TypeVar("T")

_lock = threading.Lock()
_threads: dict[str, ThreadPoolExecutor] = {}


# SQLite errors that depend on the machine: a locked, read-only or unreadable file, a full disk, or
# no memory. Other errors, such as a missing table, are faults of the program.
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
_READ_ONLY = "25006"  # PostgreSQL's SQLSTATE for a write to a read-only database


class Unavailable(Exception):  # noqa: N818  # an expected outcome, not an error
    """The work was not done, usually because the database was unavailable in two attempts."""


def is_unavailable(error: BaseException | None) -> bool:
    """Return whether the error means that the database is unreachable, locked, full or read-only.

    The same request may then succeed later.
    """
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
    """Skip a non-essential write, such as a time of last use, if the database is unavailable.

    Do not use it within a transaction.
    """
    try:
        yield
    except Error as error:
        if not is_unavailable(error):
            raise
        count_database_error(error)


async def in_db(work: Callable[..., T], *args: object) -> T:
    """Run `work(*args)` on the thread for matches and their sockets.

    Raise `Unavailable` if two attempts fail, as the other `in_db_…` functions do.
    """
    return await asyncio.get_running_loop().run_in_executor(
        _thread("db"), run_with_retry, work, *args
    )


def in_db_with_callback(
    done: Callable[[Future[T]], None], work: Callable[..., T], *args: object
) -> None:
    """Run work as `in_db` does, and call `done` with the finished future on this event loop.

    `done` is not called if the loop has been closed meanwhile. An `await` would cost twice as much,
    and another round of the event loop. Raise `RuntimeError` if the thread has been stopped.
    """
    asked = _thread("db").submit(run_with_retry, work, *args)
    asked.add_done_callback(partial(_call_back, asyncio.get_running_loop(), done))


def _call_back(
    loop: asyncio.AbstractEventLoop, done: Callable[[Future[T]], None], asked: Future[T]
) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(done, asked)


async def in_db_for_reading(work: Callable[..., T], *args: object) -> T:
    """Run a read that can take long on the thread for such reads.

    Actions in matches do not wait for that thread.
    """
    reader = _thread("db-reader")
    return await asyncio.get_running_loop().run_in_executor(reader, _yielding, work, *args)


async def in_db_for_chores(work: Callable[..., T], *args: object) -> T:
    """Run a chore on the thread for chores. It may take long and may write.

    Neither pages nor actions in matches wait for that thread, but exports of accounts do.
    """
    keeper = _thread("db-chores")
    return await asyncio.get_running_loop().run_in_executor(keeper, _yielding, work, *args)


async def in_db_for_people(work: Callable[..., T], *args: object) -> T:
    """Run work for pairing, presence or tournaments on the thread for this work.

    This work does not wait for chores, and actions in matches do not wait for this work.
    """
    return await asyncio.get_running_loop().run_in_executor(
        _thread("db-people"), _yielding, work, *args
    )


async def in_db_round_robin(requester: Requester, work: Callable[..., T], *args: object) -> T:
    """Run work as `in_db_for_people` does, one task at a time and round-robin between requesters.

    Other work waits for at most one of these tasks, even if a requester sends many.
    """
    result: T = await _turns().ask(partial(work, *args), requester)
    return result


class _Turns(Batcher[Callable[[], Any], Any]):
    """The tasks of `in_db_round_robin` on one event loop."""

    def __init__(self) -> None:
        super().__init__("turns", self._do, lost=Unavailable, most=1, each=1, skips_gone=True)

    async def _do(self, pieces: list[Callable[[], Any]]) -> Sequence[Any]:
        (piece,) = pieces
        try:
            return [await in_db_for_people(piece)]
        except Exception as error:
            return [error]  # raised again for the requester


_turns = PerLoop(_Turns)


def run_with_retry(work: Callable[..., T], *args: object) -> T:
    """Run work that is one transaction, and retry it once if the database is unavailable.

    Raise `Unavailable` if the second attempt fails with a database error too.
    """
    try:
        return work(*args)
    except Error as error:
        if not isinstance(error, OperationalError | InterfaceError) and not is_unavailable(error):
            raise
        count_database_error(error)
        connection.close()
        try:
            return work(*args)
        except Error as second:
            count_database_error(second)
            connection.close()
            raise Unavailable from second


def _yielding(work: Callable[..., T], *args: object) -> T:
    with background_priority():
        return run_with_retry(work, *args)


@contextmanager
def atomic_without_fsync() -> Iterator[None]:
    """Open a transaction that does not wait for the disk.

    A power cut may lose it, so use it for data of short-term value, such as presence, or for writes
    that are repeated if they are lost. Later commits are as durable as usual, and so is the commit
    of an outer transaction.
    """
    if connection.vendor == "postgresql" and not connection.in_atomic_block:
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
    """Stop the threads and close their connections. Later work starts new threads."""
    with _lock:
        threads = list(_threads.values())
        _threads.clear()
    for thread in threads:
        thread.submit(_disconnect).result()
        thread.shutdown()


def _disconnect() -> None:
    connection.close()  # runs on the thread that owns the connection


# The switch interval while background work is running, in seconds: a tenth of Python's default.
_SOON = 0.0005

_priority_lock = threading.Lock()
_working = 0
_usual = sys.getswitchinterval()


@contextmanager
def background_priority() -> Iterator[None]:
    """Mark the work in this context as not urgent.

    Python lets a thread keep the interpreter's lock for 5 ms (the switch interval) while others are
    waiting for it, and handling a player's action passes the lock on three times. With a few
    threads that render pages, this adds up to a tenth of a second. While a background thread is
    working, the interval is therefore half a millisecond. Otherwise the interval keeps its default,
    because frequent switches reduce the number of actions that a full server can handle.
    """
    _count(1)
    try:
        yield
    finally:
        _count(-1)


def _count(more: int) -> None:
    global _working  # noqa: PLW0603  # the interval is global to the process too
    with _priority_lock:
        _working += more
        if _working == max(more, 0):  # the first thread has begun, or the last one has ended
            sys.setswitchinterval(_SOON if _working else _usual)
