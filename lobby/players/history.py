"""Histories: the finished matches and the totals of each player.

A match is written when an event reports its end or a new result. It is always written in its
current state, so repetitions change nothing. Writers first lock all histories, so that two of them
never start from the same totals.
"""

import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import NamedTuple

from django.db import connection, transaction
from django.db.models import Count, Exists, OuterRef, Q
from django.utils import timezone
from msgspec import Struct

from games.messages import get_game_name
from games.models import Event, Match
from games.rules import GAMES
from games.runtime.prepared_query import FixedQuery, PreparedQuery
from lobby.models import Adoption, Block, HistoryMark, Played, Tally

LENGTHS = ("0-9", "10-19", "20-39", "40-79", "80-")
"""The classes of length, in moves. Histories store an index into this list."""

_FROM = tuple(int(each.split("-")[0]) for each in LENGTHS[1:])


def get_length_class(ply: int) -> int:
    """Return the class of a match with this many moves, as an index into `LENGTHS`."""
    return bisect_right(_FROM, ply)


Result = Played.Result

_KEY = int.from_bytes(blake2b(b"histories", digest_size=8).digest(), "big", signed=True)
_ADOPTED = 500  # matches that one transaction moves
_ADD = (
    "INSERT INTO lobby_tally (player_id, game, computer, won, lost, drawn, none)"
    " VALUES (%s, %s, %s, %s, %s, %s, %s)"
    " ON CONFLICT (player_id, game, computer) DO UPDATE SET won = lobby_tally.won + EXCLUDED.won,"
    " lost = lobby_tally.lost + EXCLUDED.lost, drawn = lobby_tally.drawn + EXCLUDED.drawn,"
    " none = lobby_tally.none + EXCLUDED.none"
)
_RESULTS = ("won", "lost", "drawn", "none")
_COLUMNS = (
    *("match_id", "seat", "player_id", "opponent_id", "game", "result", "length", "rated"),
    "ended_at",
)
# Plain SQL, because model objects take three times as long, and on SQLite moves wait for this
# write.
_WRITE = (
    f"INSERT INTO lobby_played ({', '.join(_COLUMNS)})"  # nosec B608  # noqa: S608  # constant column names
    " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT (match_id, seat) DO UPDATE SET "
    + ", ".join(f"{name} = EXCLUDED.{name}" for name in _COLUMNS[2:])
)


class _Over(Struct, frozen=True):
    """The columns of a match that a history needs."""

    id: str
    game: str
    first_id: int
    second_id: int
    first_level: int | None
    second_level: int | None
    status: str
    ended: str
    first_goal: int | None
    second_goal: int | None
    ply: int
    rated: bool
    ended_at: datetime | None


class _Row(NamedTuple):
    """A row of a history: one seat of a match. The fields have the names of the columns."""

    match_id: str
    seat: int
    player_id: int
    opponent_id: int
    game: str
    result: str
    length: int
    rated: bool
    ended_at: datetime


# The key of a tally: the player, the game, and whether the opponent is the computer.
_Key = tuple[int, str, bool]
_Seat = tuple[str, int]  # a match and a seat


def note_results(events: Sequence[Event]) -> None:
    """Write the matches of these events to the histories, except those that have just begun."""
    write_history([event.match_id for event in events if event.kind != Event.Kind.BEGAN])


def write_history(match_ids: Collection[str]) -> None:
    """Write the current state of these matches to the histories of their players.

    Matches that are live again, because a decision was reversed, are removed.
    """
    if not match_ids:
        return
    with transaction.atomic():
        _lock_histories()
        matches = [_Over(*values) for values in _matches(match_ids)]
        homes = get_homes({pk for each in matches for pk in (each.first_id, each.second_id)})
        wanted = {row[:2]: row for each in matches for row in _build_rows(each, homes)}
        there = _played([each.id for each in matches])
        known = {values[:2]: _Row(*values) for values in there}
        with_computer = {each.id for each in matches if _has_computer(each)}
        changes: Counter[tuple[_Key, str]] = Counter()
        for seats, by in ((wanted, 1), (known, -1)):
            for row in seats.values():
                changes[_get_tally_key(row, with_computer), row.result] += by
        _store_rows(wanted, known)
        _count_changes(changes)


def get_homes(player_ids: Collection[int]) -> dict[int, int]:
    """Return, for each of these players, the id of the player whose history has the matches.

    The result maps each id to itself or, for a guest that was merged, to the id of the account.
    """
    return {pk: pk for pk in player_ids} | dict(_adopted(player_ids))


