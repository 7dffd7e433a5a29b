"""Functions for commands that start processes: checks, and running until stopped."""

import asyncio
import contextlib
import os
import signal
import socket
import sys
from argparse import ArgumentParser
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import structlog
from django.core.management import CommandError
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from prometheus_client import start_http_server

from config.troubles import summarize_error
from games.rule_sheets import storage
from games.runtime.tasks import EXIT_SECONDS, end_loops, exit_within

log = structlog.get_logger(__name__)


def must_have_free_port(host: str, port: int) -> None:
    """Raise `CommandError` with the reason if the server cannot listen on the port."""
    if not 0 < port < 65536:
        raise CommandError(f"--port must be a number from 1 to 65535, not {port}.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, port))
        except (OSError, UnicodeError) as error:
            raise CommandError(f"Cannot listen on {host}:{port}: {error}.") from error


def count_missing_migrations() -> int:
    """Return the number of unapplied migrations.

    Raise `CommandError` if the database is unavailable.
    """
    try:
        executor = MigrationExecutor(connection)
        return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    except Error as error:
        raise CommandError(f"The database cannot be reached: {summarize_error(error)}") from error
    finally:
        connection.close()


def must_be_migrated() -> None:
    """Raise `CommandError` if the database cannot be reached or has unapplied migrations."""
    if missing := count_missing_migrations():
        raise CommandError(
            f"The database lacks {missing} migrations: run `manage.py migrate` first."
        )


def load_games(with_shipped: bool = False) -> None:
    """Add the games from rule sheets to this process.

    With `with_shipped`, first store those that come with the site. Call this while no other server
    runs then.
    """
    try:
        if with_shipped:
            storage.store_shipped_sheets(is_settled=True)
        storage.load_sheets()
    finally:
        connection.close()


def add_metrics_argument(parser: ArgumentParser) -> None:
    """Add the option `--metrics-port`, for processes without pages."""
    parser.add_argument(
        "--metrics-port", type=int, help="serve /metrics on this port, to this machine only"
    )


def serve_metrics(port: int | None) -> None:
    if port:
        start_http_server(port, addr="127.0.0.1")


def notify_systemd(word: str) -> None:
    """Send a state such as READY=1 to systemd, if it started this process with Type=notify."""
    place = os.environ.get("NOTIFY_SOCKET", "")
    if not place:
        return
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.connect("\0" + place[1:] if place.startswith("@") else place)
        manager.send(word.encode())


def run_until_stopped(begin: Callable[[], Awaitable[None]]) -> None:
    """Call `begin` on a new event loop, and run until SIGTERM or SIGINT.

    Then stop the background loops (`games.runtime.tasks`).
    """

    async def until_stopped() -> None:
        stopped = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stopped.set)
        await begin()
        notify_systemd("READY=1")
        await stopped.wait()
        exit_within(EXIT_SECONDS)
        await end_loops()

    asyncio.run(until_stopped())


def run_server(
    host: str, port: int, ready: Callable[[], Any], beside: Callable[[], Coroutine[Any, Any, None]]
) -> None:
    """Serve until stopped.

    Once the server listens, `ready()` is called, and `beside()` runs on the same event loop. If
    `beside()` fails, the server stops and the process exits with status 1.
    """
    # These imports are late, because they need the reactor, and `serve` may change
    # `ALLOWED_ORIGINS`.
    from config.asgi import application, pages
    from config.server.connections import raise_descriptor_limit
    from config.server.daphne_server import SiteServer

    raise_descriptor_limit()

    async def begin() -> None:
        try:
            await beside()
        except Exception:
            log.exception("start failed")
            server.stop()
            raise

    def started() -> None:
        tasks.append(asyncio.get_event_loop().create_task(begin()))
        ready()
        sys.stdout.flush()
        notify_systemd("READY=1")

    tasks: list[asyncio.Task[None]] = []
    server = SiteServer(application, pages, host, port, started)
    server.run()
    if any(task.done() and not task.cancelled() and task.exception() for task in tasks):
        sys.exit(1)
