"""Making an account: of a guest, whose row stays the very same, or anew."""

from allauth.account.models import EmailAddress
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from games.messages.names import compute_name_key
from games.messages.refusal import Refused
from lobby.accounts.guest_login import signed_up
from lobby.models import Player
from lobby.models.player import must_not_be_kept


def sign_up(
    request: HttpRequest, guest: Player | None, name: str, password: str, email: str
) -> Player:
    """Make the account. `name` has been checked; `password` is the hash of one.

    Every match of the guest stays theirs. Raises `Refused`: "taken-name" if somebody else was
    faster to take the name, "signed-up" if the guest is an account by now.
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
    if guest is None:
        account = Player(username=name, password=password, email=email)
        account.save(force_insert=True)
        return account
    # Of two tabs that sign up at once, one finds a guest here.
    still_guest = Player.objects.filter(pk=guest.pk, is_guest=True, is_active=True)
    done = still_guest.update(
        username=name,
        name_key=compute_name_key(name),
        password=password,
        email=email,
        is_guest=False,
    )
    if not done:
        raise Refused("signed-up")
    must_not_be_kept(name, guest.pk)
    return Player.objects.get(pk=guest.pk)
