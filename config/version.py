"""The version of the site: the release, and the commit of the checkout."""

import tomllib
from functools import cache
from pathlib import Path

_BASE = Path(__file__).resolve().parents[1]
_SHORT = 8  # the length of a commit's short name


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
    """Return the short name of the commit, or "" without a checkout.

    The name is read from git's files, because the program git refuses files of another user.
    """
    folder = _BASE / ".git"
    try:
        if folder.is_file():  # a worktree
            folder = Path(folder.read_text().removeprefix("gitdir: ").strip())
        head = (folder / "HEAD").read_text().strip()
        if head.startswith("ref: "):
            head = _read_reference(folder, head.removeprefix("ref: "))
    except OSError:
        return ""
    return head[:_SHORT]


def _read_reference(folder: Path, name: str) -> str:
    """Return the commit of a branch from its own file or from `packed-refs`, or "" if unknown."""
    shared = folder / "commondir"
    common = folder / shared.read_text().strip() if shared.is_file() else folder
    if (common / name).is_file():
        return (common / name).read_text().strip()
    for line in (common / "packed-refs").read_text().splitlines():
        commit, _, packed = line.partition(" ")
        if packed == name:
            return commit
    return ""
