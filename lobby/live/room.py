"""The lobby of this process: its open tabs, and the frames that are sent to them."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from typing import Any

from django.conf import settings
from msgspec.structs import replace

from games.journal.publisher import publisher
from games.live.frames import Frame, encode_bytes
from games.live.rooms import rooms
from games.match.state import MatchState
from games.runtime.db import in_db_for_people, in_db_for_reading
from games.runtime.per_loop import PerLoop
from games.runtime.pubsub import pubsub
from games.runtime.tasks import Repeated
from lobby.live import availability
from lobby.live.availability import AvailabilityCheck
from lobby.live.groups import GroupTabs
from lobby.live.listing import (
    LobbySnapshot,
    build_changes_frame,
    build_lobby_frame,
    list_board_changes,
    read_lobby,
)
from lobby.live.online import Elsewhere, read_elsewhere, store_online
from lobby.live.player_tabs import SHOW_OWN, PlayerTabs
from lobby.live.protocol import ChangesFrame, ViewerPart
from lobby.live.tabs import Tab, WaitingTabs
from lobby.live.tournaments import TournamentTabs
from lobby.live.tv import Wall
from lobby.live.waves import Waves
from lobby.models import Seek
from lobby.seeks import challenges, matchmaking
from lobby.seeks.matchmaking import SeekPairing
from lobby.tournaments.locking import subscribe_to_changes

_GROUP = "lobby"
_UPKEEP_EVERY = 0.2  # seconds
_TRIES_APART = 0.05  # seconds between two seeks that are tried again
# Seconds during which a player who has left still counts as online, because pages reload.
_GRACE = 5.0
_AT_ONCE = 25  # sockets to which frames are written before other tasks may run


class LobbyRoom:
    """All lobby tabs of this process."""

    def __init__(self) -> None:
        self.sockets: set[Tab] = set()
        self.waiting = WaitingTabs()
        self.meetings = AvailabilityCheck(self)
        self.waves = Waves(self, self.meetings)
        self._players: defaultdict[int, set[Tab]] = defaultdict(set)
        self._shown: LobbySnapshot | None = None  # the lobby when it was last read
        self._whole = b""  # the encoded `lobby` frame of `_shown`, without the last brace
        self._is_stale = True
        self._shown_at = self._kept_at = self._read_at = self._looked_at = 0.0
        self.own = PlayerTabs(self.sockets_of, self._count_others)
        self.wall = Wall()
        self.groups = GroupTabs()
        self.tournaments = TournamentTabs()
        self._loop = asyncio.get_running_loop()
        self._left: dict[int, float] = {}  # when players closed their last tab on this server
        # Players in this process; None if they must be counted again.
        self._here: frozenset[int] | None = None
        self._online = 0  # the number of players on all servers, once `_elsewhere` is known
        # The players of this process, as last stored in the database.
        self._stored: frozenset[int] = frozenset()
        self._elsewhere: Elsewhere | None = None  # None before the first read
        # Whether a new tab has been sent a newer number of online players than the one in `_shown`.
        self._has_told_ahead = False
        self._upkeep = Repeated(
            "lobby",
            self._tend,
            _UPKEEP_EVERY,
            first=_UPKEEP_EVERY,
            goes_on=lambda: bool(self.sockets),
            at_end=self._forget_shown,
        )
        self._reading: asyncio.Task[None] | None = None
        publisher().listen(self._committed)
        subscribe_to_changes(self._tournament_changed)

    async def enter(self, socket: Tab) -> bool:
        """Add a tab. Return False if it shows a tournament and `TournamentTabs.enter` refuses it.

        The caller must check that the viewer is a member of the tab's group, if it shows one.
        """
        self.sockets.add(socket)
        if socket.player_id is not None:
            self._players[socket.player_id].add(socket)
            self._here = None
        pubsub().subscribe(_GROUP, self._heard)
        if self._upkeep.start():
            await self._keep_seen()
        if socket.shows == "wall":
            await self.wall.enter(socket)
        elif socket.shows == "group":
            await self.groups.enter(socket)
        elif socket.shows == "tournament":
            if not await self.tournaments.enter(socket):
                return False
        elif socket.shows != "own":
            while self._shown is None:
                await asyncio.shield(self._read_once())
            socket.send_frame(self._first(socket))
            socket.is_shown = True
        if socket.player_id is not None and socket.shows in SHOW_OWN:
            self.own.soon([socket.player_id])
        return True

    def leave(self, socket: Tab) -> None:
        self.sockets.discard(socket)
        self.waiting.forget(socket)
        self.wall.leave(socket)
        self.groups.leave(socket)
        self.tournaments.leave(socket)
        if socket.player_id is not None:
            self._players[socket.player_id].discard(socket)
            if not self._players[socket.player_id]:
                del self._players[socket.player_id]
                self._left[socket.player_id] = time.monotonic()
                self.own.forget(socket.player_id)

    def sockets_of(self, player_id: int) -> list[Tab]:
        """Return the player's tabs on this server."""
        return list(self._players.get(player_id, ()))

    def changed(self) -> None:
        """Mark the lobby as changed, so that it is sent again."""
        self._is_stale = True

    def changed_everywhere(
        self, player_ids: Iterable[int], seek_ids: Iterable[str] = (), opened: str | None = None
    ) -> None:
        """Announce a change on this server and on the others.

        `player_ids` are the players whose own state has changed, `seek_ids` the seeks that were
        paired or are gone, and `opened` is the game of a new seek.
        """
        players, seeks = list(player_ids), list(seek_ids)
        self.changed()
        self.own.soon(players)
        self.own.seek_changed(opened, seeks)
        pubsub().publish(_GROUP, players=players, seeks=seeks, opened=opened)

    def tell_asked(self, player_ids: Collection[int]) -> None:
        """Ask the other servers to check whether these players are there."""
        pubsub().publish(_GROUP, asking=list(player_ids))

    # -- decided seeks

    async def paired(self, pairing: SeekPairing) -> None:
        """Notify the waiting tabs on this server, and the other servers.

        This includes the tabs that wait for seeks that the pairing has ended.
        """
        for seek_id, player_id in pairing.seeks.items():
            await self.waiting.paired(seek_id, pairing.match_id, pairing.roles[player_id])
        await self.waiting.cancelled(pairing.ended)
        self.changed_everywhere(pairing.roles, (*pairing.seeks, *pairing.ended))

    async def cancelled(self, seeks: dict[str, int]) -> None:
        """Notify tabs and servers that these seeks are gone. `seeks` maps seeks to players."""
        await self.waiting.cancelled(seeks)
        self.changed_everywhere(set(seeks.values()), seeks)

    async def end_searches(self, player_ids: set[int]) -> None:
        """End the listed seeks of these players, whose match is beginning."""
        ended = await in_db_for_people(matchmaking.end_searches, player_ids)
        if ended:
            await self.cancelled(ended)

    async def _look(self) -> None:
        """Check whether seeks for which tabs here are waiting were decided on another server."""
        asked = self.waiting.seeks
        if not asked:
            return
        for seek_id, seek in (
            await in_db_for_reading(matchmaking.get_decided_seeks, asked)
        ).items():
            if seek is None:
                await self.waiting.cancelled([seek_id])
            elif seek.match is not None:
                role = matchmaking.get_role(seek.match, seek.player_id)
                await self.waiting.paired(seek_id, seek.match.pk, role)

    def _searching(self) -> set[int]:
        """Return the ids of the players here who are waiting for a match, or have a new one.

        These are the players of `PlayerTabs.seeking`, and those with a tab that waits for a seek.
        """
        return self.own.seeking() | {
            socket.player_id
            for socket in self.sockets
            if socket.player_id is not None and socket.waits_for
        }

    # -- upkeep

    def _committed(self, states: Sequence[MatchState]) -> None:
        if not states:
            return
        self.changed()
        self.own.committed(states)
        self.tournaments.committed([state.id for state in states])
        playing = {
            pk
            for state in states
            if state.rematch_id and not state.has_computer
            for pk in (state.first_id, state.second_id)
        }
        if playing:
            pubsub().soon(self.end_searches(playing))

    def _heard(self, hint: dict[str, Any]) -> None:
        if "asking" in hint:
            pubsub().soon(self._answer(self._players.keys() & hint["asking"]))
            return
        if "tournament" in hint:
            self.tournaments.changed(hint["tournament"])
            self.own.soon(hint["players"])
            return
        self.changed()
        self.own.soon(hint.get("players", ()))
        self.own.seek_changed(hint.get("opened"), hint.get("seeks", ()))
        if not self.waiting.seeks.isdisjoint(hint.get("seeks", ())):
            pubsub().soon(self._look())

    async def _answer(self, player_ids: set[int]) -> None:
        if player_ids:
            await self.meetings.answer(
                await in_db_for_reading(availability.list_questioned_seeks, player_ids)
            )

    def _tournament_changed(self, tournament_id: str, player_ids: Collection[int]) -> None:
        """Handle a change to a tournament. This can be called from any thread."""
        with suppress(RuntimeError):  # the event loop has ended
            self._loop.call_soon_threadsafe(self._pass_on, tournament_id, list(player_ids))

    def _pass_on(self, tournament_id: str, player_ids: list[int]) -> None:
        self.tournaments.changed(tournament_id)
        self.own.soon(player_ids)
        pubsub().publish(_GROUP, tournament=tournament_id, players=player_ids)

    def _forget_shown(self) -> None:
        self._shown = self._elsewhere = None

    async def _tend(self) -> None:
        now = time.monotonic()
        self._here = None  # pages of matches may have been opened or closed
        if now - self._kept_at >= settings.PRESENCE_TIMEOUT_SECONDS / 4:
            await self._keep_seen()
        if now - self._looked_at >= settings.DB_POLL_SECONDS:
            self._looked_at = now
            await self.own.look_for_missed()
            await self._look_for_missed()
        await self.own.tell_moves()
        await self.wall.tend()
        await self.tournaments.tend()
        if now - self._shown_at < settings.LOBBY_INTERVAL_SECONDS:
            return
        if self._stored != self._players_here():
            await self._keep_online()
            self.changed()
        if self._is_stale or now - self._read_at >= settings.DB_POLL_SECONDS:
            self._shown_at = now
            before, page = self._shown, self._whole
            await asyncio.shield(self._read_once())
            if self._shown is not None:
                await self._show(before, self._shown, page)
            await self.groups.show()

    async def _look_for_missed(self) -> None:
        """Make up for lost hints, respond to other servers, and retry the pairing of open seeks."""
        await self._look()
        self.own.soon(await in_db_for_reading(challenges.get_newly_challenged_players))
        searching = self._searching()
        if not searching:
            return
        ended = await in_db_for_people(matchmaking.end_overtaken, searching)
        if ended:
            await self.cancelled(ended)
        self.own.soon(searching)
        pubsub().soon(self._answer(searching))
        self.waves.start()  # another server may have run the waves of the pool until now
        pubsub().soon(
            self._try_again(await in_db_for_reading(matchmaking.list_matching_seeks, searching))
        )

    async def _try_again(self, seeks: Sequence[Seek]) -> None:
        """Retry the pairing of these open seeks, one by one so that moves can run in between."""
        for seek in seeks:
            pubsub().soon(self.meetings.try_to_pair(seek))
            await asyncio.sleep(_TRIES_APART)

    async def _show(self, before: LobbySnapshot | None, after: LobbySnapshot, page: bytes) -> None:
        """Send the changes since the last frame, or the whole lobby, to the tabs that show it."""
        changed = build_changes_frame(before, after) if before is not None else ChangesFrame()
        is_other_number = self._has_told_ahead or before is None or before.online != after.online
        if is_other_number:
            self._has_told_ahead = False
            changed = replace(changed, online=after.online)
            await self.own.tell_others()
        if changed != ChangesFrame():
            frame = Frame(encode_bytes(changed))
            await self._send(self._shown_to("changes"), frame)
        if self._whole != page or is_other_number:
            await self._send(self._shown_to("lobby"))

    def _shown_to(self, shows: str) -> list[Tab]:
        return [socket for socket in self.sockets if socket.is_shown and socket.shows == shows]

    async def _send(self, sockets: Sequence[Tab], frame: Frame | None = None) -> None:
        """Send a frame, by default the whole lobby, to these sockets.

        Only a few sockets are written at a time, because a thousand writes take as long as many
        moves, and moves should not wait for all of them.
        """
        for sent, socket in enumerate(sockets, 1):
            socket.send_frame(frame or self._first(socket))
            if sent % _AT_ONCE == 0:
                await asyncio.sleep(0)

    async def _keep_seen(self) -> None:
        """Store that this server, and the players who were recently heard from, are present.

        The silent tabs of players who are searching are asked to respond before the next call,
        because browsers suspend the timers of background pages but not their connections.
        """
        asked_at, self._kept_at = self._kept_at, time.monotonic()
        silent = self._kept_at - settings.PRESENCE_TIMEOUT_SECONDS / 3
        for player_id in self._searching():
            for socket in self.sockets_of(player_id):
                if socket.last_heard() < silent:
                    socket.ask_whether_there()
        # The limit counts from the last time when tabs were asked, because this server may have
        # been slow since then.
        alive = min(self._kept_at, asked_at) - settings.PRESENCE_TIMEOUT_SECONDS / 3
        here = {
            player_id
            for player_id, sockets in self._players.items()
            if any(socket.last_heard() >= alive for socket in sockets)
        }
        self._stored = self._players_here()
        await in_db_for_people(matchmaking.record_presence, here)
        await self._keep_online()

    async def _keep_online(self) -> None:
        """Store which players are online on this server."""
        self._stored = self._players_here()
        await in_db_for_people(store_online, self._stored)

    def _players_here(self) -> frozenset[int]:
        """Return the ids of the players in this process, and of those who may be loading a page."""
        if self._here is None:
            recent = time.monotonic() - _GRACE
            self._left = {pk: left for pk, left in self._left.items() if left > recent}
            self._here = frozenset(self._players.keys() | rooms().players() | self._left.keys())
            self._online = (self._elsewhere or Elsewhere()).count_with(self._here)
        return self._here

    def _count_online(self) -> int:
        """Return how many players are online, as far as this server knows."""
        self._players_here()
        return self._online

    def _count_others(self) -> int | None:
        """Return how many players are online besides one on this server, or None if unknown."""
        return None if self._elsewhere is None else self._count_online() - 1

    def _read_once(self) -> "asyncio.Task[None]":
        """Return the read in progress, or start one. Tabs that open at the same time share it."""
        if self._reading is None or self._reading.done():
            self._reading = asyncio.ensure_future(self._read())
        return self._reading

    async def _read(self) -> None:
        self._is_stale = False
        self._read_at = time.monotonic()
        self._elsewhere = await in_db_for_reading(read_elsewhere)
        shown = await in_db_for_reading(read_lobby)
        self._here = None
        self._shown = replace(shown, online=self._count_online())
        self._whole = encode_bytes(build_lobby_frame(self._shown))[:-1]

    def _first(self, socket: Tab) -> Frame:
        """Return the whole lobby, with boards for tabs that will only get changes from now on."""
        online = self._count_online()
        self._has_told_ahead |= self._shown is None or online != self._shown.online
        own = ViewerPart(socket.player_name, online)
        if socket.shows == "changes" and self._shown is not None:
            own = replace(own, boards=list_board_changes(self._shown))
        return Frame(b"%b,%b" % (self._whole, encode_bytes(own)[1:]))


lobby_room = PerLoop(LobbyRoom)
"""The lobby of the running event loop."""
