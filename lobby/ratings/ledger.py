"""The append-only ledger of rated games: its entries, queries, and functions that insert rows.

For each key, only the row with the highest revision counts. Writers first lock the ledger, so that
the rows that they read are the newest. This module also stores the current ratings, and the marks
from which replays start.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Any

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from msgspec import Struct
from msgspec.structs import replace

from games.runtime.prepared_query import PreparedQuery
from lobby.models import Player, RatedGame, Rating, Recount
from lobby.ratings.glicko import LISTED, Strength, count_days_until
from lobby.ratings.player_rating import (
    NEW,
    PlayerRating,
    RatingSide,
    build_refund_side,
    get_rating_after,
    rate_sides,
)

Kind = RatedGame.Kind

LISTED_DAYS = 30  # the last two rated games of a listed player are at most this many days old

LEDGER_KEY = int.from_bytes(blake2b(b"ratings", digest_size=8).digest(), "big", signed=True)
_HEAD = (
    *("key", "revision", "kind", "game", "first_id", "second_id", "score", "advantage"),
    *("version", "at", "lot", "points"),
)
_SIDE = (
    *("since", "rating", "deviation", "volatility", "new_rating", "new_deviation"),
    *("new_volatility", "games", "best", "streak", "longest"),
)
COLUMNS = (*_HEAD, *(f"{side}_{name}" for side in ("first", "second") for name in _SIDE))
# Plain SQL, because inserting model objects takes several times as long, and on SQLite the moves of
# players wait for it.
_ADD = (
    f"INSERT INTO lobby_ratedgame ({', '.join(COLUMNS)})"  # nosec B608  # noqa: S608  # constant names
    f" VALUES ({', '.join(['%s'] * len(COLUMNS))})"
)
_KEPT = (
    *("rating", "deviation", "volatility", "games", "best", "streak", "longest"),
    *("key", "rated_at", "previous_at", "listed_until"),
)
_KEEP = (
    f"INSERT INTO lobby_rating (player_id, game, {', '.join(_KEPT)})"  # nosec B608  # noqa: S608  # constant names
    f" VALUES ({', '.join(['%s'] * (2 + len(_KEPT)))}) ON CONFLICT (player_id, game) DO UPDATE SET "
    + ", ".join(f"{name} = EXCLUDED.{name}" for name in _KEPT)
)

Position = tuple[datetime, int]  # the values of `at` and `lot`, which order the games


class LedgerEntry(Struct, frozen=True):
    """A row of the ledger. `lot` orders games with the same end, and only refunds have `points`."""

    key: str
    revision: int
    kind: str
    game: str
    first_id: int
    second_id: int | None
    score: float | None
    advantage: float
    version: int
    at: datetime
    lot: int
    points: float | None
    first: RatingSide
    second: RatingSide | None

    @property
    def position(self) -> Position:
        return self.at, self.lot

    @property
    def counts(self) -> bool:
        return self.kind != Kind.REVERSED

    @property
    def is_refund(self) -> bool:
        return self.second_id is None

    @property
    def players(self) -> tuple[int, ...]:
        return (self.first_id,) if self.second_id is None else (self.first_id, self.second_id)

    def side_of(self, player_id: int) -> RatingSide:
        side = self.first if player_id == self.first_id else self.second
        assert side is not None
        return side

    def after(self, player_id: int) -> PlayerRating:
        """Return the player's rating after this entry."""
        return get_rating_after(self.side_of(player_id), self.at)


def draw_lots(key: str) -> int:
    """Return a number that decides the order of entries with the same time."""
    return int.from_bytes(blake2b(key.encode(), digest_size=8).digest(), "big", signed=True)


