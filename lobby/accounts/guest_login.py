"""A guest becomes an account, or turns out to be one.

Whatever belongs to accounts hears of it here. Handlers run inside the transaction: all of it
happens or nothing, and the session is that of the guest still. What is to happen after the commit
they leave to `transaction.on_commit`.
"""

from django.db import transaction
from django.dispatch import Signal
from django.http import HttpRequest

from lobby.models import Player

signed_up = Signal()
"""`account` has been made; `was_guest`: it is the very row of a guest. Also given: `request`."""

guest_signed_in = Signal()
"""The visitor was `guest`, and has proved to be `account`, another row. Also given: `request`."""


def log_in_guest(request: HttpRequest, guest: Player, account: Player) -> None:
    """Tell that a guest has logged in to an account that they have."""
    with transaction.atomic():
        guest_signed_in.send(sender=Player, request=request, guest=guest, account=account)
