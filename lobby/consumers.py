"""The lobby socket: `/ws/lobby/`."""

from functools import singledispatchmethod
from typing import Any

from games.clock import checked_clock
from games.desk import Unavailable, in_turn
from games.entrance import Entered
from games.frames import CLOSE_LATER, Ping, Unreadable, encode
from games.protocol import pong
from games.rules import GAMES
from games.sockets import Socket
from lobby import matchmaking
from lobby.limits import may_seek_here
from lobby.matchmaking import Pairing, Refusal
from lobby.models import Seek as SeekRow
from lobby.protocol import Cancel, Join, Message, Resume, Seek, decoder
from lobby.room import lobby_room


class LobbySocket(Socket):
    """One tab that looks at the lobby."""

    decoder = decoder
    kind = "lobby"
    cost = 4  # a transaction of its own, where actions in matches share theirs

    async def open(self, entered: Entered) -> bool:
        try:
            await lobby_room().enter(self)
        except Unavailable:
            await self.refuse("unavailable")
            await self.close(CLOSE_LATER)
            return False
        return True

    def leave(self) -> None:
        lobby_room().leave(self)

    async def go(self, match_id: str, role: str) -> None:
        """Send the tab to its match."""
        url = f"/match/{match_id}/"
        await self.send_text(
            encode({"type": "paired", "match": match_id, "role": role, "url": url})
        )

    async def take(self, message: Message) -> None:
        if isinstance(message, Ping):
            await self.send_text(pong(message))
            return
        if self.player_id is None:
            raise Unreadable("not-a-player")
        try:
            await self._do(message, self.player_id)
        except Refusal as refusal:
            await self.refuse(refusal.code)
        except Unavailable:
            await self.refuse("unavailable")

    @singledispatchmethod
    async def _do(self, message: Any, player_id: int) -> None:
        raise NotImplementedError

    @_do.register
    async def _seek(self, message: Seek, player_id: int) -> None:
        clock = checked_clock(message.clock)
        if message.game not in GAMES or clock is None:
            raise Unreadable("malformed")
        if not await may_seek_here(player_id, self.address):
            raise Refusal("too-fast")
        seek = await in_turn(self.asker, matchmaking.seek, player_id, message.game, clock)
        lobby_room().wait(self, seek.pk)
        pairing = await in_turn(self.asker, matchmaking.pair, seek)
        if pairing is not None:
            await lobby_room().paired(pairing)
            return
        await self._wait(seek)
        lobby_room().changed_everywhere()

    @_do.register
    async def _join(self, message: Join, player_id: int) -> None:
        if not await may_seek_here(player_id, self.address):
            raise Refusal("too-fast")
        pairing: Pairing = await in_turn(self.asker, matchmaking.join, player_id, message.seek)
        await lobby_room().paired(pairing)
        await self.go(pairing.match_id, pairing.roles[player_id])

    @_do.register
    async def _cancel(self, message: Cancel, player_id: int) -> None:
        gone = await in_turn(self.asker, matchmaking.cancel, player_id, message.seek)
        if gone:  # else there is nothing to tell any server
            await lobby_room().cancelled(gone)

    @_do.register
    async def _resume(self, message: Resume, player_id: int) -> None:
        found = await in_turn(self.asker, matchmaking.outcome, {message.seek})
        seek = found.get(message.seek)
        if seek is None or seek.player_id != player_id:
            await self.send_text(encode({"type": "cancelled", "seek": message.seek}))
        elif seek.match is None:
            await self._wait(seek)
        else:
            await self.go(seek.match.pk, matchmaking.role_in(seek.match, player_id))

    async def _wait(self, seek: SeekRow) -> None:
        """This tab waits for what becomes of the seek."""
        lobby_room().wait(self, seek.pk)
        await self.send_text(
            encode(
                {"type": "seeking", "seek": seek.pk, "game": seek.game, "clock": seek.clock or None}
            )
        )
