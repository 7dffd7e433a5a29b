"""The lobby socket: `/ws/lobby/`."""

import time
from collections.abc import Coroutine
from functools import singledispatchmethod
from typing import Any

from games.live.admission import Admitted
from games.live.frames import CLOSE_LATER, CLOSE_NO_SUCH, Echo, Ping, Pong, encode_text
from games.live.sockets import Socket
from games.match.setup import checked
from games.messages.refusal import Refused
from games.runtime.db import Unavailable, in_db_for_reading, in_db_round_robin
from games.runtime.pubsub import pubsub
from lobby.groups.membership import are_all_in
from lobby.live.protocol import (
    Cancelled,
    CancelSeek,
    JoinSeek,
    Message,
    OwnFrame,
    Paired,
    ResumeSeek,
    Seeking,
    SeekMessage,
    Shows,
    There,
    decoder,
    parse_group_id,
    parse_match_id,
    parse_shows,
    parse_tournament_id,
)
from lobby.live.room import lobby_room
from lobby.live.thumbnails import Thumbnail
from lobby.models import Seek as SeekRow
from lobby.seeks import matchmaking
from lobby.seeks.limits import may_seek_here
from lobby.seeks.rated import build_rating_range

_PING = b"\x89\x00"  # a websocket ping, which every client answers automatically


class LobbySocket(Socket):
    """The socket of an open tab: the lobby, or another page that shows live changes."""

    decoder = decoder
    kind = "lobby"
    cost = 4  # most messages need a transaction of their own, while moves share one
    shows: Shows = "lobby"
    is_shown = False  # whether the first `lobby` frame has been sent
    group = ""  # id of the group whose lobby the page shows
    tournament = ""  # id of the tournament that the page shows
    here = ""  # id of the match that the page itself shows
    own: OwnFrame | None = None  # the last `own` frame that was sent

    def __init__(self) -> None:
        self.boards: dict[str, Thumbnail] = {}
        self.waits_for: set[str] = set()  # ids of the seeks that the tab is waiting for
        self._heard_at = time.monotonic()

    @property
    def is_open(self) -> bool:
        return self._is_open

    async def open(self, admitted: Admitted) -> bool:
        query = self.scope.get("query_string", b"")
        self.shows, self.here = parse_shows(query), parse_match_id(query)
        try:
            if self.shows == "group" and not await self._is_member(parse_group_id(query)):
                self.close(CLOSE_NO_SUCH)  # do not reveal that the group exists
                return False
            if self.shows == "tournament":
                self.tournament = parse_tournament_id(query)
            if not await lobby_room().enter(self):
                self.close(CLOSE_NO_SUCH)
                return False
        except Unavailable:
            self.refuse(Refused("unavailable"))
            self.close(CLOSE_LATER)
            return False
        return True

    async def _is_member(self, group_id: str) -> bool:
        self.group = group_id
        known = self.player_id is not None and group_id != ""
        return known and await in_db_for_reading(are_all_in, group_id, [self.player_id])

    def leave(self) -> None:
        lobby_room().leave(self)

    async def go(self, match_id: str, role: str) -> None:
        """Make the tab open the match."""
        url = f"/match/{match_id}/"
        self.send_text(encode_text(Paired(match_id, role, url)))

    # -- presence

    def last_heard(self) -> float:
        """Return when the client last proved that it is there, on the monotonic clock.

        For clients with `?shows=…`, such as the site's own pages, this is when they last sent a
        message. For other clients, it is when any data last arrived, or the current time if the
        server does not record that.
        """
        heard = self.scope.get("extensions", {}).get("websocket.heard")
        if self.shows != "lobby":
            return self._heard_at
        return heard() if heard is not None else time.monotonic()

    def ask_whether_there(self) -> None:
        if self.shows != "lobby":
            self.send_text(encode_text(There()))
        elif self._is_open and self._write is not None:
            self._write(_PING)

    # -- messages from the client

    async def take(self, message: Message) -> None:
        self._heard_at = time.monotonic()
        if isinstance(message, Echo):
            return
        if isinstance(message, Ping):
            self.send_text(encode_text(Pong(message.t, time.time())))
            return
        if self.player_id is None:
            raise Refused("not-a-player")
        await self._answered(self._do(message, self.player_id))

    async def _answered(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Refused as refusal:
            self.refuse(refusal)
        except Unavailable:
            self.refuse(Refused("unavailable"))

    @singledispatchmethod
    async def _do(self, message: Any, player_id: int) -> None:
        raise NotImplementedError

    @_do.register
    async def _seek(self, message: SeekMessage, player_id: int) -> None:
        try:
            setup = checked(message.game, message.clock, message.options, message.rated)
            wanted = build_rating_range(message.lowest, message.highest)
        except ValueError:
            raise Refused("malformed") from None
        if not await may_seek_here(player_id, self.address):
            raise Refused("too-fast")
        asked = player_id, setup, False, message.group, wanted
        seek = await in_db_round_robin(self.requester, matchmaking.create_seek, *asked)
        if not lobby_room().waiting.wait(self, seek.pk):
            return  # the seek was paired at once; `own` frames have a link to the match
        await self._tell_seeking(seek)
        lobby_room().changed_everywhere([player_id], opened=seek.game)
        if seek.is_pooled:
            lobby_room().waves.start()
            return
        # Run as a task, because the check may have to ask this very tab.
        pubsub().soon(self._answered(lobby_room().meetings.try_to_pair(seek)))

    @_do.register
    async def _join(self, message: JoinSeek, player_id: int) -> None:
        if not await may_seek_here(player_id, self.address):
            raise Refused("too-fast")
        pubsub().soon(self._answered(self._join_now(message.seek, player_id)))

    async def _join_now(self, seek_id: str, player_id: int) -> None:
        pairing = await lobby_room().meetings.join(player_id, seek_id)
        await lobby_room().paired(pairing)
        await self.go(pairing.match_id, pairing.roles[player_id])

    @_do.register
    async def _cancel(self, message: CancelSeek, player_id: int) -> None:
        gone = await in_db_round_robin(
            self.requester, matchmaking.cancel_seeks, player_id, message.seek
        )
        if gone:  # otherwise, nothing has changed for any server
            await lobby_room().cancelled(gone)

    @_do.register
    async def _resume(self, message: ResumeSeek, player_id: int) -> None:
        found = await in_db_for_reading(matchmaking.get_seeks, {message.seek})
        seek = found.get(message.seek)
        if seek is None or seek.player_id != player_id:
            self.send_text(encode_text(Cancelled(message.seek)))
        elif seek.match is not None:
            await self.go(seek.match.pk, matchmaking.get_role(seek.match, player_id))
        elif lobby_room().waiting.wait(self, seek.pk):
            await self._tell_seeking(seek)
            lobby_room().own.soon([player_id])
            if seek.is_pooled:
                lobby_room().waves.start()
        else:
            await self._resume(message, player_id)  # the seek was paired in the meantime

    async def _tell_seeking(self, seek: SeekRow) -> None:
        self.send_text(encode_text(Seeking(seek.pk, seek.game, seek.clock or None, seek.rated)))
