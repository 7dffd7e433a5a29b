"""Sign-up, and the login of a guest to an account.

A guest who signs up keeps the same `Player` row, and with it all matches. The handlers of
`signed_up` and `guest_signed_in` run in a transaction, before the visitor is logged in to the
account. They must use `transaction.on_commit` for work after the commit.
"""

from allauth.account.models import EmailAddress
from django.db import IntegrityError, transaction
from django.dispatch import Signal
from django.http import HttpRequest
from django.utils import translation

from games.messages.names import compute_name_key
from games.messages.refusal import Refused
from lobby.models import Player
from lobby.models.player import must_not_be_kept


def sign_up(
    request: HttpRequest, guest: Player | None, name: str, password: str, email: str
) -> Player:
    """Create the account. `name` must have been checked; `password` is a hash.

    Raise `Refused`: "taken-name" if another player has just taken the name, "signed-up" if the
    guest has already become an account.
    """
    try:
        with transaction.atomic():
            account = _made(guest, name, password, email)
            if email:
                EmailAddress.objects.create(user=account, email=email, primary=True)
            signed_up.send(
                sender=Player, request=request, account=account, was_guest=guest is not None
            )
            return account
    except IntegrityError:
        raise Refused("taken-name") from None


def _made(guest: Player | None, name: str, password: str, email: str) -> Player:
    language = translation.get_language() or ""  # of the page, and from now on of the e-mails
    if guest is None:
        account = Player(username=name, password=password, email=email, language=language)
        account.save(force_insert=True)
        return account
    # If two tabs sign up at the same time, only one of them finds a guest here.
    still_guest = Player.objects.filter(pk=guest.pk, is_guest=True, is_active=True)
    done = still_guest.update(
        username=name,
        name_key=compute_name_key(name),
        password=password,
        email=email,
        language=language,
        is_guest=False,
    )
    if not done:
        raise Refused("signed-up")
    must_not_be_kept(name, guest.pk)
    return Player.objects.get(pk=guest.pk)


signed_up = Signal()
"""Sent with `request` when `account` has been created, from a guest if `was_guest`."""

guest_signed_in = Signal()
"""Sent with `request` when `guest` logs in to `account`, before the session changes."""


def log_in_guest(request: HttpRequest, guest: Player, account: Player) -> None:
    """Send `guest_signed_in` within a transaction."""
    with transaction.atomic():
        guest_signed_in.send(sender=Player, request=request, guest=guest, account=account)
