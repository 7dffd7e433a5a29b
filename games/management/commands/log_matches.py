"""Add earlier matches to the transparency log."""

from typing import Any

from django.core.management import BaseCommand

from games.transparency_log.log import request_missing


class Command(BaseCommand):
    help = (
        "Add matches that ended before the log of signed records existed. The "
        "referee then appends their entries. Safe to repeat."
    )
    requires_system_checks: list[str] = []  # they import all pages; servers run them

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{sum(request_missing())} matches are to be logged.")
