"""The log of players' connections to live matches, and the players who share a network.

Moderators, ratings and the limits for new guests use the log. It is evidence, not proof: a server
that dies loses the last two seconds. Networks are stored as keyed hashes, which show whether two
networks are equal, but not what they are. A shared network proves nothing, because all computers of
a school often share one.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Protocol

from django.conf import settings
from django.db import IntegrityError, connection
from django.db.models import Case, F, When
from django.utils import timezone
from msgspec import Struct

from games.models import Connection, Match
from games.runtime.addresses import get_client_network
from games.runtime.db import atomic_without_fsync, in_db
from games.runtime.prepared_query import PreparedQuery
from games.runtime.pubsub import get_server_id
from games.store.aliases import get_kin, get_persons, match_players_filter
from games.store.suspensions import get_suspensions

_BATCH = 50  # the most rows to insert, and to update, in one transaction


class PlayerConnection(Protocol):
    """The attributes of a player's connection that the log uses."""

    @property
    def address(self) -> str:
        """The client's address."""

    def last_here(self) -> float:
        """Return when the player was last known to be there, in seconds since 1970."""


class _Entry(Struct):
    match_id: str
    seat: int
    address: str
    opened_at: datetime
    seen_at: datetime
    closed_at: datetime | None = None
    pk: int | None = None


class ConnectionLog:
    """The connections of this process that are open, or closed but not stored yet."""

    def __init__(self) -> None:
        # Open connections, by socket and seat.
        self._open: dict[tuple[PlayerConnection, int], _Entry] = {}
        self._closed: list[_Entry] = []
        self._seen_at = timezone.now()

    def opened(self, socket: PlayerConnection, match_id: str, seats: Iterable[int]) -> None:
        now = timezone.now()
        for seat in seats:
            entry = _Entry(match_id, seat, hash_address(socket.address), now, now)
            self._open[socket, seat] = entry

    def closed(self, socket: PlayerConnection) -> None:
        for seat in (0, 1):
            entry = self._open.pop((socket, seat), None)
            if entry is not None:
                entry.seen_at = _last_here(socket)
                entry.closed_at = timezone.now()
                self._closed.append(entry)

    @property
    def is_empty(self) -> bool:
        return not (self._open or self._closed)

    async def write(self) -> None:
        """Store changes to connections.

        Every PRESENCE_TIMEOUT_SECONDS, also store when the open connections were last seen.
        """
        closed, self._closed = self._closed, []
        new = [entry for entry in (*self._open.values(), *closed) if entry.pk is None]
        known = [entry for entry in closed if entry.pk is not None]
        now = timezone.now()
        if now - self._seen_at >= timedelta(seconds=settings.PRESENCE_TIMEOUT_SECONDS):
            self._seen_at = now
            for (socket, _), entry in self._open.items():
                entry.seen_at = _last_here(socket)
                if entry.pk is not None:
                    known.append(entry)
        try:
            # Store rows in batches, so that actions can be committed in between.
            while new or known:
                await in_db(_store, new[:_BATCH], known[:_BATCH])
                new, known = new[_BATCH:], known[_BATCH:]
        except Exception:
            self._closed = [entry for entry in closed if entry in new or entry in known]
            raise


def _last_here(socket: PlayerConnection) -> datetime:
    return datetime.fromtimestamp(socket.last_here(), UTC)


def hash_address(address: str) -> str:
    """Return the keyed hash of the address's network that is stored instead of the address."""
    key = blake2b(settings.SECRET_KEY.encode(), person=b"address").digest()
    return blake2b(get_client_network(address).encode(), digest_size=8, key=key).hexdigest()


def _store(new: Sequence[_Entry], known: Sequence[_Entry]) -> None:
    try:
        made = _write(new, known)
    except IntegrityError:  # an older copy of the database came back between the two queries
        made = _write(new, known)
    for entry, pk in made:
        entry.pk = pk


