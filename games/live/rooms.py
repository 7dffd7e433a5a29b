"""The sockets of this process by match: who is sent a match's state, and who is here.

A room shows the newest row it has been given; an older one never replaces it. Every few seconds the
rooms look at the database, so a hint that was lost, or another server without Redis, heals. Where
the database turns out to hold another history (`games.store.epoch`), a room shows what it says.

What fails in one room is that room's alone.
"""

import asyncio
import contextlib
import random
import time
from collections.abc import Awaitable, Iterable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import structlog
from django.conf import settings
from django.utils import timezone

from games.journal import Request, journal, limits, read
from games.live.frames import CLOSE_NO_SUCH
from games.live.protocol import Around, StateFrame, phrase_frame
from games.match.commands import Sweep, WithdrawRematch
from games.match.ends import has_stalled
from games.match.state import Row
from games.models import Match
from games.runtime.db import Unavailable, at_desk
from games.runtime.metrics import PUBLISH
from games.runtime.per_loop import PerLoop
from games.runtime.pubsub import hints
from games.store.audit import ConnectionLog
from games.store.epoch import current_epoch, end_epoch
from games.store.heartbeat import heart
from games.store.presence import Attended, Here, attend

if TYPE_CHECKING:
    from games.live.consumer import MatchSocket

log = structlog.get_logger(__name__)

EVENTS = "events"  # the group in which those who hand events on hear that there are some
CALLS = "bots"  # the group in which those who think for the computer hear that it is called
_PEOPLE = "people"
_SOME = 50  # rooms whose people are written in one go
_LOG_EVERY = 2.0  # seconds
_REFEREE_LATE = timedelta(seconds=3)  # past a deadline; then the rooms do without a referee
_FLAGS = 50  # matches that are ended so in one go
PHRASE_EVERY = 2.0  # seconds between two phrases of one player


