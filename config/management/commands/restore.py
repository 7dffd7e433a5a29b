"""Replace the database with a backup, migrate it, and verify every match."""

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.loader import MigrationLoader

from config.backup import postgres, sqlite
from config.troubles import summarize_error
from games.models import Pulse
from games.store.epoch import begin_epoch
from games.store.heartbeat import EVERY

_PULSE_SECONDS = 4 * EVERY  # in this time, a running server stores at least one heartbeat


class Command(BaseCommand):
    help = (
        "Replace the whole database by FILE, which `backup` made here or elsewhere, migrate it to "
        "this version of the site, and verify every match. The current content of the database is "
        "lost. Refused while the site runs."
    )
    requires_system_checks: list[str] = []  # they import all pages; servers run them

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="a file that `backup` wrote")
        parser.add_argument(
            "--force",
            action="store_true",
            help="restore while the site runs: players see errors for a moment",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"].absolute()
        _must_fit(file)
        if settings.IS_SQLITE:
            sqlite.check(file)
            _must_have_known_migrations(sqlite.migrations(file))
        else:
            _must_have_known_migrations(postgres.migrations(file))
        if not options["force"]:
            _must_be_stopped()
        if settings.IS_SQLITE:
            sqlite.put_in_place(file, Path(connection.settings_dict["NAME"]))
        else:
            postgres.put_in_place(file)
        call_command("migrate", interactive=False, verbosity=0)
        _start_epoch()
        self.stdout.write(f"Restored from {file}.")
        try:
            call_command("verify_matches", stdout=self.stdout)
        except CommandError as error:
            raise CommandError(
                f"The backup is restored, but {error} The cause may be another secret key. "
                f"Replace {settings.DATA_DIR / 'secret-key'} with the file that belongs to the "
                "backup; if the site sets SECRET_KEY instead, add the former key to "
                "SECRET_KEY_FALLBACKS. "
                "Then `manage.py verify_matches` checks again."
            ) from error


def _must_fit(file: Path) -> None:
    """Raise `CommandError` if the file is not a backup that this database can be restored from.

    It must be readable, and a backup of the same kind of database, but not the database itself.
    """
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
                raise CommandError(f"{file} is a backup of {name}, but this site uses {here}.")
            break
    else:
        raise CommandError(f"{file} is not a backup.")
    if settings.IS_SQLITE and file.samefile(connection.settings_dict["NAME"]):
        raise CommandError(f"{file} is the database itself.")


def _must_be_stopped() -> None:
    """Raise `CommandError` if a site is running on the database.

    If none is running, this takes `_PULSE_SECONDS`.
    """
    try:
        before = _last_pulse()
        until = time.monotonic() + _PULSE_SECONDS
        while time.monotonic() < until:
            if _last_pulse() != before:
                raise CommandError(
                    "A site is running on this database: stop it first, or use --force."
                )
            time.sleep(EVERY / 2)
    finally:
        connection.close()


def _last_pulse() -> object:
    """Return the time of the last heartbeat, or None if none is stored.

    Raise `CommandError` if PostgreSQL cannot be reached.
    """
    try:
        return Pulse.objects.filter(pk=1).values_list("at", flat=True).first()
    except OperationalError as error:
        if connection.vendor == "postgresql":
            raise CommandError(
                f"The database cannot be reached: {summarize_error(error)}"
            ) from error
        return None  # an empty SQLite file, or no file
    except DatabaseError:
        return None  # the table does not exist


def _must_have_known_migrations(migrations: set[tuple[str, str]]) -> None:
    """Raise `CommandError` if the backup is from a later version, or not from this software."""
    if not migrations:
        raise CommandError("This is no backup of this site: it contains no migrations.")
    loader = MigrationLoader(None)
    later = [
        f"{app} {name}"
        for app, name in sorted(migrations)
        if app in loader.migrated_apps and (app, name) not in loader.disk_migrations
    ]
    if later:
        raise CommandError(
            f"The backup is from a later version of the site (it contains {later[-1]}): "
            "update the site first."
        )


def _start_epoch() -> None:
    """Start a new epoch, so that open pages and running servers accept older states again.

    Pages and servers may have received later states than those in the backup.
    """
    begin_epoch()
    connection.close()
