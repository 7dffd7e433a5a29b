"""What a player waits for: own searches and invitations, and the matches that began from them."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from games.models import Match
from games.rules import GAMES
from lobby.models import Seek

_NEWS = timedelta(hours=1)  # for which a match that began without its player is told of

Own = dict[str, Any]


def read_own(player_ids: Iterable[int]) -> dict[int, Own]:
    """The `own` frame of each of these players.

    `seeks` are open, the oldest first; `begun` are matches that came of others, in which the player
    has not acted yet.
    """
    found: dict[int, Own] = {pk: {"type": "own", "seeks": [], "begun": []} for pk in player_ids}
    now = timezone.now()
    own = Seek.objects.filter(player_id__in=found, game__in=GAMES).order_by("created_at")
    alive = now - timedelta(seconds=settings.GONE_SECONDS)
    still_open = own.filter(match=None).filter(Q(by_address=True) | Q(seen_at__gte=alive))
    for player_id, pk, game, clock, created_at, by_address in still_open.values_list(
        "player_id", "pk", "game", "clock", "created_at", "by_address"
    ):
        found[player_id]["seeks"].append(
            {
                "seek": pk,
                "game": game,
                "name": GAMES[game].name,
                "clock": clock or None,
                "since": int(created_at.timestamp()),
                "invitation": by_address,
            }
        )
    paired = own.filter(match__status=Match.Status.LIVE, match__created_at__gt=now - _NEWS)
    for seek in paired.select_related("match", "match__first", "match__second"):
        if seek.match is not None and not seek.match.acted & _seat(seek.match, seek.player_id):
            found[seek.player_id]["begun"].append(_begun(seek, seek.match))
    return found


def _seat(match: Match, player_id: int) -> int:
    """The player's seat as a bit of `acted`."""
    return 1 if match.first_id == player_id else 2


def _begun(seek: Seek, match: Match) -> dict[str, Any]:
    opponent = match.second if match.first_id == seek.player_id else match.first
    return {
        "seek": seek.pk,
        "match": match.pk,
        "url": match.get_absolute_url(),
        "name": GAMES[seek.game].name,
        "opponent": opponent.username,
        "invitation": seek.by_address,
    }