class Room:
    """One match's sockets here."""

    def __init__(self, row: Row, names: tuple[str, str], epoch: str) -> None:
        self.row = row
        self.epoch = epoch  # the history that the row was read from
        self.names = names
        self.sockets: set[MatchSocket] = set()
        self._players: tuple[set[MatchSocket], set[MatchSocket]] = (set(), set())  # by their seats
        self.attended: Attended | None = None  # what is stored; None: not looked yet
        self.left_at: list[float | None] = [None, None]  # when the seat's last socket here went
        self._shown: Around | None = None
        self._spoke_at: dict[int, float] = {}

    def may_speak(self, seat: int) -> bool:
        """One phrase in two seconds."""
        now = time.monotonic()
        if now - self._spoke_at.get(seat, -PHRASE_EVERY) < PHRASE_EVERY:
            return False
        self._spoke_at[seat] = now
        return True

    async def say(self, seat: int, phrase: str) -> None:
        """Give a phrase of that seat's player to everyone here."""
        text = phrase_frame(self.row, seat, phrase)
        for socket in list(self.sockets):
            await socket.send_text(text)

    def enter(self, socket: "MatchSocket") -> None:
        self.sockets.add(socket)
        if socket.seat is not None:
            self._players[socket.seat].add(socket)

    def leave(self, socket: "MatchSocket") -> None:
        self.sockets.discard(socket)
        if socket.seat is not None:
            self._players[socket.seat].discard(socket)
            self.left_at[socket.seat] = max(self.left_at[socket.seat] or 0, socket.last_here())

    def learn(self, row: Row) -> bool:
        """Take a row as committed. False where a newer one is known already."""
        if row.version <= self.row.version:
            return False
        self.row = row
        return True

    def begin_anew(self, row: Row, epoch: str) -> None:
        """Take a row of another history, whatever was known."""
        self.row, self.epoch = row, epoch

    def state(self) -> StateFrame:
        return StateFrame(self.row, self._around())

    async def show(self) -> None:
        """Send the newest state to every socket here."""
        self._shown = self._around()
        state = StateFrame(self.row, self._shown)
        for socket in list(self.sockets):
            await socket.show(state)

    def has_other_people(self) -> bool:
        """Whether who is here differs from what was last shown."""
        return self._around() != self._shown

    def here(self) -> Here:
        """Who is at this server, for the others to know."""
        now = time.time()
        first, second = (now if self.is_held(seat) else self._here_at(seat) for seat in (0, 1))
        return Here(self.row.id, first, second, self._watchers())

    def _around(self) -> Around:
        held = self.is_held(0), self.is_held(1)
        watchers = self._watchers() + (self.attended.watchers if self.attended else 0)
        if held == (True, True):
            return Around(self.names, held, watchers, stalled=self._stalled(), epoch=self.epoch)
        return Around(
            self.names,
            (self.is_here(0), self.is_here(1)),
            watchers,
            (self._has_abandoned(0), self._has_abandoned(1)),
            self._stalled(),
            self.epoch,
        )

    def _stalled(self) -> tuple[bool, bool]:
        now, held = timezone.now(), limits()
        return has_stalled(self.row, 0, now, held), has_stalled(self.row, 1, now, held)

    def _has_abandoned(self, seat: int) -> bool:
        """Whether the other may claim the match. The journal decides by the same moments, as they
        are stored when they do (`games.store.presence.last_seen`)."""
        if self.attended is None or not self.row.is_live or self.is_held(seat):
            return False
        since = (self.row.resumed_at or self.row.created_at).timestamp()
        seen = max(self._last_here(seat), since, self.attended.up_since)
        return time.time() - seen >= limits().gone_for(self.row).total_seconds()

    def is_here(self, seat: int) -> bool:
        if self.is_held(seat):
            return True
        return time.time() - self._last_here(seat) < settings.GONE_SECONDS

    def _last_here(self, seat: int) -> float:
        stored = self.attended.seen_at[seat] if self.attended else None
        return max(self._here_at(seat) or 0, stored or 0)

    def _here_at(self, seat: int) -> float | None:
        """When the seat's player was last at this server; None: never."""
        heard = [socket.last_here() for socket in self._players[seat]]
        return max(heard, default=self.left_at[seat])

    def is_held(self, seat: int) -> bool:
        """Whether the seat's player has a socket here, and is not just a connection left open."""
        if self.row.levels[seat] is not None:
            return True  # the computer is always here
        alive = time.time() - settings.GONE_SECONDS
        return any(socket.last_here() > alive for socket in self._players[seat])

    def _watchers(self) -> int:
        return len(self.sockets) - len(self._players[0]) - len(self._players[1])


