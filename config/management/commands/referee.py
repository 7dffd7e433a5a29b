"""Ends what is due and was claimed by nobody: out of time, never started, abandoned."""

import asyncio
import contextlib
from typing import Any

from django.core.management import BaseCommand

from config.referee import watch_over


class Command(BaseCommand):
    help = (
        "Sweep deadlines, abandoned matches, stale seeks and unused guests. "
        "Any number may run side by side; `serve` has one of its own."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write("The referee watches.")
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(watch_over())
