"""Guests: one click gives a visitor a name and a session."""

import coolname
from django.db import IntegrityError, transaction

from games.words.names import check_name
from games.words.refusal import Refused
from lobby.models import Player


def new_guest() -> Player:
    """Store a guest under a pleasant name that nobody else has."""
    for attempt in range(20):
        words = coolname.generate(2 if attempt < 10 else 3)
        name = " ".join(word.capitalize() for word in words)
        try:
            with transaction.atomic():
                guest = Player(username=check_name(name), is_guest=True)
                guest.set_unusable_password()
                guest.save()
                return guest
        except (Refused, IntegrityError):
            continue
    raise RuntimeError("no free name for a guest was found in 20 tries")
