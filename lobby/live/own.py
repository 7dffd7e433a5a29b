"""A player's own searches, invitations and challenges, and what became of them."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from games.models import Match
from games.rules import GAMES
from games.store.holders import acting
from lobby.live.protocol import Begun, Declined, Own, OwnChallenge, OwnSeek
from lobby.models import Challenge, Seek

_NEWS = timedelta(hours=1)  # so long a player is told of what happened while they were away
_CHALLENGES = 20  # that one player is shown


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
    challenges: defaultdict[int, list[OwnChallenge]] = defaultdict(list)
    declined: defaultdict[int, list[Declined]] = defaultdict(list)
    for each in _challenges(of, now):
        for row in {each.challenger_id, each.challenged_id}.intersection(of):
            player_id = of[row]
            if each.match is not None:
                if not each.match.acted & _seat(each.match, row):
                    begun[player_id].append(_begun_by_challenge(each, each.match, row))
            elif each.answer == Challenge.Answer.DECLINED:
                if row == each.challenger_id:
                    name = each.challenged.name
                    declined[player_id].append(Declined(each.pk, each.game, name, each.word))
            elif len(challenges[player_id]) < _CHALLENGES:
                challenges[player_id].append(_challenge(each, row))
    return {
        pk: Own(tuple(seeks[pk]), tuple(begun[pk]), tuple(challenges[pk]), tuple(declined[pk]))
        for pk in players
    }


def _challenges(rows: Collection[int], now: datetime) -> Iterable[Challenge]:
    """Those that are open, and those that were answered a while ago, the oldest first."""
    is_open = Q(answer=Challenge.Answer.OPEN, expires_at__gt=now)
    declined = Q(answer=Challenge.Answer.DECLINED, answered_at__gt=now - _NEWS)
    live = Q(match__status=Match.Status.LIVE, answered_at__gt=now - _NEWS)
    found = Challenge.objects.filter(
        Q(challenger_id__in=rows) | Q(challenged_id__in=rows),
        is_open | declined | live,
        game__in=GAMES,
    )
    people = "challenger", "challenged", "match", "match__first", "match__second"
    return found.select_related(*people).order_by("created_at")


def _challenge(each: Challenge, player_id: int) -> OwnChallenge:
    mine = each.challenger_id == player_id
    return OwnChallenge(
        challenge=each.pk,
        url=each.get_absolute_url(),
        game=each.game,
        clock=each.clock or None,
        options=each.options,
        rated=each.rated,
        side=each.side,
        player=(each.challenged if mine else each.challenger).name,
        mine=mine,
        until=int(each.expires_at.timestamp()),
    )


def _begun_by_challenge(each: Challenge, match: Match, player_id: int) -> Begun:
    opponent = match.second if match.first_id == player_id else match.first
    return Begun(
        seek=each.pk,
        match=match.pk,
        url=match.get_absolute_url(),
        game=each.game,
        opponent=opponent.name,
        invitation=each.challenger_id == player_id,
    )


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
