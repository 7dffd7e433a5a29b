"""Guests: players with a name and a session but no password."""

from random import SystemRandom

from django.contrib.auth import login
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest

from games.messages.guest_names import choose_guest_name
from games.messages.names import compute_name_key
from games.models import Match
from games.runtime.addresses import get_request_network
from lobby.accounts.limits import may_make_guest
from lobby.models import Player
from lobby.models.player import must_not_be_kept

_TRIES = 20
_SHORT_TRIES = 5  # attempts with names of two words; in later attempts, names have three


def new_guest() -> Player:
    """Create a guest with a random name. Raise `RuntimeError` if no free name is found."""
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
    """Return whether the player is a guest who can get another name.

    Guests can get another name once, before their first game.
    """
    return player.is_guest and not player.has_rolled and _rollable(player.pk).exists()


def reroll_name(player: Player) -> bool:
    """Give the guest another name. Return False if the guest cannot get one.

    One statement checks and writes, so only one of two simultaneous requests changes the name.
    Raise `RuntimeError` if no free name is found.
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
    return choose_guest_name(SystemRandom(), 2 if attempt < _SHORT_TRIES else 3)


def get_or_create_player(request: HttpRequest) -> Player | None:
    """Return the visitor's player, or create a guest and log the visitor in as this guest.

    Return None if too many guests have been created from the visitor's address.
    """
    if isinstance(request.user, Player):
        return request.user
    if not may_make_guest(get_request_network(request)):
        return None
    made = new_guest()
    login(request, made)
    return made
