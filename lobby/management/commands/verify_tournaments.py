"""Recompute one or all tournaments from their matches, and fail if a stored value differs."""

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from lobby.tournaments.verification import verify_tournaments


class Command(BaseCommand):
    help = "Recompute tournaments from their matches, and fail if the stored results differ."
    requires_system_checks: list[str] = []  # they import all pages; servers run them

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("tournament", nargs="?", help="the id of one tournament (default: all)")

    def handle(self, *args: Any, **options: Any) -> None:
        began = time.monotonic()
        found = verify_tournaments(options["tournament"])
        for fault in found.faults:
            self.stdout.write(fault)
        took = time.monotonic() - began
        self.stdout.write(
            f"{found.tournaments} tournaments, {found.pairings} pairings ({took:.1f} s)."
        )
        if found.faults:
            raise CommandError(f"{len(found.faults)} differences.")
