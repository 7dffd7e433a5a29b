"""Backup and restore with SQLite's online backup, which works while other processes write."""

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import structlog
from django.core.management import CommandError

from config import file_permissions

log = structlog.get_logger(__name__)

SIGNATURE = b"SQLite format 3\0"
_LOCK_SECONDS = 60.0  # seconds to wait for other writers
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def dump(database: Path, file: Path) -> None:
    """Copy the database into an existing, empty file, and check the copy.

    The copy has the state of the database at the start. Meanwhile, writers continue in SQLite's
    WAL. Raise `CommandError` if this fails.
    """
    with _in_words(f"{database} cannot be copied"):
        with closing(_open(database)) as source, closing(_open(file)) as copy:
            # Copy in one step, because a commit between two steps would restart the backup.
            source.backup(copy)
            # Use no WAL, so that the copy is a single file.
            copy.execute("PRAGMA journal_mode = DELETE")
        check(file)


def check(file: Path) -> None:
    """Raise `CommandError` if the file is damaged or cannot be read."""
    with _in_words(f"{file} cannot be read"), closing(_open(file)) as copy:
        (found,) = copy.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise CommandError(f"{file} is damaged: {found}.")


def migrations(file: Path) -> set[tuple[str, str]]:
    """Return the migrations that are applied in the backup, as pairs of an app and a name.

    The result is empty if the backup has no table of migrations.
    """
    table = "SELECT 1 FROM sqlite_master WHERE name = 'django_migrations'"
    with _in_words(f"{file} cannot be read"), closing(_open(file)) as copy:
        if copy.execute(table).fetchone() is None:
            return set()
        return set(copy.execute("SELECT app, name FROM django_migrations"))


def put_in_place(file: Path, database: Path) -> None:
    """Replace the content of the database with the backup, in one transaction.

    If the process is killed before the end, nothing changes. Programs that have the database open
    see the new content. If the database is too damaged for a transaction, it is renamed and a new
    database is created. Raise `CommandError` if the database stays locked or cannot be written.
    """
    file_permissions.create_database_file(database)
    with _in_words(f"{database} cannot be written"):
        try:
            _overwrite(file, database)
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode not in _DAMAGED:
                raise
            _set_aside(database)
            _overwrite(file, database)


def _overwrite(file: Path, database: Path) -> None:
    until = time.monotonic() + _LOCK_SECONDS

    def waited(status: int, remaining: int, total: int) -> None:
        if remaining and time.monotonic() > until:
            raise CommandError(f"{database} is in use: it stayed locked for {_LOCK_SECONDS:.0f} s.")

    with closing(_open(file)) as source, closing(_open(database)) as target:
        source.backup(target, progress=waited)
        target.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _set_aside(database: Path) -> None:
    ending = f".damaged-{datetime.now(UTC):%Y%m%d-%H%M%S}"
    for path in file_permissions.sqlite_files(database):
        with contextlib.suppress(FileNotFoundError):
            path.rename(path.with_name(path.name + ending))
    log.warning("damaged database renamed", path=f"{database}{ending}")
    file_permissions.create_database_file(database)


def _open(path: Path) -> sqlite3.Connection:
    """Open an existing database."""
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True, timeout=20)


@contextlib.contextmanager
def _in_words(what: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise CommandError(f"{what}: {error}.") from error
