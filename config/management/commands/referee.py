"""Ends what is due and was claimed by nobody: out of time, never started, abandoned."""

import asyncio
import contextlib
from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand
from prometheus_client import start_http_server

from config.referee import watch_over
from config.starting import must_be_migrated


class Command(BaseCommand):
    help = (
        "Sweep deadlines, abandoned matches, stale seeks and unused guests. "
        "Any number may run side by side; `serve` has one of its own."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--metrics-port", type=int, help="serve /metrics at this port, to this machine alone"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        must_be_migrated()
        if options["metrics_port"]:
            start_http_server(options["metrics_port"], addr="127.0.0.1")
        self.stdout.write("The referee watches.")
        self.stdout.flush()
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(watch_over())
