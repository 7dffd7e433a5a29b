"""Remove the second factors of an account, on a site without two senior reviewers.

On other sites, one senior reviewer requests this and another one confirms it.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand, CommandError

from lobby.accounts.audit_events import log_event
from lobby.accounts.names import find_account
from lobby.accounts.second_factors import remove_factors


class Command(BaseCommand):
    help = "Remove all second factors of an account whose owner has lost them, and log it out."
    requires_system_checks: list[str] = []  # they import all pages; servers run them

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the account's name")

    def handle(self, *args: Any, name: str, **options: Any) -> None:
        account = find_account(name)
        if account is None:
            raise CommandError(f"There is no account {name!r}.")
        gone = remove_factors(account)
        log_event("factor reset by command", None, account.pk)
        self.stdout.write(f"Removed second factors of {account}: {gone}.")