class Rooms:
    """All rooms of this process."""

    def __init__(self) -> None:
        self._rooms: dict[str, Room] = {}
        self._upkeep: asyncio.Task[None] | None = None
        self._looked_at = self._attended_at = self._logged_at = 0.0
        self._log = ConnectionLog()
        self._due: set[Room] = set()  # whose newest state is yet to be shown
        self._hints = hints()
        self._hints.hear(_PEOPLE, lambda hint: hints().soon(self.rename(hint["player"])))
        journal().listeners.append(self._committed)
        heart().listeners.append(lambda: hints().soon(self._look(list(self._rooms))))

    def enter(
        self, row: Row, names: tuple[str, str], socket: "MatchSocket", epoch: str = ""
    ) -> Room:
        """The room of a match as it was just read, with the socket in it."""
        room = self._rooms.get(row.id)
        if room is None:
            room = self._rooms[row.id] = Room(row, names, epoch)
            hints().hear(_group(row.id), self._heard)
        room.names = names
        if room.learn(row):
            self.show_soon(room)  # the others there have missed it
        socket.seat = row.seat_of(socket.player_id)
        room.enter(socket)
        if socket.seat is not None and row.is_live:
            self._log.opened(socket, row.id, socket.seat)
        if self._upkeep is None or self._upkeep.done():
            self._upkeep = asyncio.ensure_future(self._keep_up())
        return room

    def leave(self, room: Room, socket: "MatchSocket") -> None:
        room.leave(socket)
        self._log.closed(socket)

    async def renamed(self, player_id: int) -> None:
        """A player has another name now: show it, here and at the other servers."""
        await self.rename(player_id)
        hints().tell(_PEOPLE, player=player_id)

    async def rename(self, player_id: int) -> None:
        for room in list(self._rooms.values()):
            if room.row.seat_of(player_id) is not None:
                found = await at_desk(_with_names, room.row.id)
                if found is not None:
                    room.names = found[1]
                    self.show_soon(room)

    async def say(self, room: Room, seat: int, phrase: str) -> None:
        """A phrase for the match's people, here and at the other servers."""
        await room.say(seat, phrase)
        hints().tell(_group(room.row.id), match=room.row.id, seat=seat, phrase=phrase)

    def players(self) -> set[int]:
        """The players who hold a match socket here."""
        return {
            socket.player_id
            for room in self._rooms.values()
            for socket in room.sockets
            if socket.player_id is not None
        }

    def _committed(self, rows: Sequence[Row]) -> None:
        for row in rows:
            self._hints.tell(_group(row.id), match=row.id, version=row.version)
            if row.bot_at is not None:
                self._hints.tell(CALLS, match=row.id)
            if not row.is_live:
                self._hints.tell(EVENTS, match=row.id)
        self.take(rows)

    def take(self, rows: Iterable[Row]) -> None:
        """Show the rows, as they were committed, to whoever has seen only older ones."""
        for row in rows:
            room = self._rooms.get(row.id)
            if room is None:
                continue
            if not row.is_readable:
                self._hints.soon(self._shut(room, "unreadable"))
            elif room.learn(row):
                self.show_soon(room)

    def show_soon(self, room: Room) -> None:
        """Show the room's newest state, once for all that asks for it meanwhile."""
        if not self._due:
            self._hints.soon(self._show_due())
        self._due.add(room)

    async def _show_due(self) -> None:
        due, self._due = self._due, set()
        with PUBLISH.time():
            for room in due:
                if room.row.is_readable:
                    await _safely(room.show())
                else:
                    await self._shut(room, "unreadable")

    async def _shut(self, room: Room, why: str) -> None:
        """A match that cannot be shown is none, as for whoever comes to it: close its sockets."""
        log.error("match not shown", match=room.row.id, why=why)
        for socket in list(room.sockets):
            await _safely(socket.close(CLOSE_NO_SUCH))

    def _heard(self, hint: dict[str, Any]) -> None:
        room = self._rooms.get(hint["match"])
        if room is not None and "phrase" in hint:
            hints().soon(room.say(hint["seat"], hint["phrase"]))
        elif room is not None and room.row.version < hint["version"]:
            hints().soon(self._look([room.row.id]))

    async def _look(self, match_ids: Sequence[str]) -> None:
        rooms = [self._rooms[id_] for id_ in match_ids if id_ in self._rooms]
        known = {room.row.id: (room.row.version, room.row.chain, room.epoch) for room in rooms}
        self.take(await at_desk(_newer, known))

    async def _follow_history(self) -> None:
        """Where the database holds another history than a room shows, read its match anew."""
        epoch = await at_desk(current_epoch)
        late = [room for room in self._rooms.values() if room.epoch != epoch]
        for i in range(0, len(late), _SOME):  # actions that come meanwhile go between
            some = late[i : i + _SOME]
            found = await at_desk(read, [room.row.id for room in some])
            for room in some:
                row = found.get(room.row.id)
                if row is None:
                    self._forget(room)
                    await self._shut(room, "it is no more")
                else:
                    room.begin_anew(row, epoch)
                    self.show_soon(room)

    async def _keep_up(self) -> None:
        """While there are rooms: show who comes and goes, look for what was missed."""
        while self._rooms or not self._log.is_empty:
            await asyncio.sleep(0.5)
            with contextlib.suppress(Unavailable):  # counted and logged at the desk
                await _safely(self._tend())

    async def _tend(self) -> None:
        now = time.monotonic()
        await _safely(self._follow_history())
        if now - self._looked_at >= settings.LOOK_SECONDS:
            self._looked_at = now
            await _safely(self._look(list(self._rooms)))
            await _safely(self._let_flags_fall())
        if now - self._logged_at >= _LOG_EVERY:
            self._logged_at = now
            await _safely(self._log.write())
        if now - self._attended_at >= settings.GONE_SECONDS / 4:
            self._attended_at = now
            await self._attend(list(self._rooms.values()))
        else:
            await self._attend([r for r in self._rooms.values() if r.attended is None])
        for room in list(self._rooms.values()):
            await _safely(self._show_people(room))

    async def _let_flags_fall(self) -> None:
        """End what is due and a referee should have ended by now: perhaps there is none."""
        late = timezone.now() - timedelta(milliseconds=limits().lag_ms) - _REFEREE_LATE
        overdue = [
            row.id
            for row in (room.row for room in self._rooms.values())
            if row.is_live and row.deadline is not None and row.deadline < late
        ]
        # By chance, as in the oldest there may be nothing that can be done.
        some = random.sample(overdue, min(len(overdue), _FLAGS))  # nosec B311
        asked = [journal().ask(Request(match_id, None, Sweep())) for match_id in some]
        await asyncio.gather(*asked)

    async def _show_people(self, room: Room) -> None:
        if room.has_other_people():
            await self._withdraw_for_absent(room)
            self.show_soon(room)

    async def _attend(self, rooms: Sequence[Room]) -> None:
        for i in range(0, len(rooms), _SOME):  # actions that come meanwhile go between
            await _safely(self._attend_some(rooms[i : i + _SOME]))

    async def _attend_some(self, rooms: Sequence[Room]) -> None:
        """Store who is in these rooms, and learn who was. Then an empty one may be forgotten."""
        empty = {room: list(room.left_at) for room in rooms if not room.sockets}
        found = await at_desk(attend, [room.here() for room in rooms])
        for room in rooms:
            room.attended = found.get(room.row.id, room.attended)
            if not room.sockets and empty.get(room) == room.left_at:
                self._forget(room)

    def _forget(self, room: Room) -> None:
        if self._rooms.get(room.row.id) is room:
            del self._rooms[room.row.id]
            hints().unhear(_group(room.row.id))

    async def _withdraw_for_absent(self, room: Room) -> None:
        """No stale button: who asked for a rematch and left has withdrawn it."""
        row = room.row
        seat = row.rematch_by
        if seat is None or row.rematch_id is not None or room.is_here(seat):
            return
        await journal().ask(Request(row.id, (row.first_id, row.second_id)[seat], WithdrawRematch()))


