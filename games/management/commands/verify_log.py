"""Check the log of signed records, and the matches by it."""

from typing import Any

from django.core.management import BaseCommand, CommandError

from games.signed import log
from games.signed.checking import faults


class Command(BaseCommand):
    help = "Check that the log of records fits together and that each match is as it says."

    def handle(self, *args: Any, **options: Any) -> None:
        count = 0
        for fault in faults():
            self.stdout.write(fault)
            count += 1
        if count:
            raise CommandError(f"The log is not sound: {count} faults.")
        self.stdout.write(f"All {log.size()} entries are sound.")