_matches = PreparedQuery(
    lambda ids: Match.objects.filter(pk__in=ids).order_by().values_list(*_Over.__struct_fields__),
    of=str,
)
_played = PreparedQuery(
    lambda match_ids: Played.objects.filter(match__in=match_ids).order_by().values_list(*_COLUMNS),
    of=str,
)
_adopted = PreparedQuery(
    lambda guests: (
        Adoption.objects.filter(guest__in=guests).order_by().values_list("guest", "account")
    )
)


def backfill_guest(guest_id: int, account_id: int) -> bool:
    """Move a guest's blocks, and a batch of the guest's matches, to an account.

    Return whether all matches have been moved; the referee moves the rest later. In the histories
    of the opponents, the account replaces the guest. Repetitions do no harm. The matches themselves
    do not change. Raise `ValueError` if the guest and the account are the same player.
    """
    with transaction.atomic():
        _lock_histories()
        account_id = get_homes([account_id])[account_id]
        if account_id == guest_id:
            raise ValueError("nobody adopts themselves")
        Adoption.objects.update_or_create(
            guest_id=guest_id, defaults={"account_id": account_id, "is_done": False}
        )
        Adoption.objects.filter(account=guest_id).update(account=account_id)
        _move_blocks(guest_id, account_id)
        return _move_batch(guest_id, account_id)


def continue_backfill() -> bool:
    """Move another batch of a guest's matches, and return whether more may be left."""
    if not any(_unfinished()):
        return False
    with transaction.atomic():
        _lock_histories()
        begun = Adoption.objects.filter(is_done=False).order_by("guest").first()
        if begun is None:
            return False
        _move_batch(begun.guest_id, begun.account_id)
        return True


_unfinished = FixedQuery(lambda: Adoption.objects.filter(is_done=False).values_list("pk")[:1])


def _move_batch(guest_id: int, account_id: int) -> bool:
    own = list(Played.objects.filter(player=guest_id).order_by("-ended_at", "-id")[:_ADOPTED])
    seats = {(row.match_id, row.seat) for row in own}
    matches = [row.match_id for row in own]
    levels = Match.objects.filter(pk__in=matches).exclude(first_level=None, second_level=None)
    with_computer = set(levels.values_list("pk", flat=True))
    changes: Counter[tuple[_Key, str]] = Counter()
    for row in own:
        changes[_get_tally_key(row, with_computer), row.result] -= 1
        row.player_id = account_id
        changes[_get_tally_key(row, with_computer), row.result] += 1
    Played.objects.filter(pk__in=[row.pk for row in own]).update(player=account_id)
    others = [
        row.pk
        for row in Played.objects.filter(match__in=matches)
        if (row.match_id, 1 - row.seat) in seats
    ]
    Played.objects.filter(pk__in=others).update(opponent=account_id)
    _count_changes(changes)
    is_done = len(own) < _ADOPTED
    if is_done:
        Adoption.objects.filter(guest=guest_id).update(is_done=True)
    return is_done


def _move_blocks(guest_id: int, account_id: int) -> None:
    """Transfer the guest's blocks, in both directions, to the account."""
    mine = Block.objects.filter(by=guest_id).exclude(whom=account_id)
    theirs = Block.objects.filter(whom=guest_id).exclude(by=account_id)
    moved = [Block(by_id=account_id, whom_id=each.whom_id, at=each.at) for each in mine]
    moved += [Block(by_id=each.by_id, whom_id=account_id, at=each.at) for each in theirs]
    Block.objects.bulk_create(moved, ignore_conflicts=True)
    Block.objects.filter(Q(by=guest_id) | Q(whom=guest_id)).delete()


def _build_rows(match: _Over, homes: dict[int, int]) -> list[_Row]:
    """Return the rows of the people in a match; none for a live match or for the computer."""
    if match.ended_at is None:
        return []
    seats = (match.first_id, match.second_id)
    goals = (match.first_goal, match.second_goal)
    levels = (match.first_level, match.second_level)
    return [
        _Row(
            match.id,
            seat,
            homes[seats[seat]],
            homes[seats[1 - seat]],
            match.game,
            _get_result(match, goals[seat], goals[1 - seat]),
            get_length_class(match.ply),
            match.rated,
            match.ended_at,
        )
        for seat in (0, 1)
        if levels[seat] is None
    ]


def _get_result(match: _Over, own: int | None, other: int | None) -> str:
    counts = match.status == Match.Status.OVER and match.ended != Match.Ended.VOIDED
    if not counts or own is None or other is None:
        return Result.NONE.value
    if own == other:
        return Result.DRAWN.value
    return Result.WON.value if own > other else Result.LOST.value


def _has_computer(match: _Over) -> bool:
    return match.first_level is not None or match.second_level is not None


def _get_tally_key(row: _Row | Played, with_computer: Collection[str]) -> _Key:
    return row.player_id, row.game, row.match_id in with_computer


