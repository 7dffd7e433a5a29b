"""An SQLite backend whose writers wait for each other on a lock.

SQLite allows one writer at a time. Other writers poll, with pauses of up to a tenth of a second: a
move that had to wait for the delivery of events waited ten times as long as the delivery took. With
a lock, the next writer in this process continues immediately. A writer that waits for another
process polls too, but with short pauses.
"""

import sqlite3
import threading
import time
from typing import Any

from django.db import OperationalError
from django.db.backends.sqlite3 import base

_writing = threading.Lock()
_PAUSE = 0.0005  # seconds between two attempts to write while another process is writing


class DatabaseWrapper(base.DatabaseWrapper):
    """The class of the backend, which Django finds by this name."""

    _writes = False  # True while the transaction of this connection holds the lock

    def _start_transaction_under_autocommit(self) -> None:
        # After a timeout, try anyway, so that SQLite raises "database is locked".
        timeout = self.settings_dict["OPTIONS"].get("timeout", 5)
        until = time.monotonic() + timeout
        self._writes = _writing.acquire(timeout=timeout)
        try:
            self._begin(until, timeout)
        except BaseException:
            self._end()
            raise

    def _begin(self, until: float, timeout: float) -> None:
        """Begin a transaction, and retry until another process has ended its own."""
        self.connection.execute("PRAGMA busy_timeout = 0")  # so that SQLite itself does not wait
        try:
            while True:
                try:
                    super()._start_transaction_under_autocommit()  # type: ignore[misc]  # not in the stubs
                except OperationalError as error:
                    if not _is_busy(error) or time.monotonic() >= until:
                        raise
                else:
                    return
                time.sleep(_PAUSE)
        finally:
            self.connection.execute(f"PRAGMA busy_timeout = {int(timeout * 1000)}")

    def _commit(self) -> Any:
        done = super()._commit()  # type: ignore[misc]  # not in the stubs
        self._end()
        return done

    def _rollback(self) -> Any:
        try:
            return super()._rollback()  # type: ignore[misc]  # not in the stubs
        finally:
            self._end()

    def _close(self) -> Any:
        try:
            return super()._close()  # type: ignore[misc]  # not in the stubs
        finally:
            self._end()

    def _end(self) -> None:
        if self._writes:
            self._writes = False
            _writing.release()


def _is_busy(error: OperationalError) -> bool:
    code = getattr(error.__cause__, "sqlite_errorcode", 0)
    return code & 0xFF == sqlite3.SQLITE_BUSY
