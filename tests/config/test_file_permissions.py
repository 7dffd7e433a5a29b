"""Only the owner may read the database and the secret; everybody may read static files."""

import os
import subprocess
from pathlib import Path

from tests.builders import nursery
from tests.builders.sites import Person, Site, pair

SECRET = ("secret-key", "site.sqlite3", "site.sqlite3-wal", "site.sqlite3-shm")


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def check(folder: Path, umask: int = 0o022, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a management command of the site with this umask."""
    command = ["manage.py", "migrate", "--verbosity", "0"]
    return nursery.run(command, {**os.environ, "DATA_DIR": str(folder), **env}, umask)


def test_a_new_site_keeps_its_database_and_its_secret_to_itself(tmp_path: Path) -> None:
    folder = tmp_path / "parent" / "data"
    assert check(folder).returncode == 0
    assert mode(folder) == 0o700
    before = os.umask(0o022)
    try:
        site = Site(folder, {"DATA_DIR": str(folder)}).wait()
    finally:
        os.umask(before)
    try:
        match_id, _ = pair(Person(site).be_guest(), Person(site).be_guest(), "tic-tac-toe")
        assert match_id
        assert {name: mode(folder / name) for name in SECRET} == dict.fromkeys(SECRET, 0o600)
        for path in (folder / "static").rglob("*"):
            assert mode(path) & 0o044 == 0o044, path
    finally:
        site.stop()


def test_files_of_an_earlier_version_are_closed_to_others_and_that_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    assert check(folder).returncode == 0
    for name in SECRET[:2]:
        (folder / name).chmod(0o644)
    folder.chmod(0o755)  # a proxy must pass through it to the static files
    done = check(folder)
    assert done.returncode == 0
    for name in SECRET[:2]:
        assert mode(folder / name) == 0o600
        (line,) = [line for line in done.stderr.splitlines() if str(folder / name) in line]
        assert "file permissions restricted" in line
        assert "644" in line
    assert mode(folder) == 0o755
    assert "closed" not in check(folder).stderr


def test_what_cannot_be_made_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    nowhere = check(tmp_path, DATABASE_URL=f"sqlite:///{tmp_path}/file/site.sqlite3")
    for done, what in ((nowhere, "database"), (check(tmp_path / "file"), "secret")):
        assert done.returncode != 0
        (line,) = done.stderr.strip().splitlines()
        assert line.startswith(f"Cannot start: The {what} ")
