"""Leases: work that is a row of the database, taken by one process at a time.

A column of the row says from when on the work is to be taken up. Whoever takes it moves that moment
on, and again and again while it lasts. A process that dies moves it no more, so when the moment
comes another process takes the work. Null means that there is nothing to do.

Two processes may still work at the same row, if one was held up for longer than its lease. So what
they store must be safe to repeat, or proved by the lease itself (`held`).
"""

from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.utils import timezone
from msgspec import Struct

M = TypeVar("M", bound=Model)


class Lease(Struct, frozen=True):
    """The leases of one kind of row: their column, and how long one lasts unless it is renewed."""

    column: str
    length: timedelta

    def due(self, rows: QuerySet[M], now: datetime) -> QuerySet[M]:
        """Those of the rows that are to be taken up."""
        return rows.filter(**{f"{self.column}__lte": now})

    def held(self, rows: QuerySet[M], until: datetime | None) -> QuerySet[M]:
        """Those of the rows whose column still says so: nobody has taken them since."""
        return rows.filter(**{self.column: until})

    def take(
        self, rows: QuerySet[M], seen: datetime | None, now: datetime | None = None
    ) -> datetime | None:
        """Take a row whose column was `seen`; until when it is ours. None where another was faster.

        Rows that are taken with the same `now` have the same lease.
        """
        until = (now or timezone.now()) + self.length
        return until if self.held(rows, seen).update(**{self.column: until}) else None

    def renew(self, rows: QuerySet[M], **more: Any) -> bool:
        """Hold a row for another `length`. False where there is nothing to do in it any more."""
        wanted = rows.filter(**{f"{self.column}__isnull": False})
        return bool(wanted.update(**{self.column: timezone.now() + self.length}, **more))

    def end(self, rows: QuerySet[M], **more: Any) -> int:
        """There is nothing to do in these rows any more; how many there were."""
        return rows.update(**{self.column: None}, **more)
