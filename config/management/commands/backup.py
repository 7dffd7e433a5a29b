"""Copy the database into one file while the site runs."""

import contextlib
import os
import tempfile
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.utils import timezone

from config.backup import folder, postgres, sqlite
from config.monitoring import get_machine
from games.models import LastBackup


class Command(BaseCommand):
    help = (
        "Copy the whole database into FILE while the site runs; `restore` copies it back. Without "
        "FILE, the backup goes into the folder `backups` in DATA_DIR. Only its owner can read the "
        "file. It does not contain the secret key: keep that as well."
    )

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
            file: Path = options["file"] or folder.choose_file()
        except OSError as error:
            raise CommandError(
                f"{folder.get_folder()} cannot be created: {error.strerror}."
            ) from error
        file = file.absolute()
        if file.exists():
            raise CommandError(f"{file} already exists.")
        self._back_up(file)
        if keep is not None and (deleted := folder.delete_older(keep)):
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
