"""Play for the computer, and analyse finished matches."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
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
        "Play the computer's turns, and analyse finished matches on request. Any number of these "
        "processes may run, on any machine. `serve` includes this."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--processes",
            type=int,
            default=max(1, settings.BOT_PROCESSES),
            help="how many moves to search at the same time (default: %(default)s)",
        )
        add_metrics_argument(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        must_be_migrated()
        load_games()
        serve_metrics(options["metrics_port"])
        self.stdout.write("The computer is ready to play.")
        self.stdout.flush()
        processes = max(1, options["processes"])
        run_until_stopped(lambda: start_background_tasks("bots", processes))
