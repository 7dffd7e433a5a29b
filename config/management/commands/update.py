"""Update the site to the newest version of its branch, and stop at the first failure."""

import fcntl
import json
import os
import pwd
import shlex
import subprocess  # nosec B404  # git and pip, without a shell
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from config.service import RestartError, list_services

_LOCK_FILE = "requirements.lock"
_PACKAGES = ("config", "games", "lobby")


class Command(BaseCommand):
    help = (
        "Update the site: back it up, pull the newest version, install what it needs, migrate the "
        "database and restart the services. Stops at the first failure, and says how to return. "
        "After a failure or an interruption, run it again: it continues."
    )
    requires_system_checks: list[str] = []  # this process uses no models

    def handle(self, *args: Any, **options: Any) -> None:
        self._services = list_services()
        self._user = self._services[0].user if self._services else _get_user()
        _must_be_able_to_update(self._user)
        with _only_update() as self._lock:
            self._update()

    # -- the steps of an update

    def _update(self) -> None:
        notes = _notes_file()
        here = _git("rev-parse", "HEAD")
        self._former, self._backup = here, ""
        self._changed = "nothing"
        known = json.loads(notes.read_text()) if notes.exists() else {}
        # If the notes name this version, the last update did not pull, or somebody has returned to
        # the former version.
        if known.get("from", here) != here:
            self._former, self._backup, self._changed = known["from"], known["backup"], "code"
            self.stdout.write(
                f"The update from {_describe(self._former)} did not finish. It continues."
            )
        self._step("Looking for a newer version", ["git", "fetch", "--quiet"])
        there = _git("rev-parse", "@{upstream}")
        if self._changed == "nothing" and _git("merge-base", here, there) == there:
            notes.unlink(missing_ok=True)
            self.stdout.write(f"Nothing to do: {_describe(here)} is the newest version.")
            return
        self._back_up()
        _write(notes, {"from": self._former, "backup": self._backup})
        merge = ["git", "merge", "--ff-only", "--quiet", "@{upstream}"]
        self._step(f"Pulling {_describe(there)}", merge)
        self._changed = "code"
        pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        # The file also lists what the packages need.
        listed = ["--no-deps", "-r", _LOCK_FILE]
        self._step("Installing what it needs", [sys.executable, *pip, *listed])
        if self._user != _get_user():
            # The user of the services cannot write the bytecode beside the modules, and each of
            # its processes would compile them.
            self._step("Compiling it", [sys.executable, "-m", "compileall", "-q", *_PACKAGES])
        self._manage("Checking the new version", "check")
        self._changed = "database"
        migrate = ("migrate", "--noinput", "--verbosity=0", "--skip-checks")
        self._manage("Migrating the database", *migrate)
        self._restart()
        notes.unlink()
        self.stdout.write(f"Updated from {_describe(self._former)} to {_describe(there)}.")

    def _back_up(self) -> None:
        done = self._run("Backing up", self._command("backup"), stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)  # fmt: skip
        if done.returncode:
            if "There is no site in this database" not in done.stderr:
                raise CommandError(f"{done.stderr.strip()}\n{self._how_to_return()}")
            self.stdout.write("There is no site yet, and so nothing to back up.")
            return
        self.stdout.write(done.stdout.strip())
        made = done.stdout.split("Backed up to ", 1)[1].split(": ", 1)[0]
        # After an interruption, only the first backup is certainly from the former version.
        self._backup = self._backup or made

    def _restart(self) -> None:
        if not self._services:
            self.stdout.write(
                "systemd runs no service of this site here. If you have started `serve` in a "
                "terminal, stop it with Ctrl+C and start it again."
            )
        self._changed = "services"
        for service in self._services:
            self._tell(f"Restarting {service.name}")
            try:
                service.restart()
            except RestartError as error:
                raise CommandError(
                    f"{service.name} does not run: {error}. `journalctl -u {service.name} -n 50` "
                    f"shows why.\n{self._how_to_return()}"
                ) from error

    # -- programs

    def _manage(self, what: str, *words: str) -> None:
        self._step(what, self._command(*words))

    def _command(self, *words: str) -> list[str]:
        """Return the command line that runs a management command as the user of the services.

        The command runs in a separate process, with the code that is on the disk at that time.
        """
        command = [sys.executable, "manage.py", *words]
        if self._user != _get_user():
            command = ["runuser", "-u", self._user, "--", *command]
        return command

    def _step(self, what: str, command: list[str]) -> None:
        if self._run(what, command).returncode:
            raise CommandError(
                f"`{_shorten(command)}` failed, as shown above.\n{self._how_to_return()}"
            )

    def _run(self, what: str, command: list[str], **more: Any) -> subprocess.CompletedProcess[str]:
        self._tell(what)
        found = self._services[0].read_environment() if self._services else {}
        return subprocess.run(  # noqa: S603  # nosec B603 B607  # no shell, and no untrusted text
            command,
            cwd=settings.BASE_DIR,
            env={**os.environ, **found, "GIT_TERMINAL_PROMPT": "0"},
            text=True,
            check=False,
            # If this process is killed, the program keeps the lock until it ends.
            pass_fds=[self._lock.fileno()],
            **more,
        )

    # -- output

    def _tell(self, what: str) -> None:
        self.stdout.write(f"{what} …")
        self.stdout.flush()

    def _how_to_return(self) -> str:
        if self._changed == "nothing":
            return "Nothing has changed: the site runs as before."
        names = [service.name for service in self._services]
        lines = [
            "Correct the cause and run `update` again: it continues. Or return to the former "
            "version:",
            f"    cd {settings.BASE_DIR}",
            f"    git reset --keep {self._former}",
            f"    {_shorten([sys.executable])} -m pip install -r {_LOCK_FILE}",
            f"    sudo systemctl restart {' '.join(names)}" if names else "    (start `serve`)",
        ]
        if self._changed == "code":
            lines.insert(0, "The site still runs as before: the database has not been migrated.")
        elif self._backup:
            lines += [
                "The former version usually works with the migrations that were made. Only if it "
                "does not, stop the site and restore the backup. What was played since is lost:",
                f"    {_shorten(self._command('restore', self._backup))}",
            ]
        return "\n".join(lines)


