"""Files that only their owner may read: the SQLite database, the secret key, backups.

Collected static files lie beside them. Everybody may read those, because a proxy serves them.
"""

import contextlib
import os
from pathlib import Path

import structlog
from django.core.exceptions import ImproperlyConfigured

log = structlog.get_logger(__name__)

_FILE, _FOLDER = 0o600, 0o700
_BESIDE = ("", "-wal", "-shm", "-journal")  # the files that SQLite keeps for a database


def create_private_folder(path: Path) -> None:
    """Make the folder if it does not exist. An existing folder keeps its mode."""
    path.mkdir(mode=_FOLDER, parents=True, exist_ok=True)


def create_private_file(path: Path) -> int:
    """Make an empty file; gives a descriptor for writing. Raises FileExistsError."""
    return os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _FILE)


def sqlite_files(database: Path) -> list[Path]:
    """The file of an SQLite database, and those that SQLite keeps beside it."""
    return [database.with_name(database.name + ending) for ending in _BESIDE]


def create_database_file(database: Path) -> None:
    """Make the file of the SQLite database before SQLite does, which would let the umask decide who
    may read it. SQLite gives its other files the same mode. Raises `ImproperlyConfigured`."""
    try:
        create_private_folder(database.parent)
        with contextlib.suppress(FileExistsError):
            os.close(create_private_file(database))
    except OSError as error:
        raise ImproperlyConfigured(f"The database {database} cannot be made: {error}.") from error


def restrict_to_owner(paths: list[Path]) -> None:
    """Let only their owner read these files, and log those that others could read."""
    for path in paths:
        try:
            mode = path.stat().st_mode & 0o777
            if mode & ~_FOLDER:
                path.chmod(mode & _FOLDER)
                log.warning("closed to others", path=str(path), was=f"{mode:o}")
        except FileNotFoundError:
            pass
        except PermissionError:
            log.warning("others can read it", path=str(path), why="it belongs to another user")
