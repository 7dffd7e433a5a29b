"""Expensive fixtures that are created once in a run and copied by each test.

This works only in a run of pytest, which sets `PREPARED` to a folder. Commands such as the drills
create their own fixtures.
"""

import fcntl
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from django.db import connection

PREPARED = "PREPARED"  # the environment variable with the run's folder


def prepared(name: str, make: Callable[[Path], None]) -> Path | None:
    """Return the folder that `make` filled once for all processes, or None outside a run."""
    place = os.environ.get(PREPARED)
    if not place:
        return None
    folder = Path(place) / name
    with (Path(place) / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = folder / "done"
        if not done.exists():
            folder.mkdir()
            make(folder)
            done.touch()
    return folder


class Snapshot:
    """The current content of this process's SQLite database, which tests can restore.

    Restoring takes milliseconds, in place of the work that made the rows.
    """

    def __init__(self) -> None:
        self._rows = sqlite3.connect(":memory:")
        connection.ensure_connection()
        connection.connection.backup(self._rows)

    def restore(self) -> None:
        connection.ensure_connection()
        self._rows.backup(connection.connection)


def give_way() -> None:
    """Run at the lowest priority, so that the site and not this process causes any delays.

    Do nothing in a run of pytest, where other processes would starve this one.
    """
    if PREPARED not in os.environ:
        os.nice(19)


_MIGRATE = """
import django
django.setup()
from django.core.management import call_command
call_command("migrate", interactive=False, verbosity=0)
"""
_COLLECT = """
from config.static_files import collect_if_changed
collect_if_changed()
"""


def migrate(root: Path, folder: Path, then: str = "", **env: str) -> None:
    """Create the site's tables in a new database, with a folder for the site's data."""
    kept = ("PATH", "HOME", "LANG", "VIRTUAL_ENV")
    env |= {name: os.environ[name] for name in kept if name in os.environ}
    subprocess.run(
        [sys.executable, "-c", _MIGRATE + then],
        cwd=root,
        env={**env, "DATA_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings"},
        check=True,
    )


def migrated(root: Path) -> Callable[[Path], None]:
    """Migrate an empty SQLite database, and collect the site's static files."""
    return partial(migrate, root, then=_COLLECT)
