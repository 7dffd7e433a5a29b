"""Challenges: requests to play a match, each from one player to another one, chosen by name.

If a challenge is refused, the message is the same for a preference and for a block, so that blocks
stay secret. An open challenge can be ended in several ways at the same moment. Each of them checks
that the row is still open, so the first one wins.
"""

import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from msgspec import Struct

from games.journal.opening import are_apart, lock_names, open_match
from games.match.setup import Setup
from games.messages.refusal import Refused
from games.models import Match
from games.rules import GAMES
from games.store.aliases import get_persons
from games.store.suspensions import get_suspension, get_suspensions
from lobby.groups.care import must_not_be_paused
from lobby.models import Challenge, Player, Preferences
from lobby.players.bots import must_be_of_one_kind
from lobby.privacy.protection import are_kept_apart
from lobby.seeks.matchmaking import end_searches_within, lock_players, must_have_valid_name
from lobby.seeks.rated import must_have_accounts

WORDS = ("later", "clock", "game", "no")
"""The codes of reasons for declining. Their sentences are `decline.<word>`."""

_INBOX = 50  # the maximum number of open challenges to one player
_NEWS = timedelta(seconds=10)


class Accepted(Struct, frozen=True):
    """The match that began from a challenge, and the seeks that the match has ended."""

    match_id: str
    players: tuple[int, int]
    ended: dict[str, int]  # the player of each seek that has ended


def create_challenge(by_id: int, whom_id: int, setup: Setup, side: str = "") -> Challenge:
    """Challenge a player. Raise `Refused` if the challenge is not allowed."""
    if side not in Challenge.Side.values:
        raise Refused("malformed")
    if by_id == whom_id:
        raise Refused("challenge-yourself")
    if get_suspension(by_id) is not None:
        raise Refused("suspended-now")
    must_not_be_paused([by_id])
    must_have_valid_name(by_id)
    if setup.rated:
        must_have_accounts([by_id])
    whom = Player.objects.filter(pk=whom_id, is_active=True, bot_level=None).first()
    if whom is None:
        raise Refused("no-challenges")
    _must_be_challengeable(whom, Player.objects.get(pk=by_id))
    if setup.rated and whom.is_guest:
        raise Refused("rated-guest")
    if setup.rated:
        must_be_of_one_kind(by_id, whom_id)
    now = timezone.now()
    try:
        with transaction.atomic():
            lock_names([by_id, whom_id])  # blocking a player takes the same locks
            lock_players([by_id, whom_id])
            if any(player != who for player, who in get_persons([by_id, whom_id]).items()):
                # The account has become an alias since this request began.
                raise Refused("no-challenges")
            if are_apart([by_id, whom_id]):
                raise Refused("no-challenges")
            # An expired challenge must no longer count as open.
            Challenge.objects.filter(
                challenger=by_id, challenged=whom_id, answer="", expires_at__lte=now
            ).delete()
            if (
                get_open_challenges(now).filter(challenger=by_id).count()
                >= settings.OPEN_CHALLENGES_PER_PLAYER
            ):
                raise Refused("too-many-challenges", most=settings.OPEN_CHALLENGES_PER_PLAYER)
            if get_open_challenges(now).filter(challenged=whom_id).count() >= _INBOX:
                raise Refused("no-challenges")
            return Challenge.objects.create(
                challenger_id=by_id,
                challenged_id=whom_id,
                game=setup.game,
                clock=setup.clock,
                options=setup.options,
                rated=setup.rated,
                side=side,
                created_at=now,
                expires_at=now + _get_lifetime(setup),
            )
    except IntegrityError:
        raise Refused("challenged-already") from None


def _must_be_challengeable(whom: Player, by: Player) -> None:
    if can_be_challenged(whom, by):
        return
    if by.is_protected and are_kept_apart(whom.pk, by.pk):
        raise Refused("group-only")  # the refusal says where protected players can play
    raise Refused("no-challenges")


def can_be_challenged(whom: Player, by: Player) -> bool:
    """Return whether the player's preferences allow a challenge by the other player.

    The result is False if either player is a minor who may not meet the other one.
    """
    if are_kept_apart(whom.pk, by.pk):
        return False
    own = Preferences.objects.filter(player=whom).values_list("challenges", flat=True).first()
    wish = own or Preferences.Challenges.ANYONE
    return wish == Preferences.Challenges.ANYONE or (
        wish == Preferences.Challenges.ACCOUNTS and not by.is_guest
    )


