"""The site's systemd services on this machine: reading their settings, and restarting them.

The unit files are in `config/deploy/systemd`. The `install_service` command adapts and installs
those that run a whole site on one machine.
"""

import os
import re
import shlex
import shutil
import signal
import subprocess  # nosec B404  # systemctl, without a shell
import time
from pathlib import Path

from msgspec import Struct

SERVE = "parlour-serve.service"

# Migrations run before the servers restart. Servers restart one at a time, so that the players on
# the other servers can continue.
_ORDER = ("parlour-migrate", "parlour-referee", "parlour-bots", "parlour-serve", "parlour@")
_START_SECONDS = 300.0  # seconds that a service may take to migrate and start, as in its unit


class RestartError(Exception):
    """The service did not start again. The message is the reason."""


class Service(Struct, frozen=True):
    """A systemd service of the site."""

    name: str
    user: str
    environment_files: tuple[Path, ...]

    def read_environment(self) -> dict[str, str]:
        """Return the variables in the environment files of the service."""
        found = {}
        for path in self.environment_files:
            try:
                lines = path.read_text().splitlines()
            except FileNotFoundError:
                continue
            for line in lines:
                name, equals, value = line.strip().partition("=")
                if equals and re.fullmatch(r"[A-Za-z_]\w*", name):
                    found[name] = "".join(shlex.split(value)) if value[:1] in "'\"" else value
        return found

    def restart(self) -> None:
        """Restart the service, and return when it is ready.

        Raise `RestartError` if it does not become ready. If the current user is root, systemd
        restarts the service. Otherwise, the current user must be the user of the service: end its
        process, and wait until systemd has started another one.
        """
        if os.geteuid() == 0:
            done = _systemctl("restart", self.name)
            if done is None or done.returncode:
                raise RestartError((done.stderr.strip() if done else "") or "systemctl failed")
            return
        found = _show(self.name, "MainPID", "ActiveState")
        before = found.get("MainPID", "0")
        if found.get("ActiveState") == "failed":
            raise RestartError(f"it had stopped before. Run `sudo systemctl restart {self.name}`")
        if before != "0":
            os.kill(int(before), signal.SIGTERM)
        until = time.monotonic() + _START_SECONDS
        while time.monotonic() < until:
            now = _show(self.name, "MainPID", "ActiveState")
            if now.get("ActiveState") == "failed":
                raise RestartError("it failed to start")
            if now.get("ActiveState") == "active" and now.get("MainPID") not in ("0", before):
                return
            time.sleep(0.25)
        raise RestartError(f"it was not ready after {_START_SECONDS:.0f} seconds")


def list_services() -> list[Service]:
    """Return the site's services that are or should be running here, in the order of an update.

    The list is empty if there are none, for example on a machine without systemd.
    """
    # A failed service is one that should be running.
    states = "--state=active,activating,reloading,failed"
    done = _systemctl("list-units", "--plain", "--no-legend", states, "parlour*.service")
    if done is None or done.returncode:
        return []
    names = [line.split()[0] for line in done.stdout.splitlines() if line.strip()]
    known = [name for name in names if name.startswith(_ORDER)]
    return [_describe(name) for name in sorted(known, key=_place)]


def _place(name: str) -> tuple[int, str]:
    return next(i for i, start in enumerate(_ORDER) if name.startswith(start)), name


def _describe(name: str) -> Service:
    shown = _show(name, "User", "EnvironmentFiles")
    files = re.findall(r"(/\S+) \(ignore_errors=", shown.get("EnvironmentFiles", ""))
    return Service(name, shown.get("User") or "root", tuple(map(Path, files)))


def _show(name: str, *properties: str) -> dict[str, str]:
    done = _systemctl("show", name, *(f"--property={each}" for each in properties))
    lines = done.stdout.splitlines() if done is not None else []
    return dict(line.split("=", 1) for line in lines if "=" in line)


def _systemctl(*words: str) -> subprocess.CompletedProcess[str] | None:
    path = shutil.which("systemctl")
    if path is None:
        return None
    return subprocess.run(  # noqa: S603  # nosec B603  # no shell, and no untrusted text
        [path, *words], capture_output=True, text=True, check=False
    )
