"""Statements that PostgreSQL prepares, so that it parses and plans them once.

Django's own cursors put the parameters into the text of a statement. With a statement for each
row, parsing and planning took two fifths of PostgreSQL's time for a batch of actions.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from django.db import connection

if TYPE_CHECKING:  # a server on SQLite does without psycopg, which takes 9 MB
    from psycopg import Cursor


def execute_prepared(statement: str, parameters: Sequence[Any]) -> "Cursor[tuple[Any, ...]]":
    """Carry out a statement, in the caller's transaction if there is one, and return its cursor.

    The connection must be open.
    """
    psycopg: Any = connection.Database  # type: ignore[attr-defined]  # only backends have it
    with connection.wrap_database_errors:
        cursor: Cursor[tuple[Any, ...]] = psycopg.Cursor(connection.connection)
        return cursor.execute(statement, parameters)


@contextmanager
def one_round_trip() -> Iterator[None]:
    """Send the statements of this context together. The connection must be open.

    If one fails, PostgreSQL skips the others, and the error is raised at the end of the context at
    the latest. Until then, the cursors have no results and no row counts.
    """
    with connection.wrap_database_errors, connection.connection.pipeline():
        yield
