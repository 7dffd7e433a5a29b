"""Checks before a restore, and a new epoch after it."""

import time

from django.core.management import CommandError
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.loader import MigrationLoader

from config.processes import summarize_error
from games.models import Pulse
from games.store.epoch import new_epoch
from games.store.heartbeat import EVERY

_LISTEN = 4 * EVERY  # seconds in which a running server beats at least once


def must_not_run() -> None:
    """Raises `CommandError` if a site is running on the database. Takes two seconds."""
    try:
        before = _beaten_at()
        until = time.monotonic() + _LISTEN
        while time.monotonic() < until:
            if _beaten_at() != before:
                raise CommandError(
                    "A site is running on this database: stop it first, or say --force."
                )
            time.sleep(EVERY / 2)
    finally:
        connection.close()


def _beaten_at() -> object:
    """When a server last beat, by its own clock; None if none ever did."""
    try:
        return Pulse.objects.filter(pk=1).values_list("at", flat=True).first()
    except OperationalError as error:
        if connection.vendor == "postgresql":
            raise CommandError(
                f"The database cannot be reached: {summarize_error(error)}"
            ) from error
        return None  # an SQLite file that is empty, or no database at all
    except DatabaseError:
        return None  # no such table


def must_be_known(migrations: set[tuple[str, str]]) -> None:
    """Raises `CommandError` if the backup is of a later version of the site than this one."""
    if not migrations:
        raise CommandError("This is no backup of this site: it knows no migrations.")
    loader = MigrationLoader(None)
    later = [
        f"{app} {name}"
        for app, name in sorted(migrations)
        if app in loader.migrated_apps and (app, name) not in loader.disk_migrations
    ]
    if later:
        raise CommandError(
            f"The backup is of a later version of the site (it has had {later[-1]}): "
            "update the site first."
        )


def begin_history() -> None:
    """Begin a new epoch. Open pages and running servers may have seen later states than the backup
    has. By the new epoch they know that the history is another one, and take the older states."""
    new_epoch()
    connection.close()
