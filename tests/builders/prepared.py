"""What takes long and is the same for many tests is made once in a run, and copied by each.

Only in a run of pytest, which says by `PREPARED` where; commands such as the drills make their own.
"""

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

PREPARED = "PREPARED"  # the variable of the environment that names the run's folder


def prepared(name: str, make: Callable[[Path], None]) -> Path | None:
    """The folder that `make` has filled, once for all processes of this run; None outside one."""
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


def give_way() -> None:
    """Run at the lowest priority, so that what others feel of this process is the site's doing. Not
    in a run of pytest: its other processes would leave nothing to this one."""
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
    """Make the site's tables in a new database, with the folder for the site's data."""
    kept = ("PATH", "HOME", "LANG", "VIRTUAL_ENV")
    env |= {name: os.environ[name] for name in kept if name in os.environ}
    subprocess.run(
        [sys.executable, "-c", _MIGRATE + then],
        cwd=root,
        env={**env, "DATA_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings"},
        check=True,
    )


def migrated(root: Path) -> Callable[[Path], None]:
    """Makes an empty SQLite database of the site, and collects its static files."""
    return partial(migrate, root, then=_COLLECT)
