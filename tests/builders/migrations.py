"""Migrations as they were before they were squashed, and databases that they have migrated."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from django.db import connections
from django.db.migrations.loader import MigrationLoader

_load_disk = MigrationLoader.load_disk


def load_originals(loader: MigrationLoader) -> None:
    """Load the migrations without the squashed ones. It replaces `MigrationLoader.load_disk`."""
    _load_disk(loader)
    for key, migration in [*loader.disk_migrations.items()]:
        if key[0] in ("games", "lobby") and migration.replaces:
            del loader.disk_migrations[key]


@contextlib.contextmanager
def use_database(file: Path) -> Iterator[None]:
    """Let this process use another SQLite database.

    No transaction may be open: a second one of the same process would wait for its end.
    """
    own = connections["default"]
    another = connections["default"] = own.copy()
    another.settings_dict = {**own.settings_dict, "NAME": str(file)}
    try:
        yield
    finally:
        another.close()
        connections["default"] = own
