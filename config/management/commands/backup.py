"""Copy the database into one file while the site runs.

This module also lists the backups in their default folder, and deletes the oldest ones on request.
"""

import contextlib
import os
import re
import tempfile
import time
from argparse import ArgumentParser
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.utils import timezone

from config import file_permissions
from config.backup import postgres, sqlite
from config.monitoring import get_machine
from games.models import LastBackup


class Command(BaseCommand):
    help = (
        "Copy the whole database into FILE while the site runs; `restore` copies it back. Without "
        "FILE, the backup goes into the folder `backups` in DATA_DIR. Only its owner can read the "
        "file. It does not contain the secret key: keep that as well."
    )
    requires_system_checks: list[str] = []  # they import all pages; servers run them

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", metavar="FILE", type=Path, nargs="?", help="a file that does not exist yet"
        )
        parser.add_argument(
            "--keep",
            metavar="NUMBER",
            type=int,
            help="afterwards delete all but the newest NUMBER backups in the folder; not with FILE",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        keep: int | None = options["keep"]
        if keep is not None and (options["file"] or keep < 1):
            raise CommandError("--keep takes a number from 1, and no FILE.")
        try:
            file: Path = options["file"] or choose_file()
        except OSError as error:
            raise CommandError(f"{get_folder()} cannot be created: {error.strerror}.") from error
        file = file.absolute()
        if file.exists():
            raise CommandError(f"{file} already exists.")
        self._back_up(file)
        if keep is not None and (deleted := delete_older(keep)):
            self.stdout.write(f"Deleted {deleted} older; the newest {keep} are kept.")

    def _back_up(self, file: Path) -> None:
        os.nice(10)  # give way to players; PostgreSQL's tools inherit the priority
        began = time.monotonic()
        try:
            descriptor, name = tempfile.mkstemp(".partial", f"{file.name}.", file.parent)
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from error
        os.close(descriptor)  # the tools write to the existing file, which keeps its mode
        partial = Path(name)
        try:
            _dump(partial)
            _to_disk(partial)
            partial.rename(file)
            _to_disk(file.parent)
        finally:
            partial.unlink(missing_ok=True)
        _record(file)
        took, size = time.monotonic() - began, file.stat().st_size / 1e6
        self.stdout.write(f"Backed up to {file}: {size:.1f} MB in {took:.1f} s.")
        self.stdout.write(
            f"Also keep {_secret()}, which is not in it: without it no match can be verified."
        )


def _dump(file: Path) -> None:
    if settings.IS_SQLITE:
        sqlite.dump(Path(connection.settings_dict["NAME"]), file)
        held = sqlite.migrations(file)
    else:
        postgres.dump(file)
        held = postgres.migrations(file)
    if not held:  # an empty backup must fail here, not when it is restored
        raise CommandError(
            f"There is no site in this database ({_name()}): start the site once, or set "
            "DATABASE_URL or DATA_DIR to those of the running site."
        )


def _record(file: Path) -> None:
    """Store the time of the backup for the status page."""
    done = {"at": timezone.now(), "machine": get_machine(), "file": str(file)[-500:]}
    # Before an update, the table may not exist, and the backup itself is more important.
    with contextlib.suppress(DatabaseError):
        LastBackup.objects.update_or_create(pk=1, defaults={**done, "bytes": file.stat().st_size})


def _name() -> str:
    return str(connection.settings_dict["NAME"])


def _to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _secret() -> str:
    kept = settings.DATA_DIR / "secret-key"
    return "SECRET_KEY" if os.environ.get("SECRET_KEY") else str(kept)


# The names of the files that this command may delete.
_NAME = re.compile(r"\d{4}-\d\d-\d\d-\d{6}(-\d+)?\.backup")
_PARTIAL = re.compile(rf"{_NAME.pattern}\..*\.partial")
_ABANDONED = 24 * 60 * 60  # seconds after which an unfinished file must belong to a killed process


def get_folder() -> Path:
    """Return the default folder for backups, which may not exist yet."""
    folder: Path = settings.DATA_DIR / "backups"
    return folder.absolute()


def choose_file() -> Path:
    """Return the path for a new backup in the default folder, named after the current time in UTC.

    Create the folder if it does not exist.
    """
    folder = get_folder()
    file_permissions.create_private_folder(folder)
    stem = f"{datetime.now(UTC):%Y-%m-%d-%H%M%S}"
    file, number = folder / f"{stem}.backup", 2
    while file.exists():
        file, number = folder / f"{stem}-{number}.backup", number + 1
    return file


def list_backups() -> list[Path]:
    """Return the complete backups in the default folder, newest first."""
    try:
        found = [path for path in get_folder().iterdir() if _NAME.fullmatch(path.name)]
    except FileNotFoundError:
        return []
    return sorted(found, key=_get_time, reverse=True)


def _get_time(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:  # another process has deleted the file meanwhile
        return 0.0


def delete_older(keep: int) -> int:
    """Delete all but the newest `keep` backups in the default folder.

    Return the number of deleted backups. Unfinished files of killed processes are deleted too, but
    not counted.
    """
    surplus = list_backups()[keep:]
    now = time.time()
    abandoned = [
        path
        for path in get_folder().iterdir()
        if _PARTIAL.fullmatch(path.name) and now - _get_time(path) > _ABANDONED
    ]
    for path in (*surplus, *abandoned):
        # Another process may delete the file at the same time.
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
    return len(surplus)
