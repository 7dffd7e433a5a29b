"""Database errors that mean that the database is unavailable for now."""

import sqlite3
from pathlib import Path

import psycopg
import pytest
from django.db import IntegrityError, InterfaceError, InternalError, OperationalError
from django.db.utils import Error, ProgrammingError
from psycopg import errors
from psycopg_pool import PoolTimeout

from games.runtime.db import Unavailable, is_unavailable


def caused(kind: type[Error], cause: Exception) -> Error:
    """An error as Django raises it."""
    error = kind(*cause.args)
    error.__cause__ = cause
    return error


def sqlite_error(statement: str, *preparation: str, file: str = ":memory:") -> Exception:
    with sqlite3.connect(file, timeout=0, isolation_level=None) as connection:
        for each in preparation:
            connection.execute(each)
        with pytest.raises(sqlite3.Error) as raised:
            connection.execute(statement)
    connection.close()
    return raised.value


def test_errors_of_sqlite(tmp_path: Path) -> None:
    write = "CREATE TABLE another (x)"
    read_only = sqlite_error(write, "PRAGMA query_only = ON")
    assert is_unavailable(caused(OperationalError, read_only))
    fill = "INSERT INTO t VALUES (zeroblob(100000))"
    full = sqlite_error(fill, "PRAGMA max_page_count = 5", "CREATE TABLE t (x)")
    assert "full" in str(full)
    assert is_unavailable(caused(OperationalError, full))
    file = str(tmp_path / "locked")
    with sqlite3.connect(file, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        assert is_unavailable(caused(OperationalError, sqlite_error(write, file=file)))
    other.close()
    gone = tmp_path / "gone"
    with pytest.raises(sqlite3.OperationalError) as raised:
        sqlite3.connect(gone / "file")
    assert is_unavailable(caused(OperationalError, raised.value))
    # Faults of the code.
    for statement in ("SELECT * FROM nowhere", "SELEKT"):
        assert not is_unavailable(caused(OperationalError, sqlite_error(statement)))
    twice = sqlite_error("INSERT INTO t VALUES (1), (1)", "CREATE TABLE t (x UNIQUE)")
    assert not is_unavailable(caused(IntegrityError, twice))


@pytest.mark.parametrize(
    ("kind", "cause", "unavailable"),
    [
        (OperationalError, errors.DiskFull(), True),
        (OperationalError, errors.AdminShutdown(), True),
        (OperationalError, PoolTimeout(), True),
        (OperationalError, psycopg.OperationalError("connection refused"), True),
        (InternalError, errors.ReadOnlySqlTransaction(), True),
        (InterfaceError, psycopg.InterfaceError("the connection is closed"), True),
        (InternalError, errors.InFailedSqlTransaction(), False),
        (ProgrammingError, errors.UndefinedTable(), False),
        (IntegrityError, errors.UniqueViolation(), False),
    ],
)
def test_errors_of_postgresql(kind: type[Error], cause: Exception, unavailable: bool) -> None:
    assert is_unavailable(caused(kind, cause)) is unavailable


def test_other_errors() -> None:
    assert is_unavailable(Unavailable())
    assert not is_unavailable(ValueError("database or disk is full"))
    assert not is_unavailable(None)
