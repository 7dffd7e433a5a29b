"""Queries that are compiled to SQL once and not at each call.

Django takes some 0.3 ms to compile a query, ten times what the database needs for a few rows by
key. Opening a match's socket takes ten such queries: 4 ms, or 1.2 ms if they are prepared.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.db.models import QuerySet

_MAX_KEPT_KEYS = 2048  # a query with more keys is compiled each time
_MAX_EXACT_KEYS = 4  # up to this number of keys, each number has a query of its own


class PreparedQuery:
    """A query by keys, such as primary keys.

    `make` takes keys and returns a values query in which nothing else changes between calls. A call
    with keys returns the rows as Django would, and a call without keys returns no rows. Repeated
    keys count once.
    """

    def __init__(self, make: Callable[[Sequence[Any]], QuerySet[Any, Any]], of: type = int) -> None:
        self._make = make
        self._of = of  # the type of the keys
        self._known: dict[tuple[str, int], _Statement] = {}

    def __call__(self, keys: Collection[Any]) -> Iterator[tuple[Any, ...]]:
        wanted = list(dict.fromkeys(keys))
        if not wanted:
            return iter(())
        # Pad the keys to a few sizes, so that few queries are compiled. A repeated key finds no
        # more rows.
        wanted += wanted[-1:] * (_rounded(len(wanted)) - len(wanted))
        known = (connection.vendor, len(wanted))
        statement = self._known.get(known)
        if statement is None:
            marks = [_make_mark(self._of, n) for n in range(len(wanted))]
            statement = _Statement(self._make(marks), marks)
            if len(wanted) <= _MAX_KEPT_KEYS:
                self._known[known] = statement
        return statement.rows(wanted)


class FixedQuery:
    """A query in which only some values change between calls, and not their number.

    `make` takes a value of each of the types, which are int, str and datetime, and returns a values
    query. A call with such values returns the rows as Django would.
    """

    def __init__(self, make: Callable[..., QuerySet[Any, Any]], *types: type) -> None:
        self._make = make
        self._types = types
        self._known: dict[str, _Statement] = {}

    def __call__(self, *values: Any) -> Iterator[tuple[Any, ...]]:
        statement = self._known.get(connection.vendor)
        if statement is None:
            marks = [_make_mark(of, n) for n, of in enumerate(self._types)]
            statement = _Statement(self._make(*marks), _adapt(marks))
            self._known[connection.vendor] = statement
        return statement.rows(_adapt(values))


def _make_mark(of: type, number: int) -> Any:
    """Return a value that does not occur in a query otherwise, another one for each number."""
    if of is datetime:
        return datetime(9000, 1, 1, microsecond=number, tzinfo=UTC)
    return of(f"9{number:015}")


def _adapt(values: Sequence[Any]) -> list[Any]:
    """Return the values as the database gets them."""
    adapt = connection.ops.adapt_datetimefield_value
    return [adapt(value) if isinstance(value, datetime) else value for value in values]


def _rounded(number: int) -> int:
    """Return the number itself up to `_MAX_EXACT_KEYS`, otherwise the next power of two."""
    return number if number <= _MAX_EXACT_KEYS else 1 << (number - 1).bit_length()


class _Statement:
    def __init__(self, query: QuerySet[Any, Any], marks: list[Any]) -> None:
        compiler = query.query.get_compiler(connection=connection)
        self._sql, self._parameters = compiler.as_sql()
        indexes = {mark: index for index, mark in enumerate(marks)}
        self._places = [
            (place, indexes[value])
            for place, value in enumerate(self._parameters)
            if value in indexes
        ]
        selected = [one[0] for one in compiler.select]
        self._converters = [
            (place, _hasten(convert), expression)
            for place, (converters, expression) in compiler.get_converters(selected).items()
            for convert in converters
        ]

    def rows(self, values: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
        parameters = list(self._parameters)
        for place, index in self._places:
            parameters[place] = values[index]
        with connection.cursor() as cursor:
            cursor.execute(self._sql, parameters)
            found = cursor.fetchall()
        return map(self._converted, found) if self._converters else iter(found)

    def _converted(self, row: Sequence[Any]) -> tuple[Any, ...]:
        values = list(row)
        for place, convert, expression in self._converters:
            values[place] = convert(values[place], expression, connection)
        return tuple(values)


def _hasten(convert: Callable[..., Any]) -> Callable[..., Any]:
    """Return a faster function than Django's for the times of SQLite, or the function itself."""
    ops = connection.ops
    is_slow = convert == getattr(ops, "convert_datetimefield_value", None)
    if not is_slow or connection.vendor != "sqlite" or connection.timezone is not UTC:
        return convert

    def make_aware(value: Any, expression: Any, used: Any) -> Any:
        if type(value) is datetime and value.tzinfo is None:
            return value.replace(tzinfo=UTC)
        return convert(value, expression, used)

    return make_aware
