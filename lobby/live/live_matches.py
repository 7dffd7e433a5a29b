"""The live matches that are actually being played, and the choice of those to show.

A live match may have been abandoned long ago. It counts as being played if both players are
present, if one of them has acted in the last few minutes, or if it has just begun.
"""

import threading
import time
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Max, Q, Sum
from django.utils import timezone
from msgspec import Struct

from games.models import Attendance, Match
from games.rules import GAMES
from lobby.privacy.visibility import get_protected

# How long after an action a match counts as being played. Older presence is not read.
_LATELY = timedelta(minutes=5)
# How long after its creation a match without any action counts as being played.
_UNBEGUN = timedelta(minutes=1)
_IDLE_AFTER = timedelta(seconds=60)  # a match without an action for this long loses its place
_NEW = timedelta(seconds=10)  # a match younger than this takes precedence
_NEW_PLACES = 3  # places for matches that have just begun
_YOUNG = 50  # the maximum number of new matches to read, which may have no stored presence yet
_ATTENDED = 2000  # the maximum number of matches to read in which a player was recently seen
_CACHE_SECONDS = 2.0

_VALUES = "pk", "ply", "created_at", "acted_at", "first_level", "second_level"
_SEATS = "first_id", "second_id"


class PlayedMatch(Struct, frozen=True):
    """A match that is being played."""

    created_at: datetime
    acted_at: datetime
    is_people: bool = True  # whether both players are people
    watchers: int = 0


class _Survey:
    """The presence that this process read last, which pages and sockets share."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.read_at = -_CACHE_SECONDS
        self.found: dict[str, PlayedMatch] = {}


_survey = _Survey()


def get_played_matches() -> dict[str, PlayedMatch]:
    """Return a dictionary that maps ids to the public matches that are being played.

    There are at most a few thousand.
    """
    now = timezone.now()
    with _survey.lock:
        if time.monotonic() - _survey.read_at >= _CACHE_SECONDS:
            _survey.found = _get_attended_matches(now)
            _survey.read_at = time.monotonic()
        attended = _survey.found
    live = Match.objects.filter(
        status=Match.Status.LIVE, game__in=GAMES, created_at__gte=now - _LATELY
    )
    newest = live.order_by("-created_at", "-id").values_list(*_VALUES, *_SEATS)[:_YOUNG]
    young, seats = {}, {}
    for pk, ply, created, acted, first, second, *people in newest:
        if pk not in attended and _has_acted(now, ply, created, acted):
            young[pk] = PlayedMatch(created, acted, first is None and second is None)
            seats[pk] = people
    return {**_filter_public(young, seats), **attended}


def clear_cache() -> None:
    """Invalidate the cached presence."""
    with _survey.lock:
        _survey.read_at = -_CACHE_SECONDS


def choose_matches(
    before: Sequence[str], played: Mapping[str, PlayedMatch], now: datetime, places: int
) -> list[str]:
    """Return the ids of the matches to show, at most `places`.

    Matches between people come before those against the computer. Within each kind, a few new
    matches come first, then those that were shown before, then those with the latest actions.
    """
    kept = [pk for pk in before if pk in played and now - played[pk].acted_at < _IDLE_AFTER]
    others = [pk for pk in played if pk not in kept]
    others.sort(key=lambda pk: (played[pk].acted_at, pk), reverse=True)
    by_age = sorted(others, key=lambda pk: (played[pk].created_at, pk), reverse=True)
    by_age.sort(key=lambda pk: not played[pk].is_people)
    begun = [pk for pk in by_age if now - played[pk].created_at < _NEW][:_NEW_PLACES]
    places_kept = max(0, places - len(begun))
    kept.sort(key=lambda pk: not played[pk].is_people)
    shown = list(dict.fromkeys((*begun, *kept[:places_kept], *others)))
    return sorted(shown, key=lambda pk: not played[pk].is_people)[:places]


def choose_most_watched(
    before: Sequence[str], played: Mapping[str, PlayedMatch], now: datetime, places: int
) -> list[str]:
    """Return the ids of the matches to show on TV, the most watched one first.

    The most watched matches between people are chosen. Matches against the computer fill the
    remaining places. Of matches with as many watchers, those that are in `before` and in which
    somebody has acted lately are chosen first. So that matches keep their places, these come
    directly after the most watched one, in the order of `before`. The matches against the computer
    are ordered in the same way.
    """
    people = [pk for pk in played if played[pk].is_people]
    lively = [pk for pk in before if pk in played and now - played[pk].acted_at < _IDLE_AFTER]
    known = {pk: place for place, pk in enumerate(lively)}
    people.sort(key=lambda pk: (played[pk].acted_at, pk), reverse=True)
    people.sort(key=lambda pk: known.get(pk, len(known)))
    people.sort(key=lambda pk: played[pk].watchers, reverse=True)
    first, rest = people[:1], people[1:places]
    rest.sort(key=lambda pk: known.get(pk, len(known)))
    others = [pk for pk in played if not played[pk].is_people]
    others.sort(key=lambda pk: (-known.get(pk, len(known)), played[pk].acted_at, pk), reverse=True)
    return [*first, *rest, *others][:places]


def _get_attended_matches(now: datetime) -> dict[str, PlayedMatch]:
    """Return the matches that are being played and in which a player was recently seen."""
    here = now - timedelta(seconds=settings.PRESENCE_TIMEOUT_SECONDS)
    rows = (
        Attendance.objects.filter(seen_at__gte=now - _LATELY)
        .filter(match__status=Match.Status.LIVE, match__game__in=GAMES)
        .values_list("match_id", *(f"match__{name}" for name in (*_VALUES[1:], *_SEATS)))
        .annotate(
            first=Max("first_at"),
            second=Max("second_at"),
            watching=Sum("watchers", filter=Q(seen_at__gte=here), default=0),
        )
    )
    found: dict[str, PlayedMatch] = {}
    seats: dict[str, Sequence[int]] = {}
    # Presence is stored four times per `PRESENCE_TIMEOUT_SECONDS`, so twice that timeout is enough.
    there = now - 2 * timedelta(seconds=settings.PRESENCE_TIMEOUT_SECONDS)
    row: tuple[Any, ...]
    for row in rows[:_ATTENDED]:
        pk, ply, created, acted, first_level, second_level, *people, first, second, watching = row
        both = all(
            level is not None or (seen is not None and seen >= there)
            for level, seen in ((first_level, first), (second_level, second))
        )
        if both or _has_acted(now, ply, created, acted):
            is_people = first_level is None and second_level is None
            found[pk] = PlayedMatch(created, acted, is_people, watching)
            seats[pk] = people
    return _filter_public(found, seats)


def _filter_public(
    found: Mapping[str, PlayedMatch], seats: Mapping[str, Sequence[int]]
) -> dict[str, PlayedMatch]:
    """Leave out matches with protected players, because they are not shown in public."""
    hidden = get_protected({pk for people in seats.values() for pk in people}) if seats else set()
    return {pk: played for pk, played in found.items() if hidden.isdisjoint(seats[pk])}


def _has_acted(now: datetime, ply: int, created: datetime, acted: datetime) -> bool:
    return now - acted < _LATELY if ply else now - created < _UNBEGUN