def _store_rows(wanted: dict[_Seat, _Row], known: dict[_Seat, _Row]) -> None:
    for match_id, seat in known.keys() - wanted.keys():
        Played.objects.filter(match=match_id, seat=seat).delete()
    adapt = connection.ops.adapt_datetimefield_value
    changed = [
        (*row[:-1], adapt(row.ended_at)) for seat, row in wanted.items() if known.get(seat) != row
    ]
    if changed:
        with connection.cursor() as cursor:
            cursor.executemany(_WRITE, changed)


def _count_changes(changes: Counter[tuple[_Key, str]]) -> None:
    totals: dict[_Key, Counter[str]] = {}
    for (key, result), by in changes.items():
        if by:
            totals.setdefault(key, Counter())[result] += by
    rows: list[tuple[int | str, ...]] = [
        (*key, *(counts[name] for name in _RESULTS)) for key, counts in sorted(totals.items())
    ]
    if rows:
        with connection.cursor() as cursor:
            cursor.executemany(_ADD, rows)


def _lock_histories() -> None:
    """Lock all histories until the transaction ends. SQLite has only one writer anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_KEY])


_AGO = timedelta(minutes=1)  # matches that ended within this time are left to `note_results`
_EVERY = 600.0  # seconds between two checks while all histories are complete
_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
_PAGE = 5000  # matches that one call checks
_WRITTEN = 250  # matches in one transaction; on SQLite, moves wait for its end


class Backfill:
    """The background task that completes histories. Several processes can run it at once."""

    def __init__(self) -> None:
        self._rests_until: float | None = None

    def go_on(self) -> bool:
        """Process one batch, and return whether more may be left."""
        if continue_backfill():
            return True
        if self._rests_until is not None and time.monotonic() < self._rests_until:
            return False
        if backfill_batch() == 0:
            self._rests_until = time.monotonic() + _EVERY
            return False
        return True


def backfill_batch(until: datetime | None = None) -> int:
    """Check the next matches, and add missing ones. Return the number of matches checked.

    The `HistoryMark` stores how far the check has come. Only matches that ended before `until` are
    checked, by default a minute ago.
    """
    mark = HistoryMark.objects.filter(pk=1).first() or HistoryMark(pk=1, at=_BEGINNING)
    beyond = Q(ended_at__gt=mark.at) | Q(ended_at=mark.at, pk__gt=mark.match)
    over = Match.objects.filter(beyond, ended_at__gte=mark.at, ended_at__lt=until or _get_present())
    page = list(over.order_by("ended_at", "pk").values_list("pk", "ended_at")[:_PAGE])
    if not page:
        return 0
    known = Played.objects.filter(match=OuterRef("pk"))
    missing = list(
        Match.objects.filter(~Exists(known), pk__in=[pk for pk, _ in page]).values_list(
            "pk", flat=True
        )
    )
    for i in range(0, len(missing), _WRITTEN):
        write_history(missing[i : i + _WRITTEN])
    last, at = page[-1]
    assert at is not None  # the query selects only matches that have ended
    with transaction.atomic():
        HistoryMark.objects.update_or_create(pk=1, defaults={"at": at, "match": last})
    return len(page)


def _get_present() -> datetime:
    return timezone.now() - _AGO


class Total(Struct, frozen=True):
    """The results of a player in one game."""

    game: str
    name: str
    won: int
    drawn: int
    lost: int

    @property
    def played(self) -> int:
        return self.won + self.drawn + self.lost


class HeadToHead(Struct, frozen=True):
    """The results between the viewer and another player: how many the viewer won, drew and lost."""

    won: int
    drawn: int
    lost: int

    @property
    def played(self) -> int:
        return self.won + self.drawn + self.lost


def get_totals(player_id: int) -> tuple[list[Total], list[Total]]:
    """Return the player's totals per game, against people and against the computer.

    Matches without a result are not counted, and games without a counted match are left out.
    """
    found = {(row.game, row.computer): row for row in Tally.objects.filter(player=player_id)}
    people, computer = (
        [
            Total(slug, get_game_name(slug), row.won, row.drawn, row.lost)
            for slug in GAMES
            if (row := found.get((slug, with_it))) is not None and row.won + row.drawn + row.lost
        ]
        for with_it in (False, True)
    )
    return people, computer


def get_head_to_head(viewer_id: int, player_id: int) -> HeadToHead:
    """Return the viewer's results against the player."""
    rows = Played.objects.filter(player=viewer_id, opponent=player_id)
    counted = dict(
        rows.values_list("result").annotate(Count("pk")).values_list("result", "pk__count")
    )
    return HeadToHead(*(counted.get(result, 0) for result in ("won", "drawn", "lost")))
