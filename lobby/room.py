"""The lobby's sockets of this process: who is sent the lobby, and which tab waits on which seek."""

import asyncio
import time
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import msgspec
import structlog
from django.conf import settings
from django.utils import timezone

from games.desk import Unavailable, at_desk, at_reading_desk
from games.frames import encode
from games.hints import SERVER, hints
from games.journal import journal
from games.per_loop import PerLoop
from games.rooms import rooms
from lobby import matchmaking
from lobby.matchmaking import Pairing
from lobby.models import Server
from lobby.protocol import lobby_frame

if TYPE_CHECKING:
    from lobby.consumers import LobbySocket

log = structlog.get_logger(__name__)
_GROUP = "lobby"


class LobbyRoom:
    """All lobby sockets of this process."""

    def __init__(self) -> None:
        self.sockets: set[LobbySocket] = set()
        self._body = ""  # the newest lobby frame, but for its last brace
        self._is_stale = True
        self._shown_at = self._kept_at = self._read_at = 0.0
        self._asked: defaultdict[str, set[LobbySocket]] = defaultdict(set)
        self._upkeep: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[None] | None = None
        journal().listeners.append(lambda rows: self.changed() if rows else None)

    async def enter(self, socket: "LobbySocket") -> None:
        self.sockets.add(socket)
        hints().hear(_GROUP, self._heard)
        if self._upkeep is None or self._upkeep.done():
            await self._keep_seen()
            self._upkeep = asyncio.ensure_future(self._keep_up())
        await self._freshen()
        await socket.send_text(self._for(socket))

    def leave(self, socket: "LobbySocket") -> None:
        self.sockets.discard(socket)
        for seek_id in list(self._asked):
            self.forget(socket, seek_id)

    def changed(self) -> None:
        """The lobby is not what was last sent."""
        self._is_stale = True

    def changed_everywhere(self, **hint: Any) -> None:
        self.changed()
        hints().tell(_GROUP, **hint)

    # -- which tab waits on which seek

    def wait(self, socket: "LobbySocket", seek_id: str) -> None:
        """Only the tab that asked is sent to the match."""
        self._asked[seek_id].add(socket)

    def forget(self, socket: "LobbySocket", seek_id: str) -> None:
        self._asked[seek_id].discard(socket)
        if not self._asked[seek_id]:
            del self._asked[seek_id]

    async def paired(self, pairing: Pairing) -> None:
        """Tell the tabs that wait here, and the other servers."""
        for seek_id, player_id in pairing.seeks.items():
            for socket in self._asked.pop(seek_id, set()):
                await socket.go(pairing.match_id, pairing.roles[player_id])
        self.changed_everywhere(seeks=list(pairing.seeks))

    async def cancelled(self, seek_ids: list[str]) -> None:
        for seek_id in seek_ids:
            for socket in self._asked.pop(seek_id, set()):
                await socket.send_text(encode({"type": "cancelled", "seek": seek_id}))
        self.changed_everywhere(seeks=seek_ids)

    async def _look(self) -> None:
        """What became of the seeks that tabs here wait on: it may have happened elsewhere."""
        asked = set(self._asked)
        if not asked:
            return
        found = await at_reading_desk(matchmaking.outcome, asked)
        for seek_id in asked:
            seek = found.get(seek_id)
            if seek is None:
                for socket in self._asked.pop(seek_id, set()):
                    await socket.send_text(encode({"type": "cancelled", "seek": seek_id}))
            elif seek.match is not None:
                role = matchmaking.role_in(seek.match, seek.player_id)
                for socket in self._asked.pop(seek_id, set()):
                    await socket.go(seek.match.pk, role)

    # -- the rhythm

    def _heard(self, hint: dict[str, Any]) -> None:
        self.changed()
        if any(seek_id in self._asked for seek_id in hint.get("seeks", ())):
            hints().soon(self._look())

    async def _keep_up(self) -> None:
        while self.sockets:
            await asyncio.sleep(0.2)
            try:
                await self._tend()
            except Unavailable:
                pass  # counted and logged at the desk
            except Exception:
                log.exception("upkeep failed", part="lobby")
        self._body = ""

    async def _tend(self) -> None:
        now = time.monotonic()
        if now - self._kept_at >= settings.GONE_SECONDS / 4:
            await self._keep_seen()
        if now - self._shown_at < settings.LOBBY_SECONDS:
            return
        if self._is_stale or now - self._read_at >= settings.LOOK_SECONDS:
            self._shown_at = now
            before = self._body
            await self._look()
            await self._read()
            if self._body != before:
                for socket in list(self.sockets):
                    await socket.send_text(self._for(socket))

    async def _keep_seen(self) -> None:
        """The heartbeat: the players here are here, and so is this server."""
        self._kept_at = time.monotonic()
        here = {socket.player_id for socket in self.sockets if socket.player_id is not None}
        await at_desk(_keep, here, len(here | rooms().players()))

    async def _freshen(self) -> None:
        """Have a frame that is no older than others are shown; who come at once share a reading."""
        while not self._body or time.monotonic() - self._read_at >= settings.LOBBY_SECONDS:
            if not self._is_stale and self._body:
                return
            if self._reading is None:
                self._reading = asyncio.ensure_future(self._read())
            try:
                await asyncio.shield(self._reading)
            finally:
                if self._reading is not None and self._reading.done():
                    self._reading = None

    async def _read(self) -> None:
        self._is_stale = False
        self._read_at = time.monotonic()
        self._body = encode(await at_reading_desk(lobby_frame))[:-1]

    def _for(self, socket: "LobbySocket") -> str:
        return f'{self._body},"you":{msgspec.json.encode(socket.player_name).decode()}}}'


def _keep(player_ids: set[int], online: int) -> None:
    now = timezone.now()
    matchmaking.keep(player_ids)
    Server.objects.update_or_create(id=SERVER, defaults={"online": online, "seen_at": now})


lobby_room = PerLoop(LobbyRoom)
"""The lobby of the running event loop."""
