"""Seeks and their pairing.

The functions run on a database thread. A seek is first listed and then paired, so that two players
who seek at the same moment on two servers see each other. To pair two seeks, the players are
locked, so that neither gets two matches, and then the seeks, both in the order of their ids. The
pairing succeeds only if both seeks are still open.
"""

import random
import secrets
from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from msgspec import Struct
from msgspec.structs import asdict, astuple

from games.journal.opening import are_apart, has_begun_many, lock_names, open_match
from games.match.setup import Setup
from games.messages.refusal import Refused
from games.models import Match
from games.rules import GAMES, LISTED_GAMES
from games.runtime.prepared_query import PreparedQuery
from games.store.aliases import get_aliases, get_person, get_persons
from games.store.suspensions import get_suspension, get_suspensions
from lobby.groups.care import must_not_be_paused
from lobby.groups.membership import are_all_in, is_closed
from lobby.models import Player, Seek
from lobby.models.seek import POOLED
from lobby.players.blocks import build_not_blocked_condition
from lobby.players.bots import must_be_of_one_kind, must_not_be_a_bot
from lobby.privacy.protection import must_be_public
from lobby.seeks.offers import get_expiry_limit, get_listed_seeks
from lobby.seeks.pool import schedule_wave
from lobby.seeks.rated import ANYBODY, Between, must_be_in_range, must_have_accounts

_INVITATION_LIFETIME = timedelta(days=7)
_PARTS = Setup.__struct_fields__
_CANDIDATES = 5  # the maximum number of players whose presence is checked for one seek
_MEETABLE = 20  # the maximum number of seeks that are tried again at a time
_NEWS = timedelta(minutes=5)  # tabs are not notified of matches that began longer ago


class SeekPairing(Struct, frozen=True):
    """Two players who were paired, and their match."""

    match_id: str
    roles: dict[int, str]  # the role of each player
    seeks: dict[str, int]  # the player of each paired seek
    ended: dict[str, int]  # the player of each other seek that the pairing has ended


class Candidate(Struct, frozen=True):
    """A seek that could be paired."""

    seek_id: str
    player_id: int


def create_seek(
    player_id: int,
    setup: Setup,
    by_address: bool = False,
    group_id: str | None = None,
    wanted: Between = ANYBODY,
) -> Seek:
    """List a seek, or renew the player's equal seek. `group_id` lists it in that group's lobby.

    With `by_address`, create an invitation instead, which is not listed. `wanted` is the range of
    ratings of an opponent in a rated match; the lobbies of groups ignore it. Raise `Refused` if the
    group is closed, or if the player may not start a match now (see `must_be_free_to_play`), has
    begun too many matches, has too many open seeks or invitations, is not in the group, or is a
    guest who seeks a rated match. Without `by_address`, also raise it for a bot, and outside groups
    for a minor and for a game that is not listed.
    """
    if group_id is None and not by_address and setup.game not in LISTED_GAMES:
        raise Refused("game-by-invitation")
    must_be_free_to_play(player_id)
    if setup.rated:
        must_have_accounts([player_id])
    _must_have_begun_few(player_id)
    wanted = wanted if setup.rated and group_id is None else ANYBODY
    now = timezone.now()
    wish = {
        "player_id": player_id,
        **asdict(setup),
        "by_address": by_address,
        "group_id": group_id,
    }
    for _ in range(2):
        try:
            with transaction.atomic():
                lock_players([player_id])
                # The account may have become an alias since this request began.
                if get_person(player_id) != player_id:
                    raise Refused("not-a-player")
                if not are_all_in(group_id, [player_id]):
                    raise Refused("not-a-member")
                if is_closed(group_id):
                    raise Refused("group-closed")
                if group_id is None and not by_address:
                    must_be_public(player_id)
                if not by_address:
                    must_not_be_a_bot(player_id)
                if not by_address:
                    known = Seek.objects.filter(match=None, **wish).first()
                    if known is not None:
                        if known.seen_at < get_expiry_limit():
                            # The seek had expired, so its wait starts again.
                            known.created_at = now
                        known.seen_at = now
                        known.lowest, known.highest = astuple(wanted)
                        known.save(update_fields=["seen_at", "created_at", "lowest", "highest"])
                        return _schedule_wave(known)
                _must_have_room(player_id, by_address)
                bounds = asdict(wanted)
                made = Seek.objects.create(**wish, **bounds, created_at=now, seen_at=now)
                return _schedule_wave(made)
        except IntegrityError:
            continue  # another tab of the player listed an equal seek at this moment
    raise Refused("unavailable")


