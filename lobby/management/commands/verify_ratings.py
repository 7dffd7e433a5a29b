"""Complete pending replays, replay all rated games from scratch, and fail if a rating differs."""

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from lobby.ratings import recount
from lobby.ratings.verification import verify_ratings


class Command(BaseCommand):
    help = "Replay all rated games, and fail if a stored rating differs from the result."
    requires_system_checks: list[str] = []  # they import all pages; servers run them

    def handle(self, *args: Any, **options: Any) -> None:
        recount.replay_all()
        began = time.monotonic()
        found = verify_ratings()
        took = time.monotonic() - began
        for fault in found.faults:
            self.stdout.write(fault)
        rate = found.games / took if took else 0
        self.stdout.write(f"{found.games} rated games ({took:.1f} s, {rate:.0f} games a second).")
        if found.faults:
            raise CommandError(f"{len(found.faults)} differences.")
