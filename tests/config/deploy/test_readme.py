"""The commands of config/deploy/README.md, run in order for a site on this machine."""

import grp
import os
import pwd
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders.production import DEPLOY, changed
from tests.builders.sites import ROOT, copy_prepared

README = (DEPLOY / "README.md").read_text()
USER = pwd.getpwuid(os.geteuid()).pw_name
GROUP = grp.getgrgid(os.getegid()).gr_name


def commands(section: str, *words: str) -> list[str]:
    """Return the lines of a section's code blocks that contain one of the words."""
    (text,) = re.findall(rf"^## {section}$(.*?)(?=^## |\Z)", README, re.MULTILINE | re.DOTALL)
    lines = re.findall(r"^    (\S.*)$", text, re.MULTILINE)
    return [line for line in lines if any(word in line for word in words)]


class Host:
    """A machine set up as the README describes, with its files in a folder and without systemd."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.env = folder / "parlour.env"
        self.backups = folder / "backups"
        for name in ("bin", "data"):
            (folder / name).mkdir()

    def run(self, command: str) -> subprocess.CompletedProcess[str]:
        """Run a line of the README with the paths and the user of this machine."""
        for there, here in {
            "/usr/local/bin/": f"{self._folder}/bin/",
            "/etc/parlour.env": str(self.env),
            "/var/lib/parlour": f"{self._folder}/data",
            "/var/backups/parlour": str(self.backups),
            "/srv/parlour": str(ROOT),
            "--owner parlour": f"--owner {USER}",
            "--group parlour": f"--group {GROUP}",
        }.items():
            command = command.replace(there, here)
        path = f"{self._folder}/bin:{os.environ['PATH']}"
        return subprocess.run(
            ["sh", "-euc", command],
            cwd=ROOT,
            env={"PATH": path, "HOME": str(self._folder)},
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )

    def must_run(self, command: str) -> str:
        done = self.run(command)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout

    def adapt_script(self) -> None:
        """Replace the paths and the user in parlour-manage with those of this machine."""
        script = self._folder / "bin" / "parlour-manage"
        replaced = {
            "/etc/parlour.env": str(self.env),
            "/srv/parlour": str(ROOT),
            "!= parlour": f"!= {USER}",
            ".venv/bin/python": sys.executable,
        }
        text = changed(script.read_text(), replaced)
        script.write_text(text)


@pytest.fixture
def host(tmp_path: Path) -> Host:
    host = Host(tmp_path)
    for command in commands("One machine", "install --", "echo"):
        host.must_run(command)
    host.adapt_script()
    copy_prepared(tmp_path / "data", with_database=True)
    return host


@pytest.mark.parametrize("kind", [0, 1])
def test_a_backup_before_an_update_can_be_restored(host: Host, kind: int) -> None:
    backup = commands("Update", "parlour-manage")[kind]
    assert "Backed up" in host.must_run(backup)
    (file,) = host.backups.iterdir()
    assert file.stat().st_mode & 0o077 == 0
    (restore,) = commands("Backup and restore", "parlour-manage restore")
    words = restore.replace("2026-01-31.backup", file.name)
    assert words != restore
    assert "Restored" in host.must_run(words)


def test_a_backup_is_made_every_night_and_old_ones_are_deleted(host: Host) -> None:
    backup, delete = commands("Backup and restore", "* * *")
    cron = re.compile(r"^\d+ \d+ \* \* \* parlour (.*)$")
    (found,) = cron.findall(backup)
    host.must_run(found.replace("\\%", "%"))
    (file,) = host.backups.iterdir()
    (found,) = cron.findall(delete)
    host.must_run(found)
    assert file.exists()
    os.utime(file, (0, 0))
    host.must_run(found)
    assert not file.exists()


def test_the_environment_of_several_servers_is_filled_in(host: Host) -> None:
    lines = commands("Several servers", "install --mode 640", "key=", "password=", "sed")
    host.must_run("\n".join(line for line in lines if "psql" not in line))
    assert host.env.stat().st_mode & 0o777 == 0o640
    text = host.env.read_text()
    (key,) = re.findall(r"^SECRET_KEY=(.*)$", text, re.MULTILINE)
    assert len(key) >= 50
    assert re.search(r"^DATABASE_URL=postgres://parlour:[0-9a-f]{40}@127", text, re.MULTILINE)


def test_files_and_units_that_the_readme_names_exist() -> None:
    for path in re.findall(r"config/deploy/[\w./-]*\w", README):
        if path != "config/deploy/certificates":
            assert (ROOT / path).exists(), path
    names = re.findall(r"\bparlour(?:@|-\w+)", " ".join(commands("Several servers", "systemctl")))
    assert len(names) >= 4
    for name in names:
        assert (DEPLOY / "systemd" / f"{name}.service").is_file(), name
    assert shutil.which("runuser"), "parlour-manage changes to the site's user by it"
