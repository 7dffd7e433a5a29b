"""A site that a host has installed: a checkout of a repository that moves on, and its service."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from tests.builders.ports import free_port
from tests.builders.prepared import migrated, prepared
from tests.builders.sites import ROOT, copy_prepared

_SYSTEMCTL = ROOT / "tests" / "builders" / "systemctl.py"
_AUTHOR = ("-c", "user.name=Upstream", "-c", "user.email=upstream@example.org")


class Upstream:
    """The repository that hosts pull from, with this project's files as its first commit."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if (made := prepared("upstream", lambda place: Upstream._make(place / "made"))) is None:
            self._make(folder)
        else:
            _copy(made / "made", folder)

    @staticmethod
    def _make(folder: Path) -> None:
        folder.mkdir()
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        for name in filter(None, listed.split("\0")):
            if (ROOT / name).is_file() and not name.startswith("tests/"):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, folder / name)
        _git(folder, "init", "--quiet", "--initial-branch=main")
        _commit(folder)

    def commit(self, files: dict[str, str]) -> str:
        """Write and commit files. Return the commit."""
        for name, text in files.items():
            (self.folder / name).write_text(text)
        return _commit(self.folder)


class Checkout:
    """A clone of the first commit with its virtual environment and its data, as a host has it."""

    def __init__(self, upstream: Path, folder: Path) -> None:
        self.folder, self._aside = folder, folder.with_name(f"{folder.name}-aside")
        self._aside.mkdir()
        if (made := prepared("checkout", _make_checkout)) is None:
            _clone(upstream, folder)
        else:
            _copy(made / "made", folder)
            _git(folder, "remote", "set-url", "origin", str(upstream))
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

    def skip_pip(self) -> None:
        """Let each installation end at once, for tests that are not about it."""
        (place,) = (self.folder / ".venv" / "lib").glob("python*/site-packages")
        (place / "pip").mkdir()
        for name in ("__init__.py", "__main__.py"):
            (place / "pip" / name).touch()

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


def version_page(text: str) -> dict[str, str]:
    """Return a change that a visitor can see: another title of the page for unknown addresses."""
    page = (ROOT / "templates" / "404.html").read_text()
    return {"templates/404.html": page.replace("{% block title %}", "{% block title %}" + text)}


def give_packages(venv: Path) -> None:
    """Create a virtual environment that sees the packages of the tests, so pip has them."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    (place,) = (venv / "lib").glob("python*/site-packages")
    (place / "tests.pth").write_text(sysconfig.get_path("purelib") + "\n")


def _make_checkout(place: Path) -> None:
    _clone(Upstream(place / "upstream").folder, place / "made")


def _clone(upstream: Path, folder: Path) -> None:
    """Clone the repository as a host has it that has run: with its packages, and compiled."""
    subprocess.run(["git", "clone", "--quiet", str(upstream), str(folder)], check=True)
    give_packages(folder / ".venv")
    packages = [sys.executable, "-m", "compileall", "-q", "config", "games", "lobby"]
    subprocess.run(packages, cwd=folder, check=True)


def _copy(made: Path, folder: Path) -> None:
    """Copy a folder with the times of its files, which git and the bytecode refer to."""
    subprocess.run(["cp", "--archive", str(made), str(folder)], check=True)


def _commit(folder: Path) -> str:
    """Commit all files. Return the commit."""
    _git(folder, "add", "--all")
    _git(folder, *_AUTHOR, "commit", "--quiet", "--allow-empty", "--message=Go on")
    return _git(folder, "rev-parse", "HEAD")


def _git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()
