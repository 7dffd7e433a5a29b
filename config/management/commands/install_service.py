"""Let systemd run the whole site when the machine starts, and back it up every night."""

import os
import pwd
import re
import shutil
import subprocess  # nosec B404  # systemctl, without a shell
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from config import addresses
from config.processes import must_have_free_port
from config.service import SERVE, Service

_UNITS = ("parlour-serve.service", "parlour-backup.service", "parlour-backup.timer")
_HOMES = ("/home/", "/root/", "/run/user/")  # the folders that ProtectHome=yes would hide


class Command(BaseCommand):
    help = (
        "Write the systemd units of a site on one machine, with this folder and its user, and "
        "start them: the site, also after each restart of the machine, and a backup every night. "
        "Without root, show the units instead."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--user",
            metavar="NAME",
            help="the user that runs the site (default: the owner of this folder)",
        )
        parser.add_argument(
            "--host",
            default="0.0.0.0",  # noqa: S104  # nosec B104  # other machines must reach the site
            help="the address to listen on; 127.0.0.1 behind a proxy (default: %(default)s, all)",
        )
        parser.add_argument(
            "--folder",
            type=Path,
            default=Path("/etc/systemd/system"),
            help="where systemd reads units (default: %(default)s)",
        )
        parser.add_argument("--show", action="store_true", help="show the units, change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["folder"]
        user = options["user"] or pwd.getpwuid(settings.BASE_DIR.stat().st_uid).pw_name
        service = Service(SERVE, user, (Path("/etc/parlour.env"),))
        environment = service.read_environment()
        data = Path(environment.get("DATA_DIR") or settings.DATA_DIR).absolute()
        units = {name: _adapt(name, user, data, options["host"]) for name in _UNITS}
        if options["show"] or os.geteuid() != 0 or shutil.which("systemctl") is None:
            for name, text in units.items():
                self.stdout.write(f"# {folder / name}\n{text}")
            self.stderr.write(
                "Nothing has changed: these are the files. Run this command as root, such as with "
                "`sudo`, on a machine with systemd to write and start them."
            )
            return
        _must_be_allowed(user, folder / SERVE, options["user"])
        port = int(environment.get("PORT") or settings.PORT)
        if _systemctl("is-active", "--quiet", SERVE, must=False):
            must_have_free_port(options["host"], port)
        _give_to(user, data)
        for name, text in units.items():
            partial = folder / f".{name}.partial"
            partial.write_text(text)
            partial.replace(folder / name)
        _systemctl("daemon-reload")
        _systemctl("enable", *_UNITS[:1], *_UNITS[2:])
        _systemctl("restart", *_UNITS[:1], *_UNITS[2:])
        self.stdout.write(
            f"The site runs as {user}, now and after each restart of the machine. Every night it "
            f"is copied to {data / 'backups'}. `systemctl status {SERVE}` shows how it is."
        )
        if origins := environment.get("ALLOWED_ORIGINS"):
            self.stdout.write(f"Open {origins.split(',')[0].strip()}/")
        else:
            addresses.allow_origins(options["host"], port)
            self.stdout.write(addresses.describe(options["host"], port))


def _adapt(name: str, user: str, data: Path, host: str) -> str:
    """Return the text of a unit in `config/deploy/systemd`, adapted to this installation."""
    base = settings.BASE_DIR
    given = {
        "User": user,
        "WorkingDirectory": _escape(str(base)),
        "EnvironmentFile": "-/etc/parlour.env",
        "ReadWritePaths": _quote(str(data)),
        "ProtectHome": "read-only" if f"{base}/".startswith(_HOMES) else "yes",
    }
    lines = []
    for line in (base / "config" / "deploy" / "systemd" / name).read_text().splitlines():
        key, equals, value = line.partition("=")
        if key.startswith("StateDirectory"):
            continue  # DATA_DIR is used instead, and can be anywhere
        if key == "ExecStart":
            _, words = value.split(" ", 1)
            words = re.sub(r"--host \S+", f"--host {host}", words)
            lines.append(f"{key}={_quote(sys.executable)} {words}")
        elif equals and key in given:
            lines.append(f"{key}={given[key]}")
        else:
            lines.append(line)
        if key == "EnvironmentFile":
            lines.append(f"Environment={_quote(f'DATA_DIR={data}')}")
    return "\n".join(lines) + "\n"


def _escape(text: str) -> str:
    return text.replace("%", "%%")


def _quote(text: str) -> str:
    """Return the text as one word of a unit file."""
    escaped = _escape(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"' if re.search(r"\s", text) else escaped


def _must_be_allowed(user: str, unit: Path, asked: str | None) -> None:
    """Raise `CommandError`, with advice, if this user cannot run the site.

    Raise it too if an installed unit names another user, unless `--user` was given (`asked`).
    """
    try:
        uid = pwd.getpwnam(user).pw_uid
    except KeyError as error:
        raise CommandError(f"There is no user {user!r} on this machine.") from error
    if uid == 0:
        raise CommandError(
            f"{settings.BASE_DIR} belongs to root, and a site should not run as root. Create a "
            "user for it and name it:\n"
            "    useradd --system --home-dir /var/lib/parlour parlour\n"
            "    .venv/bin/python manage.py install_service --user parlour"
        )
    if unit.exists() and asked is None:
        before = re.findall(r"^User=(.*)$", unit.read_text(), re.MULTILINE)
        if before and before != [user]:
            raise CommandError(
                f"{unit} exists, and runs the site as {before[0]}. To keep that user, add "
                f"--user {before[0]}; to change it, --user {user}."
            )


def _give_to(user: str, data: Path) -> None:
    """Make the user the owner of the data, because earlier commands may have run as root."""
    entry = pwd.getpwnam(user)
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    for path in (data, *data.rglob("*")):
        os.chown(path, entry.pw_uid, entry.pw_gid, follow_symlinks=False)


def _systemctl(*words: str, must: bool = True) -> int:
    path = shutil.which("systemctl")
    assert path is not None
    done = subprocess.run(  # noqa: S603  # nosec B603  # no shell, and no untrusted text
        [path, *words], capture_output=True, text=True, check=False
    )
    if must and done.returncode:
        raise CommandError(
            f"systemctl {words[0]}: {done.stderr.strip()}\n"
            f"`journalctl -u {SERVE} -n 50` shows what the site said."
        )
    return done.returncode