def _write(new: Sequence[_Entry], known: Sequence[_Entry]) -> list[tuple[_Entry, int]]:
    """Insert new entries and update known ones. Return the new entries with their ids."""
    # If an older copy of the database was restored, the match may no longer exist.
    stored = {pk for (pk,) in _stored({entry.match_id for entry in new})}
    adapt, server = connection.ops.adapt_datetimefield_value, get_server_id()
    made = []
    with atomic_without_fsync(), connection.cursor() as cursor:
        for entry in (each for each in new if each.match_id in stored):
            moments = (entry.opened_at, entry.seen_at, entry.closed_at)
            told = (entry.match_id, entry.seat, server, entry.address, *map(adapt, moments))
            cursor.execute(_INSERT, told)
            made.append((entry, int(cursor.fetchone()[0])))
        if known:
            cursor.executemany(
                _UPDATE,
                [(adapt(e.seen_at), adapt(e.closed_at), e.pk, e.match_id, server) for e in known],
            )
    return made


_stored = PreparedQuery(lambda ids: Match.objects.filter(pk__in=ids).values_list("pk"), of=str)
# Plain SQL, because every game opens and closes two connections.
_INSERT = (
    "INSERT INTO games_connection (match_id, seat, server, address, opened_at, seen_at, closed_at)"
    " VALUES (%s, %s, %s, %s, %s, %s, %s) RETURNING id"
)
# Compare the match too. After an older copy of the database was restored, the id may belong to a
# connection of another match.
_UPDATE = (
    "UPDATE games_connection SET seen_at = %s, closed_at = %s"
    " WHERE id = %s AND match_id = %s AND server = %s"
)


_MATCHES = 200  # how many of a player's newest matches are searched for networks
_ADDRESSES = 10  # how many of a player's latest networks are considered
_CONNECTIONS = 1000  # how many of the newest connections from a network are considered


class Neighbour(Struct, frozen=True):
    """A player on the same network, with the number of connections and the time of the last one."""

    player_id: int
    times: int
    last_at: datetime
    is_suspended: bool


def list_addresses(player_id: int) -> list[str]:
    """Return the hashes of the networks from which the player played their newest matches.

    The list has at most `_ADDRESSES` hashes, the latest first.
    """
    rows = get_kin([player_id]).get(player_id, frozenset({player_id}))
    newest = (
        Match.objects.filter(match_players_filter(rows))
        .order_by("-created_at")
        .values_list("pk", "first")
    )
    seats = {pk: 0 if first in rows else 1 for pk, first in newest[:_MATCHES]}
    found: dict[str, datetime] = {}
    known = Connection.objects.filter(match__in=seats).exclude(address="")
    for match_id, seat, address, at in known.values_list("match_id", "seat", "address", "seen_at"):
        if seats[match_id] == seat:
            found[address] = max(at, found.get(address, at))
    return sorted(found, key=lambda address: found[address], reverse=True)[:_ADDRESSES]


def list_neighbours(player_id: int) -> list[Neighbour]:
    """Return the other people who played from one of the player's networks, the latest first.

    Only the newest `_CONNECTIONS` connections from each network are considered.
    """
    mine = get_kin([player_id]).get(player_id, frozenset({player_id}))
    seen = [each for address in list_addresses(player_id) for each in _seen_at(address)]
    people = get_persons({row for row, _ in seen})
    times: dict[int, list[datetime]] = {}
    for row, at in seen:
        if row not in mine:
            times.setdefault(people.get(row, row), []).append(at)
    held = get_suspensions(times)
    found = [Neighbour(pk, len(each), max(each), pk in held) for pk, each in times.items()]
    return sorted(found, key=lambda each: each.last_at, reverse=True)


def has_suspended(client_network: str, days: int) -> bool:
    """Return whether a currently suspended player used that network in the last `days`.

    Only the newest `_CONNECTIONS` connections from the network are considered.
    """
    since = timezone.now() - timedelta(days=days)
    seen = _seen_at(hash_address(client_network), since)
    return bool(get_suspensions({row for row, _ in seen}))


def _seen_at(address: str, since: datetime | None = None) -> Collection[tuple[int, datetime]]:
    """Return the newest connections from a network, each as the player's id and `seen_at`.

    `address` is the hash of the network.
    """
    found = Connection.objects.filter(address=address).order_by("-opened_at")
    if since is not None:
        found = found.filter(opened_at__gt=since)
    player = Case(When(seat=0, then=F("match__first")), default=F("match__second"))
    return list(found.values_list(player, "seen_at")[:_CONNECTIONS])
