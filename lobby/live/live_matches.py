"""Which live matches are being played, and which of them are shown.

A match that is live may long be abandoned. It is being played if both players are there, or if one
of them acted in the last minutes.
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
from lobby.privacy.visibility import not_public

_LATELY = timedelta(minutes=5)  # so long after an action a match counts as being played
_UNBEGUN = timedelta(minutes=1)  # and so long after it was made, if nobody has acted yet
_RESTS = timedelta(seconds=60)  # a match in which nobody acted for so long loses its place
_NEW = timedelta(seconds=10)  # a match that began less than this ago is shown before others
_NEW_PLACES = 3  # at most so many places are for matches that have just begun
_YOUNG = 50  # matches that are too young for anybody to have been seen there
_ATTENDED = 2000  # matches that are looked at because somebody was seen there
_AGAIN = 2.0  # seconds until it is read again who is where

_VALUES = "pk", "ply", "created_at", "acted_at", "first_level", "second_level"
_SEATS = "first_id", "second_id"


class Played(Struct, frozen=True):
    """A match that is being played."""

    created_at: datetime
    acted_at: datetime
    is_people: bool = True  # no computer plays in it
    watchers: int = 0


class _Survey:
    """What this process last read of who is where: it is asked for by pages and by sockets."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.read_at = -_AGAIN
        self.found: dict[str, Played] = {}


_survey = _Survey()


def being_played() -> dict[str, Played]:
    """The matches that are being played and may be shown in public, by their ids. At most some
    thousands."""
    now = timezone.now()
    with _survey.lock:
        if time.monotonic() - _survey.read_at >= _AGAIN:
            _survey.found = _attended(now)
            _survey.read_at = time.monotonic()
        attended = _survey.found
    live = Match.objects.filter(
        status=Match.Status.LIVE, game__in=GAMES, created_at__gte=now - _LATELY
    )
    newest = live.order_by("-created_at", "-id").values_list(*_VALUES, *_SEATS)[:_YOUNG]
    young, seats = {}, {}
    for pk, ply, created, acted, first, second, *people in newest:
        if pk not in attended and _has_acted(now, ply, created, acted):
            young[pk] = Played(created, acted, first is None and second is None)
            seats[pk] = people
    return {**_public(young, seats), **attended}


def forget() -> None:
    """Read anew who is where when it is next asked for."""
    with _survey.lock:
        _survey.read_at = -_AGAIN


def choose(
    before: Sequence[str], played: Mapping[str, Played], now: datetime, places: int
) -> list[str]:
    """Which of the matches to show, by their ids. People come before the computer; among these,
    first those that have just begun, then those shown before, then the liveliest."""
    kept = [pk for pk in before if pk in played and now - played[pk].acted_at < _RESTS]
    others = [pk for pk in played if pk not in kept]
    others.sort(key=lambda pk: (played[pk].acted_at, pk), reverse=True)
    by_age = sorted(others, key=lambda pk: (played[pk].created_at, pk), reverse=True)
    by_age.sort(key=lambda pk: not played[pk].is_people)
    begun = [pk for pk in by_age if now - played[pk].created_at < _NEW][:_NEW_PLACES]
    places_kept = max(0, places - len(begun))
    kept.sort(key=lambda pk: not played[pk].is_people)
    shown = list(dict.fromkeys((*begun, *kept[:places_kept], *others)))
    return sorted(shown, key=lambda pk: not played[pk].is_people)[:places]


def most_watched(
    before: Sequence[str], played: Mapping[str, Played], now: datetime, places: int
) -> list[str]:
    """Which matches between people to show on a wall, the most watched first.

    The first one stays the first until another has more watchers; the others keep their order, and
    their places as long as somebody acts in them.
    """
    people = [pk for pk in played if played[pk].is_people]
    lively = [pk for pk in before if pk in played and now - played[pk].acted_at < _RESTS]
    known = {pk: place for place, pk in enumerate(lively)}
    people.sort(key=lambda pk: (played[pk].acted_at, pk), reverse=True)
    people.sort(key=lambda pk: known.get(pk, len(known)))
    people.sort(key=lambda pk: played[pk].watchers, reverse=True)
    first, rest = people[:1], people[1:places]
    rest.sort(key=lambda pk: known.get(pk, len(known)))
    return [*first, *rest]


def _attended(now: datetime) -> dict[str, Played]:
    """The matches where somebody was seen in the last minutes, and which are being played."""
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
    found: dict[str, Played] = {}
    seats: dict[str, Sequence[int]] = {}
    # A seat is stored every quarter of PRESENCE_TIMEOUT_SECONDS, so twice that time is enough.
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
            found[pk] = Played(created, acted, is_people, watching)
            seats[pk] = people
    return _public(found, seats)


def _public(found: Mapping[str, Played], seats: Mapping[str, Sequence[int]]) -> dict[str, Played]:
    """Those of the matches in which nobody plays who is not shown in public."""
    hidden = not_public({pk for people in seats.values() for pk in people}) if seats else set()
    return {pk: played for pk, played in found.items() if hidden.isdisjoint(seats[pk])}


def _has_acted(now: datetime, ply: int, created: datetime, acted: datetime) -> bool:
    return now - acted < _LATELY if ply else now - created < _UNBEGUN
