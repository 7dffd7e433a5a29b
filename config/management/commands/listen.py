"""Run one of the site's servers, behind a proxy."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand

from config.processes import (
    load_games,
    must_be_migrated,
    must_have_free_port,
    run_server,
)
from config.troubles import describe_redis_failure
from config.wiring import start_background_tasks


class Command(BaseCommand):
    help = (
        "Serve pages and sockets, as one of any number of servers. Migrations and the referee are "
        "separate commands. After SIGTERM the clients reconnect to other servers."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on")
        parser.add_argument("--port", type=int, default=settings.PORT, help="the port to listen on")

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = options["host"], options["port"]
        must_have_free_port(host, port)
        must_be_migrated()
        load_games()
        if trouble := describe_redis_failure():
            self.stderr.write(trouble)
        run_server(
            host,
            port,
            lambda: self.stdout.write(f"Listening at {host}:{port}."),
            lambda: start_background_tasks("listen"),
        )
