"""Writing transactions of one process wait for each other in this process.

SQLite lets one transaction write at a time. Those that wait ask again and again, up to a tenth of a
second apart: a move that met the delivery of events waited ten times as long as that took. Here
they wait for a lock, and go on at once when it is free. Between processes SQLite's own way holds.
"""

import threading
from typing import Any

from django.db.backends.sqlite3 import base

_writing = threading.Lock()


class DatabaseWrapper(base.DatabaseWrapper):
    """The backend; Django finds it by this name."""

    _writes = False  # this connection's transaction holds the lock

    def _start_transaction_under_autocommit(self) -> None:
        # Whoever waits in vain tries all the same: SQLite then says that the database is locked.
        self._writes = _writing.acquire(timeout=self.settings_dict["OPTIONS"].get("timeout", 5))
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]  # not in the stubs
        except BaseException:
            self._end()
            raise

    def _commit(self) -> Any:
        done = super()._commit()  # type: ignore[misc]
        self._end()
        return done

    def _rollback(self) -> Any:
        try:
            return super()._rollback()  # type: ignore[misc]
        finally:
            self._end()

    def _close(self) -> Any:
        try:
            return super()._close()  # type: ignore[misc]
        finally:
            self._end()

    def _end(self) -> None:
        if self._writes:
            self._writes = False
            _writing.release()