def _schedule_wave(seek: Seek) -> Seek:
    """Return the seek, after scheduling a wave if it belongs to a pool."""
    if seek.is_pooled:
        schedule_wave(seek.setup)
    return seek


def list_candidates(own: Seek) -> list[Candidate]:
    """Return up to `_CANDIDATES` seeks of other players with the same setup, oldest first.

    Their players may be absent.
    """
    waiting = (
        get_listed_seeks()
        .filter(**asdict(own.setup), group=own.group_id, player__is_active=True)
        .filter(build_not_blocked_condition(own.player_id, "player_id"))
        .exclude(player_id=own.player_id)
        .order_by("created_at")
        .values_list("pk", "player_id")
    )
    return [Candidate(*found) for found in waiting[:_CANDIDATES]]


def list_matching_seeks(player_ids: set[int]) -> list[Seek]:
    """Return open seeks of these players that match another player's seek, outside the pools.

    There are at most `_MEETABLE`, chosen at random, one for each player.
    """
    of_wish: defaultdict[tuple[object, ...], dict[str, int]] = defaultdict(dict)
    active = get_listed_seeks().exclude(POOLED).filter(player__is_active=True)
    for pk, player_id, *wish in active.values_list("pk", "player_id", "group", *_PARTS):
        of_wish[tuple(wish)][pk] = player_id
    found = [
        (player_id, pk)
        for seeks in of_wish.values()
        if len(set(seeks.values())) > 1
        for pk, player_id in seeks.items()
        if player_id in player_ids
    ]
    random.shuffle(found)  # nosec B311
    some = list(dict(found).values())[:_MEETABLE]  # one seek per player
    return list(get_listed_seeks().filter(pk__in=some)) if some else []


def pair_seeks(own_id: str, other_id: str) -> SeekPairing | None:
    """Pair two open seeks. Return None if they can no longer be paired."""
    return _open_match([own_id, other_id])


def get_joinable_seek(player_id: int, seek_id: str) -> Seek:
    """Return the open seek that the player may join.

    Raise `Refused` if the seek is gone, if it is the player's own, or if the player may not play,
    may not meet the other player, or does not meet the seek's requirements.
    """
    must_be_free_to_play(player_id)
    _must_have_begun_few(player_id)
    found = Seek.objects.filter(pk=seek_id, match=None, game__in=GAMES).first()
    if found is None or (not found.by_address and found.seen_at < get_expiry_limit()):
        raise Refused("taken")
    if found.player_id in get_aliases(player_id):
        raise Refused("not-allowed")
    if not are_all_in(found.group_id, [player_id]):
        raise Refused("taken")  # do not reveal the seek to players outside the group
    if found.group_id is None and not found.by_address:
        must_be_public(player_id)
    if not found.by_address:
        must_not_be_a_bot(player_id)
    if found.rated:
        must_be_of_one_kind(player_id, found.player_id)
    if are_apart([player_id, found.player_id]):
        must_be_public(player_id)  # the refusal says where protected players can play
        raise Refused("taken")  # as if another player had been faster, because blocks are secret
    if found.rated:
        must_be_in_range(player_id, found)
    return found


def join_seek(player_id: int, seek_id: str) -> SeekPairing:
    """Join another player's seek.

    Raise `Refused` if the seek is gone or if the player may not join it (see `get_joinable_seek`).
    """
    found = get_joinable_seek(player_id, seek_id)
    pairing = _open_match([found.pk], with_player=player_id)
    if pairing is None:
        raise Refused("taken")
    return pairing