def accept_challenge(player_id: int, challenge_id: str) -> Accepted:
    """Accept a challenge. The match begins, and gets the id of the challenge unless it is taken.

    Accepting the challenge again returns the same match. Raise `Refused` if the challenge is no
    longer open or was sent to somebody else ("challenge-gone"), or if either player may not play
    now.
    """
    found = Challenge.objects.filter(pk=challenge_id, challenged=player_id).first()
    if found is None or found.game not in GAMES:
        raise Refused("challenge-gone")
    people = [found.challenger_id, found.challenged_id]
    with transaction.atomic():
        lock_names(people)
        lock_players(people)
        if any(player != who for player, who in get_persons(people).items()):
            raise Refused("challenge-gone")  # an account has become an alias in the meantime
        opened = Challenge.objects.filter(pk=challenge_id).values_list("match", flat=True).first()
        if opened is not None:
            return Accepted(opened, (found.challenger_id, found.challenged_id), {})
        held = get_suspensions(people)
        if player_id in held:
            raise Refused("suspended-now")
        must_have_valid_name(player_id)
        must_not_be_paused([player_id])
        if held or not Player.objects.filter(pk=found.challenger_id, is_active=True).exists():
            raise Refused("challenge-gone")
        now = timezone.now()
        if not get_open_challenges(now).select_for_update().filter(pk=challenge_id).exists():
            raise Refused("challenge-gone")
        match = open_match(found.setup, *_get_seats(found), match_id=_get_unused_match_id(found))
        get_open_challenges(now).filter(pk=challenge_id).update(
            answer=Challenge.Answer.ACCEPTED, answered_at=now, match=match
        )
        ended = end_searches_within(set(people))
    return Accepted(match.pk, (found.challenger_id, found.challenged_id), ended)


def decline_challenge(player_id: int, challenge_id: str, word: str = "no") -> Challenge:
    """Decline a challenge, with a reason from `WORDS`.

    Raise `Refused` if the challenge is no longer open, or if the reason is not in `WORDS`.
    """
    if word not in WORDS:
        raise Refused("malformed")
    now = timezone.now()
    mine = get_open_challenges(now).filter(pk=challenge_id, challenged=player_id)
    if not mine.update(answer=Challenge.Answer.DECLINED, word=word, answered_at=now):
        raise Refused("challenge-gone")
    return Challenge.objects.get(pk=challenge_id)


def withdraw_challenge(player_id: int, challenge_id: str) -> int | None:
    """Delete the player's own challenge, and return the id of the challenged player.

    The challenge can be open, expired or declined. Return None if there is no such challenge, or if
    its match has begun.
    """
    with transaction.atomic():
        mine = Challenge.objects.filter(pk=challenge_id, challenger=player_id).exclude(
            answer=Challenge.Answer.ACCEPTED
        )
        row = mine.select_for_update().first()
        if row is None:
            return None
        gone, _ = mine.delete()
    return row.challenged_id if gone else None


def get_open_challenges(now: datetime) -> QuerySet[Challenge]:
    """Return the challenges that can be accepted now."""
    return Challenge.objects.filter(
        answer=Challenge.Answer.OPEN, expires_at__gt=now, game__in=GAMES
    )


def get_newly_challenged_players() -> set[int]:
    """Return the ids of the players with recent challenges or answers, in case a hint was lost."""
    now = timezone.now()
    recent = Q(created_at__gt=now - _NEWS) | Q(answered_at__gt=now - _NEWS)
    rows = Challenge.objects.filter(recent, expires_at__gt=now - _NEWS)
    return {pk for pair in rows.values_list("challenger", "challenged") for pk in pair}


def _get_lifetime(setup: Setup) -> timedelta:
    """Return how long a challenge is valid.

    The time is short for a timed match, because the challenger must wait for the answer.
    """
    if setup.clock:
        return timedelta(minutes=settings.TIMED_CHALLENGE_MINUTES)
    return timedelta(hours=settings.UNTIMED_CHALLENGE_HOURS)


def _get_unused_match_id(found: Challenge) -> str | None:
    """Return the challenge's id for use by its match, or None in the rare case that it is taken."""
    return None if Match.objects.filter(pk=found.pk).exists() else found.pk


def _get_seats(found: Challenge) -> tuple[int, int]:
    first = found.side == Challenge.Side.FIRST or (not found.side and secrets.randbelow(2) == 0)
    people = (found.challenger_id, found.challenged_id)
    return people if first else people[::-1]
