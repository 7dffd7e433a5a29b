"""Make a new or an existing account a member of staff with all permissions.

The admin then asks the member to set up a second factor before it shows anything.
"""

import sys
from argparse import ArgumentParser
from getpass import getpass
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management import BaseCommand, CommandError
from django.db import IntegrityError, transaction

from config.processes import must_be_migrated
from lobby.accounts.audit_events import log_event
from lobby.accounts.names import find_account
from lobby.accounts.second_factors import has_second_factor
from lobby.accounts.sessions import end_other_sessions
from lobby.models import Player


class Command(BaseCommand):
    help = (
        "Make NAME a member of staff with all rights: a new account, for which you type a "
        "password, or an existing one, which keeps its password. The site asks for a second "
        "factor, an app or a passkey, when they first open /admin/."
    )
    requires_system_checks: list[str] = []  # they import all pages; servers run them

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the name of the account")

    def handle(self, *args: Any, name: str, **options: Any) -> None:
        must_be_migrated()
        account = find_account(name)
        try:
            if account is None:
                account, is_new = _create(name), True
            else:
                account, is_new = _promote(account.pk), False
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        log_event("staff made by command", None, account.pk, new=is_new)
        done = "is a new account, and staff" if is_new else "is staff now"
        self.stdout.write(f"{account} {done}. Log in on the site and open /admin/.")
        if not has_second_factor(account):
            self.stdout.write("It first asks to set up a second factor: have a phone at hand.")


def _create(name: str) -> Player:
    account = Player(username=name, is_staff=True, is_superuser=True)
    account.clean()  # check the name before asking for a password
    password = _read_password()
    validate_password(password, account)
    try:
        return Player.objects.create_superuser(name, password=password)
    except IntegrityError as error:
        raise CommandError(f"The name {name!r} has just been taken.") from error


def _promote(account_id: int) -> Player:
    """Give an existing account all permissions, and end the sessions that began without them.

    Raise `CommandError` if it has them already, or if this kind of account cannot have them.
    """
    with transaction.atomic():
        account = Player.objects.select_for_update().get(pk=account_id)
        if account.is_superuser and account.is_staff and account.is_active:
            raise CommandError(f"{account} is a member of staff already.")
        if account.is_protected or account.is_bot or account.bot_level is not None:
            kind = "a protected account" if account.is_protected else "the account of a program"
            raise CommandError(f"{account} is {kind}: choose another one.")
        if not account.is_active or not account.has_usable_password():
            raise CommandError(f"Nobody can log in as {account}: choose another account.")
        account.is_staff = account.is_superuser = True
        account.save(update_fields=["is_staff", "is_superuser"])
        transaction.on_commit(lambda: end_other_sessions(None, account))
    return account


def _read_password() -> str:
    """Return the password, which is typed twice or is the first line of standard input.

    Raise `CommandError` if the two typed passwords differ.
    """
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    password = getpass("Password (at least 8 characters): ")
    if getpass("Again: ") != password:
        raise CommandError("The two passwords differ. Nothing has changed.")
    return password