def _get_user() -> str:
    return pwd.getpwuid(os.geteuid()).pw_name


def _must_be_able_to_update(user: str) -> None:
    """Raise `CommandError` if this process cannot carry out all steps."""
    folder = settings.BASE_DIR
    if not (folder / ".git").exists():
        raise CommandError(f"{folder} is not a git checkout: install the site with `git clone`.")
    if sys.prefix == sys.base_prefix:
        raise CommandError("Run this with the Python of the site: .venv/bin/python manage.py …")
    owner, own = folder.stat().st_uid, os.geteuid()
    if owner != own:
        name = pwd.getpwuid(owner).pw_name
        raise CommandError(f"{folder} belongs to {name}: run this command as {name}.")
    if user != _get_user() and own != 0:
        raise CommandError(f"The site runs as {user}: run this command as root.")
    if _git("rev-parse", "@{upstream}", may_fail=True) == "":
        raise CommandError(
            "The checkout is not on a branch that can be pulled: `git switch main` first."
        )


@contextmanager
def _only_update() -> Iterator[IO[str]]:
    """Hold this checkout's lock for updates. Raise `CommandError` if another update holds it.

    The system releases the lock when this process and the programs that it started have ended.
    """
    path = _git_path("update.lock")
    with path.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CommandError("Another update is running: wait until it has ended.") from error
        yield lock


def _notes_file() -> Path:
    """Return the path of the file that names the former version and its backup.

    The file exists from the backup until all services have restarted.
    """
    return _git_path("update.json")


def _write(path: Path, content: dict[str, str]) -> None:
    """Replace the file either completely or not at all."""
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(content))
    partial.replace(path)


def _shorten(command: list[str]) -> str:
    """Return the command as a person would type it in the site's folder."""
    return shlex.join(word.removeprefix(f"{settings.BASE_DIR}/") for word in command)


def _git_path(name: str) -> Path:
    return settings.BASE_DIR / _git("rev-parse", "--git-path", name)


def _describe(commit: str) -> str:
    """Return the date and the short name of a commit."""
    return _git("show", "--no-patch", "--date=short", "--format=%cd (%h)", commit)


def _git(*words: str, may_fail: bool = False) -> str:
    done = subprocess.run(  # noqa: S603  # nosec B603 B607  # no shell, and no untrusted text
        ["git", *words],  # noqa: S607  # the operator's `PATH` finds git
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode and not may_fail:
        raise CommandError(f"git {words[0]}: {done.stderr.strip()}")
    return done.stdout.strip()
