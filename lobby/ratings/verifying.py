"""Replays all rated games from nothing, and tells every difference from what is stored."""

from collections.abc import Iterator
from datetime import datetime
from math import isclose

from django.db.models import Case, Exists, F, OuterRef, Q, When
from msgspec import Struct
from msgspec.structs import astuple

from games.models import Event, Match
from lobby.models import RatedGame, Rating, RoleAdvantage
from lobby.ratings import ledger
from lobby.ratings.career import FORMULAS, Career, Side
from lobby.ratings.ledger import COLUMNS, Entry, Kind, Position, computed, current, entry_of

_SOME = 2000  # rows read at a time, or matches told of
_CLOSE = 1e-5  # points: another machine's exponentials may differ in the last digit that is kept


class Verified(Struct):
    """How many games were replayed, and what is wrong, a line each."""

    games: int
    faults: list[str]


def verify(most_faults: int = 100) -> Verified:
    """Replay every game. Stops reading on after so many faults.

    Games that are rated meanwhile do no harm. What is still to be gone through again after a change
    (`lobby.ratings.recount`) would differ.
    """
    found = Verified(0, [])
    for game in RatedGame.objects.order_by().values_list("game", flat=True).distinct():
        careers: dict[int, Career] = {}
        last: dict[int, Position] = {}
        end: Position | None = None
        for entry in _replayed(game, careers, last, found):
            end = entry.position
            if len(found.faults) > most_faults:
                return found
        found.faults += _of_ratings(game, careers, last, end)
        found.faults += _of_matches(game)
    return found


def _replayed(
    game: str, careers: dict[int, Career], last: dict[int, Position], found: Verified
) -> Iterator[Entry]:
    fits = _fits(game)
    rows = ledger.in_order(game).values_list(*COLUMNS)
    for values in rows.iterator(chunk_size=_SOME):
        entry = entry_of(values)
        yield entry
        if not entry.counts:
            continue
        found.games += 1
        if entry.version not in FORMULAS:
            found.faults.append(f"{entry.key}: rated by version {entry.version}, unknown here")
            continue
        now = computed(entry, careers)
        if now != entry and not _agree(now, entry):
            found.faults.append(f"{entry.key}: {_said(entry)} is stored, {_said(now)} follows")
        if entry.second_id is not None and entry.advantage != _in_force(fits, entry.at):
            found.faults.append(f"{entry.key}: an advantage of {entry.advantage} was not in force")
        for player in now.players:
            careers[player], last[player] = now.after(player), now.position


def _of_matches(game: str) -> list[str]:
    """Where the ledger says something else than the matches, and no event that tells it is due."""
    match = Match.objects.filter(pk=OuterRef("key"), rated=True)
    counted = match.filter(status=Match.Status.OVER).exclude(ended=Match.Ended.VOIDED)
    score = Case(
        When(first_goal__gt=F("second_goal"), then=1.0),
        When(first_goal__lt=F("second_goal"), then=0.0),
        When(first_goal=F("second_goal"), then=0.5),
    )
    same = counted.annotate(score=score).filter(score=OuterRef("score"), ended_at=OuterRef("at"))
    due = Event.objects.filter(match=OuterRef("key"), due_at__isnull=False)
    is_gone = Q(kind=Kind.REVERSED)
    games = current(game).filter(~Exists(due), second__isnull=False)
    wrong = games.filter(~is_gone & ~Exists(same) | is_gone & Exists(counted))
    return [
        f"{key}: {kind}, {score}, at {at}, which is not what its match says"
        for key, kind, score, at in wrong.values_list("key", "kind", "score", "at")[:_SOME]
    ]


def _of_ratings(
    game: str, careers: dict[int, Career], last: dict[int, Position], end: Position | None
) -> list[str]:
    """Where a rating is not what the player's last game left. `end`: later ones are not known."""
    faults = []
    unseen = set(careers)
    for row in Rating.objects.filter(game=game).iterator(chunk_size=_SOME):
        unseen.discard(row.player_id)
        position = row.rated_at, ledger.lot_of(row.key)
        if end is None or position > end:
            continue
        stored, now = ledger.career_of(row), careers.get(row.player_id)
        if now is None or position != last[row.player_id] or not _alike(stored, now):
            faults.append(f"player {row.player_id}, {game}: {row.rating:.2f} does not follow")
    return faults + [f"player {player}, {game}: has no rating" for player in sorted(unseen)]


def _fits(game: str) -> list[tuple[datetime, float]]:
    fits = RoleAdvantage.objects.filter(game=game).order_by("at")
    return list(fits.values_list("at", "advantage"))


def _in_force(fits: list[tuple[datetime, float]], at: datetime) -> float:
    return next((advantage for since, advantage in reversed(fits) if since <= at), 0.0)


def _agree(one: Entry, other: Entry) -> bool:
    return _sides_agree(one.first, other.first) and _sides_agree(one.second, other.second)


def _sides_agree(one: Side | None, other: Side | None) -> bool:
    if one is None or other is None:
        return one is other
    return _alike(one, other)


def _alike(one: Struct, other: Struct) -> bool:
    return all(
        _alike(a, b)
        if isinstance(a, Struct) and isinstance(b, Struct)
        else isclose(a, b, abs_tol=_CLOSE)
        if isinstance(a, float) and isinstance(b, float)
        else a == b
        for a, b in zip(astuple(one), astuple(other), strict=True)
    )


def _said(entry: Entry) -> str:
    sides = (side for side in (entry.first, entry.second) if side is not None)
    return ", ".join(f"{side.before.rating:.2f} to {side.after.rating:.2f}" for side in sides)
