"""Replaces the database by a backup, brings it to this version, and verifies every match."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.db import connection

from config.backup import postgres, restoring, sqlite


class Command(BaseCommand):
    help = (
        "Replace the whole database by the content of FILE, which `backup` made here or elsewhere, "
        "bring it to this version of the site and verify every match. What is in the database now "
        "is lost. Refused while a site runs on it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="what `backup` has written")
        parser.add_argument(
            "--force",
            action="store_true",
            help="although a site is running: its players see errors for a moment, then the past",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"].absolute()
        _must_fit(file)
        if not options["force"]:
            restoring.must_not_run()
        if settings.IS_SQLITE:
            database = Path(connection.settings_dict["NAME"])
            sqlite.check(file)
            restoring.must_be_known(sqlite.migrations(file))
            sqlite.put_in_place(file, database)
        else:
            restoring.must_be_known(postgres.migrations(file))
            postgres.put_in_place(file)
        call_command("migrate", interactive=False, verbosity=0)
        restoring.begin_history()
        self.stdout.write(f"Restored from {file}.")
        try:
            call_command("verify_matches", stdout=self.stdout)
        except CommandError as error:
            raise CommandError(
                f"The backup is in place, but {error} If SECRET_KEY is not the one of its time, "
                "that is why: set that one, or name it in SECRET_KEY_FALLBACKS."
            ) from error


def _must_fit(file: Path) -> None:
    """Raises `CommandError` if the file is no backup of the same kind of database."""
    try:
        with file.open("rb") as opened:
            begins = opened.read(len(sqlite.SIGNATURE))
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}.") from error
    is_of = {"SQLite": sqlite.SIGNATURE, "PostgreSQL": postgres.SIGNATURE}
    here = "SQLite" if settings.IS_SQLITE else "PostgreSQL"
    for name, signature in is_of.items():
        if begins.startswith(signature):
            if name != here:
                raise CommandError(f"{file} is a backup of {name}, and the site here uses {here}.")
            break
    else:
        raise CommandError(f"{file} is no backup.")
    if settings.IS_SQLITE and file.samefile(connection.settings_dict["NAME"]):
        raise CommandError(f"{file} is the database itself.")
