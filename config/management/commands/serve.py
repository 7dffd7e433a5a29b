"""Prepare the database, and run the whole site with all its background tasks."""

import gc
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, call_command

from config import addresses
from config.processes import (
    count_missing_migrations,
    load_games,
    must_have_free_port,
    run_server,
)
from config.static_files import collect_if_changed
from config.troubles import describe_redis_failure
from config.wiring import start_background_tasks


class Command(BaseCommand):
    help = (
        "Prepare the database, run the whole site in one process, and print its address. With "
        "--host 0.0.0.0 also print the address on the local network, with a QR code."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--host", default="127.0.0.1", help="the address to listen on; 0.0.0.0: all"
        )
        parser.add_argument("--port", type=int, default=settings.PORT, help="the port to listen on")

    def handle(self, *args: Any, **options: Any) -> None:
        # The modules are permanent, so no later collection need look for garbage among them.
        gc.freeze()
        host, port = options["host"], options["port"]
        must_have_free_port(host, port)
        addresses.allow_origins(host, port)
        is_new = bool(count_missing_migrations())
        if is_new:
            call_command("migrate", interactive=False, verbosity=0)
        load_games(with_shipped=is_new)
        collect_if_changed()
        if trouble := describe_redis_failure():
            self.stderr.write(trouble)
        run_server(
            host,
            port,
            lambda: self.stdout.write(addresses.describe(host, port)),
            lambda: start_background_tasks("serve", settings.BOT_PROCESSES),
        )
