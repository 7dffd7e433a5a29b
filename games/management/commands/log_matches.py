"""Have the log take up matches of before."""

from typing import Any

from django.core.management import BaseCommand

from games.transparency_log.log import wish_for_missing


class Command(BaseCommand):
    help = (
        "Have the log of signed records take up the matches that ended before there was one. The "
        "referee then makes their entries. Safe to repeat."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{sum(wish_for_missing())} matches are to be logged.")
