"""Copy the database into one file while the site runs."""

import os
import tempfile
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.db import connection

from config.backup import postgres, sqlite


class Command(BaseCommand):
    help = (
        "Copy the whole database into FILE while the site runs; `restore` copies it back. Only its "
        "owner can read the file. It does not contain the secret key: keep that as well."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", metavar="FILE", type=Path, help="a file that does not exist yet"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"].absolute()
        if file.exists():
            raise CommandError(f"{file} already exists.")
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
        raise CommandError("There is no site in this database: see DATABASE_URL and DATA_DIR.")


def _to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _secret() -> str:
    kept = settings.DATA_DIR / "secret-key"
    return "SECRET_KEY" if os.environ.get("SECRET_KEY") else str(kept)
