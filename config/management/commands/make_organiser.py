"""Allow an account to create classes, clubs and their tournaments, or remove this right."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand, CommandError

from config.processes import must_be_migrated
from games.messages.refusal import Refused
from lobby.accounts.audit_events import log_event
from lobby.accounts.names import find_account
from lobby.groups.membership import set_organiser


class Command(BaseCommand):
    help = "Let the account NAME create classes, clubs and their tournaments."
    requires_system_checks: list[str] = []  # they import all pages; servers run them

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the name of the account")
        parser.add_argument(
            "--remove",
            action="store_true",
            help="remove the right; what they created stays",
        )

    def handle(self, *args: Any, name: str, **options: Any) -> None:
        must_be_migrated()
        account = find_account(name)
        if account is None:
            raise CommandError(f"There is no account {name!r}. They sign up on the site first.")
        may = not options["remove"]
        try:
            set_organiser(account.pk, may)
        except Refused as refused:
            raise CommandError(
                f"{account} cannot be an organiser: it is closed, or the protected account of a "
                "child. Choose another one."
            ) from refused
        log_event("organiser by command", None, account.pk, may=may)
        self.stdout.write(
            f"{account} can create classes and clubs: the page is /groups/."
            if may
            else f"{account} can no longer create classes or clubs."
        )
