"""Erase or anonymise an account, or undo an erasure that is not done yet."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.utils import timezone

from games.messages import render_english
from games.messages.refusal import Refused
from lobby.accounts.audit_events import log_event
from lobby.accounts.erasure import (
    erase_player,
    find_erasable,
    finish_erasure,
    restore_players,
)
from lobby.models import Erasure, Player
from lobby.privacy.account_deletion import delete_due_accounts


class Command(BaseCommand):
    help = (
        f"Hide the account NAME at once and delete its data after {settings.ACCOUNT_CLOSING_DAYS} "
        "days. Its games are kept under “Deleted player”, and can still be verified."
    )
    requires_system_checks: list[str] = []  # they import all pages; servers run them

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the name of the account or guest")
        parser.add_argument(
            "--anonymise",
            action="store_true",
            help="keep statistics and tournament results, with a number instead of the name",
        )
        parser.add_argument("--reason", default="", help="for the list in the admin")
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--now", action="store_true", help="delete the data at once, for good")
        what.add_argument("--undo", action="store_true", help="restore a hidden account")

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["name"]
        player = find_erasable(name)
        if player is None:
            raise CommandError(f"There is no account {name!r}, or it is deleted already.")
        try:
            if options["undo"]:
                self._undo(player, name)
            else:
                self._erase(player, name, options)
        except Refused as refusal:
            raise CommandError(render_english(refusal.words)) from refusal

    def _undo(self, player: Player, name: str) -> None:
        found = Erasure.objects.filter(player=player, done_at=None).first()
        if found is None:
            raise CommandError(f"{name} is not hidden.")
        if found.group_id is not None:
            raise CommandError(f"{name} was hidden with its class: the organiser can undo that.")
        restore_players([player.pk])
        log_event("account restored by command", None, player.pk)
        self.stdout.write(f"{name} is back.")

    def _erase(self, player: Player, name: str, options: dict[str, Any]) -> None:
        kind = Erasure.Kind.ANONYMISE if options["anonymise"] else Erasure.Kind.ERASE
        hidden = Erasure.objects.filter(player=player, done_at=None)
        found = hidden.first() if options["now"] else None
        if found is None:
            found = erase_player(player.pk, kind, None, options["reason"])
            log_event("account hidden by command", None, player.pk, kind=kind)
        if not options["now"]:
            self.stdout.write(
                f"{name} is hidden and cannot log in. The data will be deleted at "
                f"{found.due_at:%Y-%m-%d %H:%M} UTC. To undo this before then, add --undo."
            )
            return
        hidden.update(due_at=timezone.now())
        finish_erasure(player.pk)
        while Player.objects.filter(pk=player.pk, closing_at__isnull=False).exists():
            delete_due_accounts()
        self.stdout.write(f"The data of {name} is deleted.")