def end_searches(player_ids: set[int]) -> dict[str, int]:
    """End the listed seeks of these players, who are playing now.

    Return a dictionary that maps each ended seek to its player. Invitations stay open, because each
    was sent to somebody who may still accept it.
    """
    with transaction.atomic():
        lock_players(list(player_ids))  # lock the players before their seeks, as for a pairing
        return end_searches_within(player_ids)


def end_overtaken(player_ids: set[int]) -> dict[str, int]:
    """End all listed seeks of these players who began a match after listing one of them.

    Return a dictionary that maps each ended seek to its player. A new match ends seeks immediately.
    This function handles matches for which the hint from another server was lost. Matches against
    the computer do not end seeks, because waiting players may play them.
    """
    between_people = Match.objects.filter(first_level=None, second_level=None)
    later = between_people.filter(created_at__gt=OuterRef("created_at"))
    playing = (
        get_listed_seeks()
        .filter(player_id__in=player_ids)
        .filter(
            Exists(later.filter(first_id=OuterRef("player_id")))
            | Exists(later.filter(second_id=OuterRef("player_id")))
        )
    )
    players = set(playing.values_list("player_id", flat=True))
    return end_searches(players) if players else {}


def cancel_seeks(player_id: int, seek_id: str | None) -> dict[str, int]:
    """Cancel a seek or an invitation of the player, or all listed seeks if `seek_id` is None.

    Return a dictionary that maps each cancelled seek to the player.
    """
    with transaction.atomic():
        lock_players([player_id])  # lock the player before the seeks, as for a pairing
        gone = {
            pk: player_id
            for pk, _, by_address, _ in _open_of([player_id])
            if (not by_address if seek_id is None else pk == seek_id)
        }
        Seek.objects.filter(pk__in=gone, match=None).delete()
    return gone


def record_presence(player_ids: set[int]) -> None:
    """Record that these players are present, so that their seeks do not expire.

    Also delete the seeks that have expired.
    """
    now = timezone.now()
    listed = Seek.objects.filter(match=None, by_address=False)
    with transaction.atomic():
        listed.filter(player_id__in=player_ids, seen_at__gte=get_expiry_limit()).update(seen_at=now)
        expire_seeks()


def expire_seeks() -> None:
    """Delete the seeks of absent players, and old invitations."""
    waiting = Seek.objects.filter(match=None)
    waiting.filter(by_address=False, seen_at__lt=get_expiry_limit()).delete()
    oldest = timezone.now() - _INVITATION_LIFETIME
    waiting.filter(by_address=True, created_at__lt=oldest).delete()


def get_seeks(seek_ids: set[str]) -> dict[str, Seek]:
    """Return a dictionary that maps the ids of these seeks to the seeks.

    A seek with a `match` was paired; others are open. Seeks that are gone are left out, and so are
    seeks whose match is over or began long ago.
    """
    news = Seek.objects.filter(
        pk__in=seek_ids,
        game__in=GAMES,
        match__status=Match.Status.LIVE,
        match__created_at__gt=timezone.now() - _NEWS,
    )
    return {seek.pk: seek for seek in (*_get_open_seeks(seek_ids), *news.select_related("match"))}


def get_decided_seeks(seek_ids: set[str]) -> dict[str, Seek | None]:
    """Return those of these seeks that are no longer open, as a dictionary by id.

    The value is None for a seek that `get_seeks` leaves out.
    """
    closed = seek_ids - set(_get_open_seeks(seek_ids).values_list("pk", flat=True))
    found = get_seeks(closed) if closed else {}
    return {seek_id: found.get(seek_id) for seek_id in closed}


def _get_open_seeks(seek_ids: set[str]) -> QuerySet[Seek]:
    waiting = Seek.objects.filter(pk__in=seek_ids, match=None, game__in=GAMES)
    return waiting.filter(Q(by_address=True) | Q(seen_at__gte=get_expiry_limit()))


def get_role(match: Match, player_id: int) -> str:
    return match.rules.roles[0 if match.first_id == player_id else 1]


