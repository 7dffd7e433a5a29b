"""Prepare the database and run the whole site in one process."""

import contextlib
import os
import socket
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, call_command

from config.environment import LOOPBACK_NAMES, parse_host
from config.processes import (
    count_missing_migrations,
    describe_redis_failure,
    must_have_free_port,
    run_server,
)
from config.static_files import collect_if_changed
from config.wiring import start_background_tasks

ANYWHERE = {"0.0.0.0", "::", ""}  # nosec B104  # noqa: S104  # recognised here, not bound by default


class Command(BaseCommand):
    help = "Prepare the database, run the whole site in one process, and print its address."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on")
        parser.add_argument("--port", type=int, default=settings.PORT, help="the port to listen on")

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = options["host"], options["port"]
        must_have_free_port(host, port)
        allow_origins(host, port)
        if count_missing_migrations():
            call_command("migrate", interactive=False, verbosity=0)
        collect_if_changed()
        if trouble := describe_redis_failure():
            self.stderr.write(trouble)
        place = f"{settings.ALLOWED_ORIGINS[0]}/"
        run_server(
            host,
            port,
            lambda: self.stdout.write(f"Ready: open {place}"),
            lambda: start_background_tasks("serve", settings.BOT_PROCESSES),
        )


def allow_origins(host: str, port: int) -> None:
    """Allow this machine's own names with this port, if ALLOWED_ORIGINS is not set."""
    if os.environ.get("ALLOWED_ORIGINS", "").strip():
        return
    names = [*LOOPBACK_NAMES]
    if host in ANYWHERE:
        names += list_own_names()
    elif host not in names:
        names.insert(0, f"[{host}]" if ":" in host else host)
    origins = [f"http://{name}" + ("" if port == 80 else f":{port}") for name in names]
    # Change the list in place, because the origin checks of sockets and forms refer to it.
    settings.ALLOWED_ORIGINS[:] = origins
    settings.ALLOWED_HOSTS[:] = sorted({parse_host(origin) for origin in origins})


def list_own_names() -> list[str]:
    """Return the names and addresses at which other machines can probably reach this one."""
    name = socket.gethostname()
    found = [name, f"{name}.local"]
    with contextlib.suppress(OSError):
        found += socket.gethostbyname_ex(name)[2]
    with contextlib.suppress(OSError), socket.socket(type=socket.SOCK_DGRAM) as probe:
        # This sends nothing, but selects the address for outgoing connections.
        probe.connect(("192.0.2.1", 9))
        found.append(probe.getsockname()[0])
    return list(dict.fromkeys(entry for entry in found if entry))
