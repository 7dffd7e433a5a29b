"""Closing an account: a week after it was asked for, unless its owner signs in until then.

What is left is a row without a name, whose games stay and stay provable. It is done in pieces, each
a transaction of its own, by whatever referee comes to it: `closing_at` stays until the last of it.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import structlog
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.hashers import make_password
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Q, QuerySet
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from games.models import Caller, ClientNetwork, Connection, Match, Notice
from games.store.aliases import acting_as, seated
from games.words import say, words
from lobby.accounts.renaming import let_go
from lobby.models import Device, FormerName, Player, RecoveryWords, Seek, SignIn

log = structlog.get_logger(__name__)

CLOSED = "Closed account"
"""What is read as the name of whoever closed their account. Nobody can choose it."""

_MOST = 20  # accounts in one round of the chores
_EACH = 1000  # rows deleted in one go

Forgets = Callable[[Player], None]
_forgets: list[Forgets] = []


def forgets(part: Forgets) -> Forgets:
    """Decorator: call the function with each account that is closed, in that transaction. It
    deletes what its part of the site stores about the person, beside their games."""
    _forgets.append(part)
    return part


def ask_to_close(player_id: int) -> bool:
    """Have the account closed after ACCOUNT_CLOSING_DAYS; whether it is an account that can be."""
    due = timezone.now() + timedelta(days=settings.ACCOUNT_CLOSING_DAYS)
    return bool(_closable().filter(pk=player_id, closing_at=None).update(closing_at=due))


def keep_open(player_id: int) -> bool:
    """The owner has logged in: the account stays; whether it was to be closed."""
    due = Player.objects.filter(pk=player_id, closing_at__isnull=False, closed_at=None)
    return bool(due.update(closing_at=None))


def close_due() -> None:
    """Close the accounts whose time has come, and go on with those that are half done."""
    due = Player.objects.filter(closing_at__lte=timezone.now()).order_by("closing_at")
    for player_id in list(due.values_list("pk", flat=True)[:_MOST]):
        if _close(player_id) and not _forget_connections(player_id):
            Player.objects.filter(pk=player_id).update(closing_at=None)


def _closable() -> QuerySet[Player]:
    """Staff are made ordinary players first: what they decided is signed by them."""
    return Player.objects.filter(
        is_guest=False, is_staff=False, is_active=True, alias_of=None, bot_level=None
    )


def _close(player_id: int) -> bool:
    """Take away all that says who it was. True if that is done, now or before."""
    with transaction.atomic():
        player = Player.objects.select_for_update().filter(pk=player_id).first()
        if player is None or player.closing_at is None or player.closing_at > timezone.now():
            return False  # the owner has logged in since
        if player.closed_at is not None:
            return True
        rows = acting_as(player_id)
        for part in _forgets:
            part(player)
        for row in rows:
            let_go(
                row,
                shown_as=CLOSED,
                is_active=False,
                email="",
                password=make_password(None),
                last_login=None,
            )
        Player.objects.filter(pk=player_id).update(closed_at=timezone.now(), must_rename=False)
        player.groups.clear()
        FormerName.objects.filter(player=player).delete()
        Seek.objects.filter(player__in=rows, match=None).delete()
        Notice.objects.filter(player__in=rows).delete()
        Caller.objects.filter(player__in=rows).delete()
        log.info("account closed", player=player_id)
    return True


def _forget_connections(player_id: int) -> bool:
    """Delete some of the notes about the player's connections and networks; whether there may be
    more."""
    rows = acting_as(player_id)
    matches = Match.objects.filter(seated(rows))
    own = Q(seat=0, match__first__in=rows) | Q(seat=1, match__second__in=rows)
    removed = 0
    for rows_of in (Connection, ClientNetwork):
        found = rows_of.objects.filter(own, match__in=matches).values_list("pk", flat=True)
        removed += rows_of.objects.filter(pk__in=list(found[:_EACH])).delete()[0]
    return bool(removed)


@receiver(user_logged_in)
def _logged_in(sender: Any, request: HttpRequest, user: Player, **more: Any) -> None:
    if user.closing_at is not None and keep_open(user.pk):
        user.closing_at = None
        messages.success(request, say(words("closing.undone")))


@forgets
def _forget_allauth(player: Player) -> None:
    """The address, the second factors, and where the account is logged in."""
    keys = list(UserSession.objects.filter(user=player).values_list("session_key", flat=True))
    Session.objects.filter(session_key__in=keys).delete()
    for rows in (UserSession, EmailAddress, Authenticator):
        rows.objects.filter(user=player).delete()
    for own in (RecoveryWords, Device, SignIn):
        own.objects.filter(player=player).delete()
