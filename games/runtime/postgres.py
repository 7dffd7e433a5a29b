"""Statements that PostgreSQL prepares, so that it parses and plans them once.

Django's own cursors put the parameters into the text of a statement. For a batch of actions,
parsing and planning then takes longer than everything else.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import connection


def execute_prepared(statement: str, parameters: Sequence[Any]) -> Any:
    """Carry out a statement, in the caller's transaction if there is one.

    Return its cursor (`psycopg.Cursor`). The connection must be open.
    """
    # Not imported, because a server on SQLite does without psycopg, which takes 9 MB.
    psycopg = connection.Database
    with connection.wrap_database_errors:
        return psycopg.Cursor(connection.connection).execute(statement, parameters)


@contextmanager
def one_round_trip() -> Iterator[None]:
    """Send the statements of this context together.

    If one fails, PostgreSQL skips the others, and the error is raised at the end of the context at
    the latest. Until then, the cursors have no results and no row counts. The connection must be
    open.
    """
    with connection.wrap_database_errors, connection.connection.pipeline():
        yield