def lock_ledger() -> None:
    """Lock the ledger until the transaction ends. SQLite has only one writer anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LEDGER_KEY])


def compute_entry(entry: LedgerEntry, careers: dict[int, PlayerRating]) -> LedgerEntry:
    """Return the entry with its sides computed from the players' earlier ratings.

    A refund has only the first side. Players who are not in `careers` count as new.
    """
    first = careers.get(entry.first_id, NEW)
    if entry.second_id is None or entry.score is None:
        return replace(
            entry, first=build_refund_side(first, entry.points or 0.0, entry.at), second=None
        )
    second = careers.get(entry.second_id, NEW)
    one, other = rate_sides(first, second, entry.score, entry.advantage, entry.at, entry.version)
    return replace(entry, first=one, second=other)


def parse_entry(values: Sequence[Any]) -> LedgerEntry:
    """Return the entry of a row whose values are in the order of `COLUMNS`."""
    head, first, second = values[:12], values[12:23], values[23:]
    sides = _parse_side(first), None if second[1] is None else _parse_side(second)
    return LedgerEntry(*head, *sides)  # type: ignore[call-arg]  # a row has all fields


def get_current_revisions(game: str | None = None) -> QuerySet[RatedGame]:
    """Return the newest revision of each key, including reversals and refunds."""
    later = RatedGame.objects.filter(key=OuterRef("key"), revision__gt=OuterRef("revision"))
    rows = RatedGame.objects.filter(~Exists(later))
    return rows if game is None else rows.filter(game=game)


def list_entries(rows: QuerySet[RatedGame]) -> list[LedgerEntry]:
    return [parse_entry(values) for values in rows.values_list(*COLUMNS)]


def get_known_entries(keys: Collection[str]) -> dict[str, LedgerEntry]:
    """Return a dictionary that maps these keys to their entries.

    Keys that are not in the ledger are left out. Each entry is the newest revision, which can be a
    reversal.
    """
    return {entry.key: entry for entry in map(parse_entry, _newest(keys))}


_newest = PreparedQuery(
    lambda keys: get_current_revisions().filter(key__in=keys).values_list(*COLUMNS), of=str
)


def get_counted_entries(game: str) -> QuerySet[RatedGame]:
    """Return the newest revision of each key in a game, ordered by `at` and `lot`.

    Reversals are included.
    """
    return get_current_revisions(game).order_by("at", "lot")


def list_page(game: str, since: Position, most: int) -> list[LedgerEntry]:
    """Return up to `most` of the entries in `get_counted_entries`, starting at a position."""
    at, lot = since
    rows = get_counted_entries(game).filter(Q(at__gt=at) | Q(at=at, lot__gte=lot), at__gte=at)
    return list_entries(rows[:most])


def get_entries_before(
    game: str, player_ids: Collection[int], position: Position
) -> dict[int, LedgerEntry]:
    """Return a dictionary that maps players to their last entries before a position.

    Reversed entries do not count. Players without an entry are left out.
    """
    at, lot = position
    rows = get_current_revisions(game).exclude(kind=Kind.REVERSED).filter(at__lte=at)
    before = rows.filter(Q(at__lt=at) | Q(lot__lt=lot)).order_by("-at", "-lot").values("pk")
    last = Player.objects.filter(pk__in=player_ids).values_list(
        "pk",
        Subquery(before.filter(first=OuterRef("pk"))[:1]),
        Subquery(before.filter(second=OuterRef("pk"))[:1]),
    )
    found = {pk: [row for row in rows if row is not None] for pk, *rows in last}
    wanted = {row for rows in found.values() for row in rows}
    values = RatedGame.objects.filter(pk__in=wanted).values_list("pk", *COLUMNS)
    stored = {pk: parse_entry(row) for pk, *row in values}
    return {
        player: max((stored[row] for row in rows), key=lambda each: each.position)
        for player, rows in found.items()
        if rows
    }


def get_ratings_before(
    game: str, player_ids: Collection[int], position: Position
) -> dict[int, PlayerRating]:
    """Return a dictionary that maps players to their ratings before a position.

    Players without an entry are left out.
    """
    found = get_entries_before(game, player_ids, position)
    return {player: entry.after(player) for player, entry in found.items()}


def add_entries(new: Collection[LedgerEntry]) -> None:
    if new:
        with connection.cursor() as cursor:
            cursor.executemany(_ADD, [_get_values(entry) for entry in new])


def store_ratings(game: str, last: dict[int, LedgerEntry]) -> None:
    """Store the current ratings of these players, each from the player's last entry."""
    if last:
        with connection.cursor() as cursor:
            cursor.executemany(
                _KEEP, [_get_rating_values(game, *each) for each in sorted(last.items())]
            )


def get_ratings(game: str, player_ids: Collection[int]) -> dict[int, Rating]:
    """Return a dictionary that maps these players to their stored ratings in a game.

    Players without a rated game are left out.
    """
    return {row.player_id: row for row in Rating.objects.filter(player__in=player_ids, game=game)}


def parse_player_rating(row: Rating) -> PlayerRating:
    """Return the player rating of a stored row."""
    strength = Strength(row.rating, row.deviation, row.volatility)
    return PlayerRating(
        strength, row.games, row.best, row.streak, row.longest, row.rated_at, row.previous_at
    )


def schedule_replay(game: str, position: Position) -> None:
    """Schedule the replay of all games from a position on (`lobby.ratings.recount`)."""
    there = Recount.objects.filter(game=game).first()
    at, lot = position if there is None else min(position, (there.at, there.lot))
    Recount.objects.update_or_create(game=game, defaults={"at": at, "lot": lot})


def _parse_side(values: Sequence[Any]) -> RatingSide:
    since, *numbers = values
    return RatingSide(since, Strength(*numbers[:3]), Strength(*numbers[3:6]), *numbers[6:])


def _get_values(entry: LedgerEntry) -> list[Any]:
    """Return the values of an entry to store, in the order of `COLUMNS`."""
    found = [getattr(entry, name) for name in _HEAD]
    for side in (entry.first, entry.second):
        found += [None] * len(_SIDE) if side is None else _flatten_side(side)
    adapt = connection.ops.adapt_datetimefield_value
    return [adapt(value) if isinstance(value, datetime) else value for value in found]


def _flatten_side(side: RatingSide) -> Iterable[Any]:
    yield side.since
    for strength in (side.before, side.after):
        yield from (strength.rating, strength.deviation, strength.volatility)
    yield from (side.games, side.best, side.streak, side.longest)


def _get_rating_values(game: str, player_id: int, entry: LedgerEntry) -> list[Any]:
    """Return the player, the game, and the values of a rating to store, in the order of `_KEPT`."""
    career, adapt = entry.after(player_id), connection.ops.adapt_datetimefield_value
    strength, listed = career.strength, get_listing_end(career)
    return [
        *(player_id, game, strength.rating, strength.deviation, strength.volatility),
        *(career.games, career.best, career.streak, career.longest, entry.key, adapt(entry.at)),
        None if career.before_at is None else adapt(career.before_at),
        None if listed is None else adapt(listed),
    ]


def get_listing_end(career: PlayerRating) -> datetime | None:
    """Return when the player will leave the leaderboard, unless another game is rated before then.

    Return None if the player is not listed.
    """
    if career.strength.deviation >= LISTED or career.at is None or career.before_at is None:
        return None
    known_until = career.at + timedelta(days=count_days_until(career.strength, LISTED))
    return min(known_until, career.before_at + timedelta(days=LISTED_DAYS))
