"""An SQLite backend whose writers in one process wait for each other on a lock.

SQLite allows one writer at a time. Other writers poll, with pauses of up to a tenth of a second: a
move that had to wait for the delivery of events waited ten times as long as the delivery took. With
a lock, the next writer continues immediately. Between processes, SQLite still polls.

The backend also remembers converted queries, which takes a fiftieth of converting them again.
"""

import threading
from functools import lru_cache
from typing import Any

from django.db.backends.sqlite3 import base

_writing = threading.Lock()


@lru_cache(maxsize=512)
def _convert_query(query: str) -> str:
    """Return the query with SQLite's placeholders instead of Django's."""
    return base.FORMAT_QMARK_REGEX.sub("?", query).replace("%%", "%")


class _Cursor(base.SQLiteCursorWrapper):
    def convert_query(self, query: str, *, param_names: Any = None) -> str:
        if param_names is not None:
            return str(super().convert_query(query, param_names=param_names))
        return _convert_query(query)


class DatabaseWrapper(base.DatabaseWrapper):
    """The class of the backend, which Django finds by this name."""

    _writes = False  # True while the transaction of this connection holds the lock

    def create_cursor(self, name: str | None = None) -> Any:
        return self.connection.cursor(factory=_Cursor)

    def _start_transaction_under_autocommit(self) -> None:
        # After a timeout, try anyway, so that SQLite raises "database is locked".
        self._writes = _writing.acquire(timeout=self.settings_dict["OPTIONS"].get("timeout", 5))
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]  # not in the stubs
        except BaseException:
            self._end()
            raise

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
