"""The deletion of accounts, a week after the owner asked for it unless the owner logs in again.

A row without a name remains, so that the account's matches can still be verified. A referee deletes
an account in several transactions; `closing_at` is cleared by the last one.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import structlog
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from games.messages import build_message, render
from games.models import ClientNetwork, Connection, Match
from games.store.aliases import get_aliases, match_players_filter
from lobby.models import Player
from lobby.models.player import release_name

log = structlog.get_logger(__name__)

CLOSED = "Closed account"
"""The name that is shown for a deleted account. No player can choose it."""

handlers: list[Callable[[Player], None]] = []
"""Functions that delete the account's data, except its matches, in the transaction that takes away
its name. `config.wiring` sets them."""

_ACCOUNTS_PER_ROUND = 20
_ROWS_PER_ROUND = 1000


def schedule_deletion(player_id: int) -> bool:
    """Have the account deleted after ACCOUNT_CLOSING_DAYS. Return False if it cannot be deleted."""
    due = timezone.now() + timedelta(days=settings.ACCOUNT_CLOSING_DAYS)
    return bool(_deletable().filter(pk=player_id, closing_at=None).update(closing_at=due))


def cancel_deletion(player_id: int) -> bool:
    """Keep the account, and return whether it was going to be deleted."""
    due = Player.objects.filter(pk=player_id, closing_at__isnull=False, closed_at=None)
    return bool(due.update(closing_at=None))


def delete_due_accounts() -> None:
    """Delete the accounts that are due, and continue with those that are partly deleted."""
    due = Player.objects.filter(closing_at__lte=timezone.now()).order_by("closing_at")
    for player_id in list(due.values_list("pk", flat=True)[:_ACCOUNTS_PER_ROUND]):
        if _anonymize(player_id) and not _delete_connections(player_id):
            Player.objects.filter(pk=player_id).update(closing_at=None)


def _deletable() -> QuerySet[Player]:
    """Return the accounts that their owners can delete. Staff must give up their rights first,
    because their decisions carry their names."""
    return Player.objects.filter(
        is_guest=False, is_staff=False, is_active=True, alias_of=None, bot_level=None
    )


def _anonymize(player_id: int) -> bool:
    """Delete all that identifies the person. Return False if the owner has logged in since."""
    with transaction.atomic():
        player = Player.objects.select_for_update().filter(pk=player_id).first()
        if player is None or player.closing_at is None or player.closing_at > timezone.now():
            return False
        if player.closed_at is not None:
            return True
        rows = get_aliases(player_id)
        for handler in handlers:
            handler(player)
        for row in rows:
            release_name(
                row,
                shown_as=CLOSED,
                is_active=False,
                email="",
                password=make_password(None),
                last_login=None,
            )
        Player.objects.filter(pk=player_id).update(closed_at=timezone.now(), must_rename=False)
        player.groups.clear()
        log.info("account closed", player=player_id)
    return True


def _delete_connections(player_id: int) -> bool:
    """Delete a batch of the player's connections and networks. Return False if it was empty."""
    rows = get_aliases(player_id)
    matches = Match.objects.filter(match_players_filter(rows))
    own = Q(seat=0, match__first__in=rows) | Q(seat=1, match__second__in=rows)
    removed = 0
    for model in (Connection, ClientNetwork):
        found = model.objects.filter(own, match__in=matches).values_list("pk", flat=True)
        removed += model.objects.filter(pk__in=list(found[:_ROWS_PER_ROUND])).delete()[0]
    return bool(removed)


def cancel_after_login(sender: Any, request: HttpRequest, user: Player, **more: Any) -> None:
    """Keep the account of a user who logs in, and tell them."""
    if user.closing_at is not None and cancel_deletion(user.pk):
        user.closing_at = None
        messages.success(request, render(build_message("closing.undone")))
