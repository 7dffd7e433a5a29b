"""Files that only their owner may read: the SQLite database, the secret key and backups.

The modes of the collected static files, in the same folder, are not restricted, because a proxy may
serve these files.
"""

import contextlib
import os
from pathlib import Path

import structlog
from django.core.exceptions import ImproperlyConfigured

log = structlog.get_logger(__name__)

_FILE, _FOLDER = 0o600, 0o700
_BESIDE = ("", "-wal", "-shm", "-journal")  # the suffixes of the files of an SQLite database


def create_private_folder(path: Path) -> None:
    """Create the folder if it does not exist. The mode of an existing folder is not changed."""
    path.mkdir(mode=_FOLDER, parents=True, exist_ok=True)


def create_private_file(path: Path) -> int:
    """Create an empty file, and return its descriptor. Raise `FileExistsError` if it exists."""
    return os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _FILE)


def sqlite_files(database: Path) -> list[Path]:
    """Return the paths of an SQLite database and of the files that SQLite keeps beside it."""
    return [database.with_name(database.name + ending) for ending in _BESIDE]


def create_database_file(database: Path) -> None:
    """Create the file of the SQLite database if it does not exist.

    Raise `ImproperlyConfigured` if this fails. SQLite would create the file with a mode that
    depends on the umask. Other files that SQLite creates get the mode of this file.
    """
    try:
        create_private_folder(database.parent)
        with contextlib.suppress(FileExistsError):
            os.close(create_private_file(database))
    except OSError as error:
        raise ImproperlyConfigured(
            f"The database {database} cannot be created: {error}."
        ) from error


def restrict_to_owner(paths: list[Path]) -> None:
    """Remove other users' permissions from the given files. Files that do not exist are ignored.

    Log each change, and each file that belongs to another user and cannot be changed.
    """
    for path in paths:
        try:
            mode = path.stat().st_mode & 0o777
            if mode & ~_FOLDER:
                path.chmod(mode & _FOLDER)
                log.warning("file permissions restricted", path=str(path), was=f"{mode:o}")
        except FileNotFoundError:
            pass
        except PermissionError:
            log.warning("file readable by others", path=str(path), reason="owned by another user")
