"""Complete the histories: add missing matches, and move those of guests to their accounts.

The referee does the same in small steps. This command does all of it immediately.
"""

from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils import timezone

from lobby.models import HistoryMark
from lobby.players import history


class Command(BaseCommand):
    help = "Add matches of earlier versions to the players' histories."
    requires_system_checks: list[str] = []  # they import all pages; servers run them

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("--again", action="store_true", help="start again from the first match")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["again"]:
            with transaction.atomic():
                HistoryMark.objects.all().delete()
        now, passed = timezone.now(), 0
        while some := history.backfill_batch(now):
            passed += some
            self.stdout.write(f"{passed} matches")
        while history.continue_backfill():
            pass
        self.stdout.write("The histories are complete.")
