"""Create a token for an account, and print it, for scripts and tests."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games.messages import render_english
from games.messages.refusal import Refused
from lobby.accounts import tokens
from lobby.accounts.tokens import SCOPES
from lobby.models import Player
from lobby.players.people import find_players_for_operator

_DEFAULT = ("account:read", "games:read", "games:play", "challenges")


class Command(BaseCommand):
    help = "Create an API token for PLAYER's account and print it. It is not shown again."
    requires_system_checks: list[str] = []  # they import all pages; servers run them

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("player", metavar="PLAYER", help="the account's name")
        parser.add_argument(
            "--scope",
            action="append",
            choices=SCOPES,
            help=f"what the token can do; repeatable (default: {', '.join(_DEFAULT)})",
        )
        parser.add_argument(
            "--create", action="store_true", help="create the account if it does not exist"
        )
        parser.add_argument(
            "--days", type=int, help="days until the token expires (default: never)"
        )
        parser.add_argument("--name", default="made on the server", help="what the token is for")

    def handle(self, *args: Any, **options: Any) -> None:
        name, days = options["player"], options["days"]
        player = next(iter(find_players_for_operator([name])), None)
        try:
            if player is None and options["create"]:
                player = Player.objects.create_user(name)
            if player is None:
                raise CommandError(f"There is no account {name!r}. --create makes one.")
            until = None if days is None else timezone.now() + timedelta(days=days)
            scopes = options["scope"] or _DEFAULT
            made = tokens.create_token(player.pk, options["name"], scopes, until)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        except Refused as refusal:
            raise CommandError(render_english(refusal.words)) from refusal
        self.stdout.write(made.text)
