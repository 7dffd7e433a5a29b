"""Plays for the computer, and analyses finished matches."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
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
        "Play the computer's turns, and look through finished matches whose players ask. "
        "Any number may run side by side, on any machine; `serve` does it by itself."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--processes",
            type=int,
            default=max(1, settings.BOT_PROCESSES),
            help="how many think at once (default: %(default)s)",
        )
        add_metrics_argument(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        must_be_migrated()
        serve_metrics(options["metrics_port"])
        self.stdout.write("The computer is ready to play.")
        self.stdout.flush()
        processes = max(1, options["processes"])
        run_until_stopped(lambda: start_background_tasks("bots", processes))
