"""A player's own searches and invitations, and the matches that began from them."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from games.models import Match
from games.rules import GAMES
from games.store.holders import acting
from lobby.live.protocol import Begun, Own, OwnSeek
from lobby.models import Seek

_NEWS = timedelta(hours=1)  # so long a player is told of a match that began while they were away


def read_own(player_ids: Iterable[int]) -> dict[int, Own]:
    """The `own` frame of each of these players.

    `seeks` are the open ones, the oldest first; `begun` are the matches that began from other seeks
    and in which the player has not acted yet.
    """
    players = list(player_ids)
    # A match may have begun from a seek of an alias before it was one.
    of = {row: player_id for player_id, rows in acting(players).items() for row in rows}
    seeks: defaultdict[int, list[OwnSeek]] = defaultdict(list)
    begun: defaultdict[int, list[Begun]] = defaultdict(list)
    now = timezone.now()
    own = Seek.objects.filter(player_id__in=of, game__in=GAMES).order_by("created_at")
    alive = now - timedelta(seconds=settings.GONE_SECONDS)
    still_open = own.filter(match=None).filter(Q(by_address=True) | Q(seen_at__gte=alive))
    for player_id, pk, game, clock, created_at, by_address in still_open.values_list(
        "player_id", "pk", "game", "clock", "created_at", "by_address"
    ):
        since = int(created_at.timestamp())
        seeks[of[player_id]].append(OwnSeek(pk, game, clock or None, since, by_address))
    paired = own.filter(match__status=Match.Status.LIVE, match__created_at__gt=now - _NEWS)
    for seek in paired.select_related("match", "match__first", "match__second"):
        if seek.match is not None and not seek.match.acted & _seat(seek.match, seek.player_id):
            begun[of[seek.player_id]].append(_begun(seek, seek.match))
    return {pk: Own(tuple(seeks[pk]), tuple(begun[pk])) for pk in players}


def _seat(match: Match, player_id: int) -> int:
    """The player's seat as a bit of `acted`."""
    return 1 if match.first_id == player_id else 2


def _begun(seek: Seek, match: Match) -> Begun:
    opponent = match.second if match.first_id == seek.player_id else match.first
    return Begun(
        seek=seek.pk,
        match=match.pk,
        url=match.get_absolute_url(),
        game=seek.game,
        opponent=opponent.name,
        invitation=seek.by_address,
    )
