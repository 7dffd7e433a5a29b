"""How two people find each other. Each function is one transaction, called at the desk.

A seek is listed first and paired after, so two who ask at the same moment on two servers see each
other; both seeks are then claimed under lock, in the order of their ids, and only if both are open.
"""

import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from msgspec import Struct

from games.journal import open_match
from games.models import Match
from games.setup import Setup
from games.suspensions import suspension, suspensions
from lobby.models import Seek

_ADDRESS_LASTS = timedelta(days=7)  # an invitation by address waits that long


class Refusal(Exception):  # noqa: N818  # an answer of the domain
    """A wish that cannot be granted; `code` is one of the contract's words."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Pairing(Struct, frozen=True):
    """Two people and their match. `seeks` are the ids that led to it, by player."""

    match_id: str
    roles: dict[int, str]  # the role of each player
    seeks: dict[str, int]  # the player of each seek that was claimed


def seek(player_id: int, game: str, clock: str, by_address: bool = False) -> Seek:
    """List a seek. The same player's same wish again is the same seek.

    Raises `Refusal` for a player who is suspended.
    """
    _must_not_be_suspended(player_id)
    now = timezone.now()
    wish = {"player_id": player_id, "game": game, "clock": clock, "by_address": by_address}
    for _ in range(2):
        if not by_address:
            known = Seek.objects.filter(match=None, **wish).first()
            if known is not None:
                if known.seen_at < _freshest():  # it had lapsed: it waits from now on
                    known.created_at = now
                known.seen_at = now
                known.save(update_fields=["seen_at", "created_at"])
                return known
        try:
            with transaction.atomic():
                return Seek.objects.create(**wish, created_at=now, seen_at=now)
        except IntegrityError:
            continue  # the other tab listed it at the same moment
    raise Refusal("unavailable")


def pair(own: Seek) -> Pairing | None:
    """Pair an open seek with whoever waits longest for the same; None where nobody does."""
    waiting = (
        Seek.objects.filter(
            match=None,
            by_address=False,
            game=own.game,
            clock=own.clock,
            seen_at__gte=_freshest(),
            player__is_active=True,
        )
        .exclude(player_id=own.player_id)
        .order_by("created_at")
        .values_list("pk", flat=True)
    )
    for other in waiting[:10]:
        pairing = _claim([own.pk, other])
        if pairing is not None:
            return pairing
    return None


def join(player_id: int, seek_id: str) -> Pairing:
    """Take up somebody's seek. Raises `Refusal`: it is gone, or one's own."""
    _must_not_be_suspended(player_id)
    found = Seek.objects.filter(pk=seek_id, match=None).first()
    if found is None or (not found.by_address and found.seen_at < _freshest()):
        raise Refusal("taken")
    if found.player_id == player_id:
        raise Refusal("not-allowed")
    pairing = _claim([found.pk], with_player=player_id)
    if pairing is None:
        raise Refusal("taken")
    return pairing


def cancel(player_id: int, seek_id: str | None) -> list[str]:
    """Withdraw one's open seek, or all that are listed; the ids that are gone."""
    mine = Seek.objects.filter(player_id=player_id, match=None)
    mine = mine.filter(by_address=False) if seek_id is None else mine.filter(pk=seek_id)
    with transaction.atomic():
        gone = list(mine.select_for_update().values_list("pk", flat=True))
        Seek.objects.filter(pk__in=gone, match=None).delete()
    return gone


def keep(player_ids: set[int]) -> None:
    """Note that these players hold a lobby socket: their seeks live on. The others lapse."""
    now = timezone.now()
    waiting = Seek.objects.filter(match=None)
    listed = waiting.filter(by_address=False)
    listed.filter(player_id__in=player_ids, seen_at__gte=_freshest()).update(seen_at=now)
    listed.filter(seen_at__lt=_freshest()).delete()
    waiting.filter(by_address=True, created_at__lt=now - _ADDRESS_LASTS).delete()


def outcome(seek_ids: set[str]) -> dict[str, Seek]:
    """What became of seeks, by id: paired if `match` is set, else open. Who is gone is left out."""
    found = Seek.objects.filter(pk__in=seek_ids).select_related("match")
    return {
        seek.pk: seek
        for seek in found
        if seek.match is not None or seek.by_address or seek.seen_at >= _freshest()
    }


def role_in(match: Match, player_id: int) -> str:
    """The player's role in the match."""
    return match.rules.roles[0 if match.first_id == player_id else 1]


def _must_not_be_suspended(player_id: int) -> None:
    if suspension(player_id) is not None:
        raise Refusal("suspended")


def _freshest() -> datetime:
    return timezone.now() - timedelta(seconds=settings.GONE_SECONDS)


def _claim(seek_ids: list[str], with_player: int | None = None) -> Pairing | None:
    with transaction.atomic():
        seeks = list(
            Seek.objects.select_for_update(of=("self",))
            .filter(pk__in=seek_ids, match=None)
            .order_by("pk")
        )
        if len(seeks) != len(seek_ids):
            return None
        players = [seek.player_id for seek in seeks]
        if with_player is not None:
            players.append(with_player)
        if suspensions(players):
            return None
        secrets.SystemRandom().shuffle(players)
        first, second = players
        match = open_match(Setup(seeks[0].game, seeks[0].clock), first, second)
        claimed_ids = {claimed.pk: claimed.player_id for claimed in seeks}
        Seek.objects.filter(pk__in=claimed_ids).update(match=match)
        # Their other listed seeks end too: nobody is drawn into two matches at once.
        Seek.objects.filter(player_id__in=players, match=None, by_address=False).delete()
    roles = match.rules.roles
    return Pairing(match.pk, dict(zip(players, roles, strict=True)), claimed_ids)
