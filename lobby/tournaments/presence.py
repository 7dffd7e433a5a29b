"""Who is at a tournament's page: only they are paired in an arena.

The sockets of its page call `here` every few seconds. It is stored as loosely as can be: who was
there a moment ago is what matters.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from games.runtime.db import atomic_without_fsync
from games.store.aliases import get_persons
from lobby.models import Entry

EVERY = 5.0  # seconds between two calls of `here` by a socket's server
GONE = timedelta(seconds=20)  # who was not seen for so long is not paired


def here(tournament_id: str, player_ids: Collection[int]) -> None:
    """These players have the tournament's page open now. Two queries for all of them."""
    _note(tournament_id, player_ids, timezone.now())


def gone(tournament_id: str, player_ids: Collection[int]) -> None:
    """The last tab of these players that showed the page is closed."""
    _note(tournament_id, player_ids, None)


def _note(tournament_id: str, player_ids: Collection[int], at: datetime | None) -> None:
    """Whoever is being paired at this moment is left out: to wait for them could be to wait for
    each other, and the next call comes soon."""
    if not player_ids:
        return
    people = set(get_persons(player_ids).values())
    with atomic_without_fsync():
        mine = Entry.objects.filter(tournament=tournament_id, player__in=people)
        rows = mine.select_for_update(no_key=True, skip_locked=True).order_by("pk")
        free = list(rows.values_list("pk", flat=True))
        Entry.objects.filter(pk__in=free).update(seen_at=at)


def present(now: datetime) -> Q:
    """The condition that an entry's player is at the page."""
    return Q(seen_at__gte=now - GONE)