def must_be_free_to_play(player_id: int) -> None:
    """Raise `Refused` if the player may not start a match now.

    That is the case if the player is suspended, is paused by the organiser of a class, or must
    first choose another name.
    """
    if get_suspension(player_id) is not None:
        raise Refused("suspended")
    must_not_be_paused([player_id])
    must_have_valid_name(player_id)


def must_have_valid_name(player_id: int) -> None:
    """Raise `Refused` if moderators require the player to choose another name."""
    if any(_renaming([player_id])):
        raise Refused("rename-first")


_renaming = PreparedQuery(
    lambda players: Player.objects.filter(pk__in=players, must_rename=True).values_list("pk")
)


def _must_have_begun_few(player_id: int) -> None:
    if has_begun_many(player_id):
        raise Refused("many-matches")


def lock_players(player_ids: Sequence[int]) -> None:
    """Lock the players, so that transactions about the same player run one after the other."""
    list(_locked(player_ids))


_locked = PreparedQuery(
    lambda players: (
        Player.objects.select_for_update(no_key=True)
        .filter(pk__in=players)
        .order_by("pk")
        .values_list("pk")
    )
)
# The open seeks and invitations of these players, locked until the transaction ends.
_open_of = PreparedQuery(
    lambda players: (
        Seek.objects.select_for_update()
        .filter(player__in=players, match=None)
        .order_by("pk")
        .values_list("pk", "player", "by_address", "seen_at")
    )
)


def _must_have_room(player_id: int, by_address: bool) -> None:
    own = [seen_at for *_, kind, seen_at in _open_of([player_id]) if kind == by_address]
    if by_address and len(own) >= settings.OPEN_INVITATIONS_PER_PLAYER:
        raise Refused("too-many-invitations", most=settings.OPEN_INVITATIONS_PER_PLAYER)
    since = get_expiry_limit()
    if (
        not by_address
        and sum(seen_at >= since for seen_at in own) >= settings.OPEN_SEEKS_PER_PLAYER
    ):
        raise Refused("too-many-seeks", most=settings.OPEN_SEEKS_PER_PLAYER)


def end_searches_within(player_ids: set[int]) -> dict[str, int]:
    """End the listed seeks of these players, in the caller's transaction.

    Return a dictionary that maps each ended seek to its player.
    """
    ended = {pk: player for pk, player, by_address, _ in _open_of(player_ids) if not by_address}
    Seek.objects.filter(pk__in=ended, match=None).delete()
    return ended


def _open_match(seek_ids: list[str], with_player: int | None = None) -> SeekPairing | None:
    """Open the match of two open seeks, or of a seek and a player.

    Return None if they can no longer be paired.
    """
    try:
        return _claim_seeks(seek_ids, with_player)
    except Refused:  # for example, a player has begun too many matches, or has blocked the other
        return None


def _claim_seeks(seek_ids: list[str], with_player: int | None) -> SeekPairing | None:
    wanted = Seek.objects.filter(pk__in=seek_ids, match=None)
    players = list(wanted.values_list("player_id", flat=True))
    if with_player is not None:
        players.append(with_player)
    if len(set(players)) != 2:
        return None
    with transaction.atomic():
        # Lock the names before any rows, as a transaction that opens a rematch does.
        lock_names(players)
        lock_players(players)
        if any(player != who for player, who in get_persons(players).items()):
            return None  # one of the players has become an alias
        seeks = list(wanted.select_for_update(of=("self",)).order_by("pk"))
        if len(seeks) != len(seek_ids) or get_suspensions(players):
            return None
        if not all(are_all_in(each.group_id, players) for each in seeks):
            return None  # one of the two has left the group in the meantime
        secrets.SystemRandom().shuffle(players)
        first, second = players
        match = open_match(seeks[0].setup, first, second)
        claimed = {seek.pk: seek.player_id for seek in seeks}
        Seek.objects.filter(pk__in=claimed).update(match=match)
        ended = end_searches_within({first, second})
    roles = match.rules.roles
    return SeekPairing(match.pk, dict(zip(players, roles, strict=True)), claimed, ended)
