"""The upkeep of the open rooms, which runs every half second.

The upkeep reads changes from the database that no hint reported, because the hint was lost or there
is no Redis. It shows the states of another epoch if the database was replaced
(`games.store.epoch`). It stores and reads presence, and ends matches whose deadline no referee has
handled.
"""

import asyncio
import random
import time
from collections.abc import Sequence
from datetime import timedelta

import structlog
from django.conf import settings
from django.utils import timezone

from games.journal.batch import journal
from games.journal.limits import get_limits
from games.journal.requests import Request
from games.live.frames import CLOSE_RECONNECT
from games.live.open_rooms import OpenRooms, log_failure
from games.live.room import Room
from games.match.commands import Sweep, WithdrawRematch
from games.match.state import MatchState
from games.models import Match
from games.runtime.db import in_db, in_db_for_people, in_db_for_reading
from games.runtime.prepared_query import PreparedQuery
from games.runtime.tasks import Repeated
from games.store.audit import ConnectionLog
from games.store.epoch import end_epoch, get_epoch
from games.store.presence import exchange_presence
from games.store.ratings import get_seat_ratings
from games.store.records import read_states, read_with_pairs
from games.store.visibility import Privacy, get_privacy

log = structlog.get_logger(__name__)

_EVERY = 0.5  # seconds between two rounds
_ROOMS_PER_TASK = 20  # few, so that the database thread can do other work in between
_LOG_EVERY = 2.0  # seconds between two updates of the connection log
# The delay after a deadline before the rooms end the match themselves.
_REFEREE_LATE = timedelta(seconds=3)
_FLAGS = 50  # the maximum number of matches that one round ends


