"""The site's own folder of backups: file names, the newest file, and which files are kept."""

import contextlib
import re
import time
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings

from config import file_permissions

# Files with other names are never deleted.
_NAME = re.compile(r"\d{4}-\d\d-\d\d-\d{6}(-\d+)?\.backup")
_PARTIAL = re.compile(rf"{_NAME.pattern}\..*\.partial")
_ABANDONED = 24 * 60 * 60  # seconds after which an unfinished file must belong to a killed process


def get_folder() -> Path:
    """Return the folder, which may not exist yet."""
    folder: Path = settings.DATA_DIR / "backups"
    return folder.absolute()


def choose_file() -> Path:
    """Return the path for a new backup, named after the current time in UTC. Create the folder."""
    folder = get_folder()
    file_permissions.create_private_folder(folder)
    stem = f"{datetime.now(UTC):%Y-%m-%d-%H%M%S}"
    file, number = folder / f"{stem}.backup", 2
    while file.exists():
        file, number = folder / f"{stem}-{number}.backup", number + 1
    return file


def list_backups() -> list[Path]:
    """Return the complete backups in the folder, newest first."""
    try:
        found = [path for path in get_folder().iterdir() if _NAME.fullmatch(path.name)]
    except FileNotFoundError:
        return []
    return sorted(found, key=_get_time, reverse=True)


def _get_time(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:  # another process has deleted the file meanwhile
        return 0.0


def delete_older(keep: int) -> int:
    """Delete all but the newest backups in the folder. Return the number of deleted backups.

    Unfinished files of killed processes are deleted too.
    """
    surplus = list_backups()[keep:]
    now = time.time()
    abandoned = [
        path
        for path in get_folder().iterdir()
        if _PARTIAL.fullmatch(path.name) and now - _get_time(path) > _ABANDONED
    ]
    for path in (*surplus, *abandoned):
        # Another process may delete the file at the same time.
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
    return len(surplus)
