"""A site that a host has installed: a checkout of a repository that moves on, and its service."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from tests.builders.ports import free_port
from tests.builders.prepared import migrated
from tests.builders.sites import ROOT, copy_prepared

_SYSTEMCTL = ROOT / "tests" / "builders" / "systemctl.py"
_GIT = ("-c", "user.name=Upstream", "-c", "user.email=upstream@example.org")


class Upstream:
    """The repository that hosts pull from, with this project's files as its first commit."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        for name in filter(None, listed.split("\0")):
            if (ROOT / name).is_file() and not name.startswith("tests/"):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, folder / name)
        self._git("init", "--quiet", "--initial-branch=main")
        self.commit({})

    def commit(self, files: dict[str, str]) -> str:
        """Write and commit files. Return the commit."""
        for name, text in files.items():
            (self.folder / name).write_text(text)
        self._git("add", "--all")
        self._git(*_GIT, "commit", "--quiet", "--allow-empty", "--message=Go on")
        return self._git("rev-parse", "HEAD")

    def _git(self, *words: str) -> str:
        done = subprocess.run(
            ["git", *words], cwd=self.folder, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()


class Checkout:
    """A clone with its virtual environment and its data, as a host has it."""

    def __init__(self, upstream: Path, folder: Path) -> None:
        self.folder, self._aside = folder, folder.with_name(f"{folder.name}-aside")
        self._aside.mkdir()
        subprocess.run(["git", "clone", "--quiet", str(upstream), str(folder)], check=True)
        give_packages(folder / ".venv")
        self.data = folder / ".data"
        self.data.mkdir(mode=0o700)
        copy_prepared(self.data, with_database=True)
        if not (self.data / "site.sqlite3").exists():  # outside of a run of pytest
            migrated(ROOT)(self.data)
        self.port = free_port()
        self.bin = self._aside / "bin"
        self.bin.mkdir()
        self.env = {
            "PATH": f"{self.bin}:{os.environ['PATH']}",
            "HOME": str(self._aside),
            "PIP_NO_INDEX": "1",
            "BOT_PROCESSES": "0",
            "PORT": str(self.port),
        }
        self.add_program("systemctl", f'exec {sys.executable} {_SYSTEMCTL} {self._systemd} "$@"')

    @property
    def _systemd(self) -> str:
        return f"{self._aside}/state {self._aside}/units"

    def add_program(self, name: str, script: str) -> None:
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def start_service(self) -> None:
        """Run the site as the service that systemd would start."""
        units = self._aside / "units"
        units.mkdir()
        env = "\n".join(f"Environment={k}={v}" for k, v in self.env.items() if k != "PATH")
        (units / "parlour-serve.service").write_text(
            f"[Service]\nType=notify\nWorkingDirectory={self.folder}\nRestart=always\n{env}\n"
            f"ExecStart={self.folder}/.venv/bin/python manage.py serve\n"
        )
        done = self.run("systemctl", "start", "parlour-serve")
        assert done.returncode == 0, done.stderr

    def stop_service(self) -> None:
        self.run("systemctl", "stop", "parlour-serve")

    def service_pid(self) -> int:
        notes = self._aside / "state" / "parlour-serve.service.json"
        return int(json.loads(notes.read_text())["pid"])

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words, cwd=self.folder, env=self.env, capture_output=True, text=True, check=False,
            timeout=300,
        )  # fmt: skip

    def manage(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self.run(f"{self.folder}/.venv/bin/python", "manage.py", *words)

    def start(self, *words: str) -> "subprocess.Popen[str]":
        """Start a management command without waiting for its end."""
        return subprocess.Popen(
            [f"{self.folder}/.venv/bin/python", "manage.py", *words], cwd=self.folder,
            env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def commit_id(self) -> str:
        return self.run("git", "rev-parse", "HEAD").stdout.strip()

    def describe(self, commit: str) -> str:
        """Return the commit's date and short name."""
        return self.run(
            "git", "show", "--no-patch", "--date=short", "--format=%cd (%h)", commit
        ).stdout.strip()


def give_packages(venv: Path) -> None:
    """Create a virtual environment that sees the packages of the tests, so pip has them."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    (place,) = (venv / "lib").glob("python*/site-packages")
    (place / "tests.pth").write_text(sysconfig.get_path("purelib") + "\n")
