"""Matches of two people at one screen, in which the second player has no session.

The second player is created once for each host, and used in all such matches. Nobody can log in as
that player, who therefore does not seek opponents. The host's session acts for them
(`games.store.seats`).
"""

from collections.abc import Collection

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.db.models import Q

from games.journal.opening import open_match
from games.match.setup import Setup
from games.messages.refusal import Refused
from games.models import Match
from games.runtime.prepared_query import PreparedQuery
from games.store.suspensions import get_suspensions
from lobby.models import Player
from lobby.models.player import beside_names
from lobby.seeks.setup_choices import Side, takes_first_seat


def open_one_screen_match(player_id: int, setup: Setup, side: Side = "lot") -> Match:
    """Open a match of two people at one screen.

    Raise `Refused` if one of them is suspended, if the host has begun too many matches, or if the
    host has too many live matches of this kind.
    """
    with transaction.atomic():
        friend_id = get_friend(Player.objects.get(pk=player_id)).pk
        if get_suspensions([player_id, friend_id]):
            raise Refused("suspended")
        seats = (player_id, friend_id) if takes_first_seat(side) else (friend_id, player_id)
        made = open_match(setup, *seats)  # this locks both players until the transaction ends
        # The host is locked only now, so the host may have been protected after the friend was
        # created.
        Player.objects.filter(pk=friend_id, beside__is_protected=True).update(is_protected=True)
        live = Match.objects.filter(Q(first=friend_id) | Q(second=friend_id), status="live")
        if settings.RATE_LIMITS and live.count() > settings.SHARED_SCREEN_MATCHES_PER_PLAYER:
            raise Refused("many-beside")
    return made


def get_friend(host: Player) -> Player:
    """Return the player who sits beside the host. The player is created when first needed.

    Raise `RuntimeError` if there is no free name for this player.
    """
    found = Player.objects.filter(beside=host).first()
    if found is not None:
        return found
    for name in beside_names(host.username):
        try:
            with transaction.atomic():
                return Player.objects.create(
                    username=name,
                    is_guest=True,
                    beside=host,
                    password=make_password(None),
                    is_protected=host.is_protected,
                )
        except IntegrityError:  # another tab was faster, or another player has the name
            found = Player.objects.filter(beside=host).first()
            if found is not None:
                return found
    raise RuntimeError("no free name for who sits beside a player")


def get_hosts(player_ids: Collection[int]) -> dict[int, int]:
    """Return a dictionary that maps players who sit at another player's screen to that player."""
    return dict(_hosts(player_ids))


_hosts = PreparedQuery(
    lambda players: Player.objects.filter(pk__in=players, beside__isnull=False).values_list(
        "pk", "beside"
    )
)
