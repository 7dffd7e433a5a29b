"""Ends matches that are out of time, never started or abandoned, and that nobody has claimed."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand

from config.processes import (
    add_metrics_argument,
    must_be_migrated,
    run_until_stopped,
    serve_metrics,
)
from config.wiring import start_background_tasks


class Command(BaseCommand):
    help = (
        "Sweep deadlines, abandoned matches, stale seeks and unused guests; hand events on. "
        "Any number may run side by side; `serve` has one of its own."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_metrics_argument(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        must_be_migrated()
        serve_metrics(options["metrics_port"])
        self.stdout.write("The referee watches.")
        self.stdout.flush()
        run_until_stopped(lambda: start_background_tasks("referee"))