async def _safely(work: Awaitable[None]) -> None:
    """Do a part of the upkeep; when it fails, the others are done all the same. Only when the
    database is away the round ends: they would all wait for it."""
    try:
        await work
    except Unavailable:
        raise
    except Exception:
        log.exception("upkeep failed", part="rooms")


def _group(match_id: str) -> str:
    return f"match.{match_id}"


def _with_names(match_id: str) -> tuple[Row, tuple[str, str]] | None:
    row = read([match_id]).get(match_id)
    if row is None or not row.is_readable:
        return None
    names = Match.objects.values_list("first__username", "second__username").get(pk=match_id)
    return row, names


def _newer(known: dict[str, tuple[int, str, str]]) -> list[Row]:
    """The rows of those matches whose version is beyond the known one.

    Known are version, chain and epoch of each. Where the database has less, or something else at
    the same version, it holds another history: that epoch is over.
    """
    found = Match.objects.filter(pk__in=known).values_list("pk", "version", "chain")
    stored = {pk: (version, chain) for pk, version, chain in found}
    newer = [pk for pk, known_then in known.items() if stored.get(pk, (-1,))[0] > known_then[0]]
    for epoch in {
        epoch
        for pk, (version, chain, epoch) in known.items()
        if pk not in newer and stored.get(pk) != (version, chain)
    }:
        log.warning("the database went back", epoch=epoch)
        end_epoch(epoch)
    return list(read(newer).values())


rooms = PerLoop(Rooms)
"""The rooms of the running event loop."""
