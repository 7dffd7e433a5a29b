"""Run the referee and the other background tasks."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand

from config.processes import (
    add_metrics_argument,
    load_games,
    must_be_migrated,
    run_until_stopped,
    serve_metrics,
)
from config.wiring import start_background_tasks


class Command(BaseCommand):
    help = (
        "End overdue and abandoned matches, expire seeks, delete unused guests and deliver events. "
        "Any number of these processes may run. `serve` includes this."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_metrics_argument(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        must_be_migrated()
        load_games()
        serve_metrics(options["metrics_port"])
        self.stdout.write("The referee watches.")
        self.stdout.flush()
        run_until_stopped(lambda: start_background_tasks("referee"))
