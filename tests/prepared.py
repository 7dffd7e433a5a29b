"""What takes long and is the same for many tests is made once in a run, and copied by each.

Only in a run of pytest, which says by `PREPARED` where; commands such as the drills make their own.
"""

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable
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


def migrated(root: Path) -> Callable[[Path], None]:
    """Makes an empty SQLite database of the site."""

    def make(folder: Path) -> None:
        kept = ("PATH", "HOME", "LANG", "VIRTUAL_ENV")
        env = {name: os.environ[name] for name in kept if name in os.environ}
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "--no-input", "--verbosity", "0"],
            cwd=root,
            env={**env, "DATA_DIR": str(folder)},
            check=True,
        )

    return make
