"""Guests: a name and a session at one click, and another name if they do not like it."""

from random import SystemRandom

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.messages.guest_names import choose_guest_name
from games.messages.names import compute_name_key
from games.models import Match
from lobby.models import Player
from lobby.models.player import must_not_be_kept

_TRIES = 20
_SHORT = 5  # of the tries, with a name of two words


def new_guest() -> Player:
    """Store a guest under a pleasant name that nobody has."""
    for attempt in range(_TRIES):
        guest = Player(username=_name(attempt), is_guest=True)
        guest.set_unusable_password()
        try:
            with transaction.atomic():
                guest.save()
                return guest
        except IntegrityError:
            continue
    raise RuntimeError(f"no free name for a guest was found in {_TRIES} tries")


def can_reroll_name(player: Player) -> bool:
    """Whether the player may have another name: a guest, once, before their first game."""
    return player.is_guest and not player.has_rolled and _rollable(player.pk).exists()


def reroll_name(player: Player) -> bool:
    """Give the guest another name; False where they may not, or no longer.

    One statement asks and writes: of two that come at once, to whichever servers, one changes it.
    """
    for attempt in range(_TRIES):
        name = _name(attempt)
        try:
            with transaction.atomic():
                done = _rollable(player.pk).update(
                    username=name, name_key=compute_name_key(name), has_rolled=True
                )
                must_not_be_kept(name, player.pk)
        except IntegrityError:
            continue
        return done == 1
    raise RuntimeError(f"no free name for a guest was found in {_TRIES} tries")


def _rollable(player_id: int) -> QuerySet[Player]:
    played = Match.objects.filter(Q(first=OuterRef("pk")) | Q(second=OuterRef("pk")))
    return Player.objects.filter(~Exists(played), pk=player_id, is_guest=True, has_rolled=False)


def _name(attempt: int) -> str:
    return choose_guest_name(SystemRandom(), 2 if attempt < _SHORT else 3)
