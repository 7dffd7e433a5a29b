"""Presence on the page of a tournament. An arena pairs only players who are present.

Every few seconds, each server calls `record_present` for the players whose sockets have the page
open, and `record_following` for programs with an event stream. A program that joins through the API
can also be recorded as present at that moment. The time is stored without waiting for locks on
entries or for the disk, because losing one update is harmless.
"""

from collections.abc import Collection
from contextlib import suppress
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from games.messages.refusal import Refused
from games.runtime.db import atomic_without_fsync
from games.store.aliases import get_persons
from lobby.models import Entry, Tournament
from lobby.tournaments.registration import check_in

EVERY = 5.0  # seconds between two calls of `record_present` for a tournament
_NOT_OVER = (
    Tournament.State.REGISTRATION,
    Tournament.State.CHECK_IN,
    Tournament.State.RUNNING,
)
GONE = timedelta(seconds=20)  # players who were not seen for this long are not paired


def record_present(tournament_id: str, player_ids: Collection[int]) -> None:
    """Record that these players are present now.

    The number of queries does not depend on the number of players.
    """
    _store_presence(tournament_id, player_ids, timezone.now())


def record_following(player_ids: Collection[int]) -> None:
    """Record that these players follow their arenas with a program whose event stream is open.

    Those who have not checked in yet are checked in if their tournament's check-in is open. The
    number of queries does not depend on the number of players, except for those who were not
    checked in.
    """
    if not player_ids:
        return
    people = set(get_persons(player_ids).values())
    mine = Entry.objects.filter(
        player__in=people,
        state=Entry.State.IN,
        tournament__kind=Tournament.Kind.ARENA,
        tournament__state__in=_NOT_OVER,
    )
    entries = list(mine.select_related("player", "tournament"))
    if entries:
        _store_time(Entry.objects.filter(pk__in=[each.pk for each in entries]), timezone.now())
    for each in entries:
        if each.tournament.state == Tournament.State.CHECK_IN and each.checked_in_at is None:
            with suppress(Refused):  # the check-in has just ended
                check_in(each.player, each.tournament_id)


def record_absent(tournament_id: str, player_ids: Collection[int]) -> None:
    """Record that these players have closed their last tab with the page on this server."""
    _store_presence(tournament_id, player_ids, None)


def _store_presence(tournament_id: str, player_ids: Collection[int], at: datetime | None) -> None:
    """Set the time at which these players were last present, None if they left.

    Locked entries, such as those that are being paired, are skipped, because waiting for them could
    cause a deadlock. This is harmless: presence is stored again soon, and expires after `GONE`.
    """
    if not player_ids:
        return
    people = set(get_persons(player_ids).values())
    _store_time(Entry.objects.filter(tournament=tournament_id, player__in=people), at)


def _store_time(mine: QuerySet[Entry], at: datetime | None) -> None:
    with atomic_without_fsync():
        rows = mine.select_for_update(no_key=True, skip_locked=True).order_by("pk")
        free = list(rows.values_list("pk", flat=True))
        Entry.objects.filter(pk__in=free).update(seen_at=at)


def build_present_condition(now: datetime) -> Q:
    """Return the condition that an entry's player is present."""
    return Q(seen_at__gte=now - GONE)
