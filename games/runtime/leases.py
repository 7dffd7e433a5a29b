"""Leases on rows of work, each of which only one process at a time may take.

A column of the row has the time at which the work is due. A process that takes the row moves that
time into the future, and moves it again while it works. If the process dies, the time passes, and
another process takes the row. Null means that there is no work.

Two processes may still work on the same row if one of them was delayed for longer than its lease.
Their writes must therefore be safe to repeat, or be guarded by the lease itself (`held`).
"""

from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.utils import timezone
from msgspec import Struct

M = TypeVar("M", bound=Model)


class Lease(Struct, frozen=True):
    """The leases of one kind of row: the column, and the length of a lease."""

    column: str
    length: timedelta

    def due(self, rows: QuerySet[M], now: datetime) -> QuerySet[M]:
        """Return the rows that are due."""
        return rows.filter(**{f"{self.column}__lte": now})

    def held(self, rows: QuerySet[M], until: datetime | None) -> QuerySet[M]:
        """Return the rows that still have this lease, because no other process has taken them."""
        return rows.filter(**{self.column: until})

    def take(
        self, rows: QuerySet[M], seen: datetime | None, now: datetime | None = None
    ) -> datetime | None:
        """Take a row whose column had the value `seen`, and return the end of the lease.

        Return None if another process was faster. Rows that are taken with the same `now` have the
        same lease.
        """
        until = (now or timezone.now()) + self.length
        return until if self.held(rows, seen).update(**{self.column: until}) else None

    def renew(self, rows: QuerySet[M], **more: Any) -> bool:
        """Let the lease of a row end `length` from now. Return False if the row has no work."""
        wanted = rows.filter(**{f"{self.column}__isnull": False})
        return bool(wanted.update(**{self.column: timezone.now() + self.length}, **more))

    def end(self, rows: QuerySet[M], **more: Any) -> int:
        """Mark the work in these rows as done, and return the number of rows."""
        return rows.update(**{self.column: None}, **more)