class Upkeep:
    """One loop over the open rooms of this process."""

    def __init__(self, open_rooms: OpenRooms) -> None:
        self._rooms = open_rooms
        self.log = ConnectionLog()
        self._loop = Repeated("rooms", self._tend, _EVERY, first=_EVERY, goes_on=self._has_work)
        self._looked_at = self._attended_at = self._logged_at = 0.0
        self._attending: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start the loop. It ends when no room is open and the connection log has been written."""
        self._loop.start()

    async def look(self, rooms: Sequence[Room]) -> None:
        """Show states that are newer in the database.

        Close the viewers of matches that are no longer public.
        """
        for i in range(0, len(rooms), _ROOMS_PER_TASK):
            some = {room.state.id: room for room in rooms[i : i + _ROOMS_PER_TASK]}
            known = {
                pk: (room.state.version, room.state.chain, room.epoch) for pk, room in some.items()
            }
            newer, public = await in_db(_newer, known)
            self._rooms.take(newer)
            for pk, room in some.items():
                if room.privacy.is_public and pk not in public:
                    await log_failure(self.readmit(room))

    async def readmit(self, room: Room) -> None:
        """Close the viewers of a room whose match is no longer public.

        Viewers who may still see the match connect again.
        """
        room.close(CLOSE_RECONNECT)
        await self.read_people(room)

    async def read_people(self, room: Room) -> None:
        """Read the players' names and the match's privacy again, and show the names."""
        people = await in_db(_people, room.state.id)
        if people is not None:
            room.names, room.privacy = people
            self._rooms.show_soon(room)

    def _has_work(self) -> bool:
        return bool(len(self._rooms)) or not self.log.is_empty

    async def _tend(self) -> None:
        now = time.monotonic()
        await log_failure(self._follow_history())
        if now - self._looked_at >= settings.DB_POLL_SECONDS:
            self._looked_at = now
            await log_failure(self.look(list(self._rooms)))
            await log_failure(self._let_flags_fall())
        if now - self._logged_at >= _LOG_EVERY:
            self._logged_at = now
            await log_failure(self.log.write())
        await self._attend(now)
        await log_failure(self._read_ratings())
        for room in self._rooms:
            await log_failure(self._show_people(room))

    async def _follow_history(self) -> None:
        """Read the matches again whose rooms show an epoch other than the database's."""
        epoch = await in_db(get_epoch)
        late = [room for room in self._rooms if room.epoch != epoch]
        for i in range(0, len(late), _ROOMS_PER_TASK):
            some = late[i : i + _ROOMS_PER_TASK]
            found = await in_db(read_states, [room.state.id for room in some])
            for room in some:
                state = found.get(room.state.id)
                if state is None:
                    self._rooms.forget(room)
                    self._rooms.shut(room, "it is no more")
                else:
                    room.begin_anew(state, epoch)
                    self._rooms.show_soon(room)

    async def _read_ratings(self) -> None:
        """Read the ratings for some of the rooms that lack them."""
        late = [room for room in self._rooms if room.lacks_ratings()][:_ROOMS_PER_TASK]
        if not late:
            return
        found = await in_db_for_reading(get_seat_ratings, [room.state for room in late])
        for room in late:
            room.ratings = found.get(room.state.id, room.ratings)

    async def _let_flags_fall(self) -> None:
        """End matches that a referee should have ended by now, in case no referee is running."""
        late = timezone.now() - timedelta(milliseconds=get_limits().lag_ms) - _REFEREE_LATE
        overdue = [
            state.id
            for state in (room.state for room in self._rooms)
            if state.is_live and state.deadline is not None and state.deadline < late
        ]
        # Choose at random, because the oldest ones may be impossible to end.
        some = random.sample(overdue, min(len(overdue), _FLAGS))  # nosec B311  # not for secrets
        asked = [journal().ask(Request(match_id, None, Sweep())) for match_id in some]
        await asyncio.gather(*asked)

    async def _attend(self, now: float) -> None:
        """Store and read presence. Other upkeep continues if pairing occupies the thread."""
        if self._attending is None:
            rooms = list(self._rooms)
            if now - self._attended_at >= settings.PRESENCE_TIMEOUT_SECONDS / 4:
                self._attended_at = now
            else:
                rooms = [room for room in rooms if room.presence.attended is None]
            self._attending = asyncio.ensure_future(self._attend_all(rooms))
        try:
            await asyncio.wait({self._attending}, timeout=_EVERY)
        except asyncio.CancelledError:
            self._attending.cancel()
            raise
        if self._attending.done():
            done, self._attending = self._attending, None
            done.result()

    async def _attend_all(self, rooms: Sequence[Room]) -> None:
        for i in range(0, len(rooms), _ROOMS_PER_TASK):
            await log_failure(self._attend_some(rooms[i : i + _ROOMS_PER_TASK]))

    async def _attend_some(self, rooms: Sequence[Room]) -> None:
        """Exchange the presence of these rooms, and drop rooms that stayed empty."""
        empty = {room: list(room.presence.left_at) for room in rooms if not room.viewers}
        found = await in_db_for_people(
            exchange_presence, [room.presence.here(room.state) for room in rooms]
        )
        for room in rooms:
            room.presence.attended = found.get(room.state.id, room.presence.attended)
            if not room.viewers and empty.get(room) == room.presence.left_at:
                self._rooms.forget(room)

    async def _show_people(self, room: Room) -> None:
        if room.has_other_people():
            await self._withdraw_for_absent(room)
            self._rooms.show_soon(room)

    async def _withdraw_for_absent(self, room: Room) -> None:
        """Withdraw the rematch offer of a player who has left, so that no stale button remains."""
        state = room.state
        seat = state.rematch_by
        if seat is None or state.rematch_id is not None or room.presence.is_here(state, seat):
            return
        await journal().ask(
            Request(state.id, (state.first_id, state.second_id)[seat], WithdrawRematch())
        )


def _people(match_id: str) -> tuple[tuple[str, str], Privacy] | None:
    """Return the names by seat and the match's privacy, or None if the match cannot be shown."""
    found = read_with_pairs([match_id]).get(match_id)
    if found is None:
        return None
    pair = found[1]
    return pair.names, get_privacy({match_id: pair})[match_id]


def _newer(known: dict[str, tuple[int, str, str]]) -> tuple[list[MatchState], set[str]]:
    """Return the states that are newer than the known ones, and the ids of public matches.

    `known` has the version, chain and epoch of each match. If the database has a lower version,
    another chain with the same version, or no such match, it was replaced, so end the known epoch.
    """
    rows = list(_versions(known))
    stored = {pk: (version, chain) for pk, version, chain, *_ in rows}
    hidden = {pk for pk, _, _, *protected in rows if any(protected)}
    newer = [pk for pk, known_then in known.items() if stored.get(pk, (-1,))[0] > known_then[0]]
    for epoch in {
        epoch
        for pk, (version, chain, epoch) in known.items()
        if pk not in newer and stored.get(pk) != (version, chain)
    }:
        log.warning("the database went back", epoch=epoch)
        end_epoch(epoch)
    return list(read_states(newer).values()), known.keys() - hidden


_versions = PreparedQuery(
    lambda ids: Match.objects.filter(pk__in=ids).values_list(
        "pk", "version", "chain", "first__is_protected", "second__is_protected"
    ),
    of=str,
)
