"""Copies the database into one file while the site runs."""

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
        "Copy the whole database into FILE, as of one moment, while the site runs. Only its owner "
        "may read the file. `restore` is the way back. The secret is not in it: keep that too."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="a file that is not there yet")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"].absolute()
        if file.exists():
            raise CommandError(f"{file} is there already.")
        os.nice(
            10
        )  # players come first, also before PostgreSQL's tools, which inherit the priority
        began = time.monotonic()
        try:
            descriptor, name = tempfile.mkstemp(".partial", f"{file.name}.", file.parent)
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from error
        os.close(descriptor)  # only its owner may read it, also after the tools have written to it
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
            f"Keep {_secret()} too, which is not in it: without it no match verifies."
        )


def _dump(file: Path) -> None:
    if settings.IS_SQLITE:
        sqlite.dump(Path(connection.settings_dict["NAME"]), file)
        held = sqlite.migrations(file)
    else:
        postgres.dump(file)
        held = postgres.migrations(file)
    if not held:  # it would be no use when it is needed
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
