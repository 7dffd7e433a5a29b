"""Statements that PostgreSQL prepares, so that it parses and plans them once.

Django's own cursors put the parameters into the text of a statement. For a batch of actions,
parsing and planning then takes longer than everything else.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, LiteralString, cast

import psycopg
from django.db import connection


def execute_prepared(statement: str, parameters: Sequence[Any]) -> psycopg.Cursor[tuple[Any, ...]]:
    """Carry out a statement, in the caller's transaction if there is one, and return its cursor."""
    connection.ensure_connection()
    with connection.wrap_database_errors:
        cursor = psycopg.Cursor(connection.connection)
        return cursor.execute(cast(LiteralString, statement), parameters)


@contextmanager
def one_round_trip() -> Iterator[None]:
    """Send the statements of this context together.

    If one fails, PostgreSQL skips the others, and the error is raised at the end of the context at
    the latest. Until then, the cursors have no results and no row counts.
    """
    connection.ensure_connection()
    with connection.wrap_database_errors, connection.connection.pipeline():
        yield
