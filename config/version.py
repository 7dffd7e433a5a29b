"""The version of the site: the release, and the commit of the checkout."""

import subprocess  # nosec B404  # git, without a shell
import tomllib
from functools import cache
from pathlib import Path

_BASE = Path(__file__).resolve().parents[1]


@cache
def get_running_version() -> str:
    """Return the version of the running code, read when this function was first called."""
    return read_version()


def read_version() -> str:
    """Return the version of the files on the disk, such as "0.1.0 (4af72f1)"."""
    release = tomllib.loads((_BASE / "pyproject.toml").read_text())["project"]["version"]
    commit = _read_commit()
    return f"{release} ({commit})" if commit else str(release)


def _read_commit() -> str:
    """Return the short name of the commit, or "" without a checkout or without git."""
    # The option allows reading files that belong to another user, which git refuses by default.
    command = ["git", "-c", f"safe.directory={_BASE}", "rev-parse", "--short", "HEAD"]
    if not (_BASE / ".git").exists():
        return ""
    try:
        done = subprocess.run(  # noqa: S603  # nosec B603  # no shell, and no text of a stranger
            command, cwd=_BASE, capture_output=True, text=True, check=False, timeout=5
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()
