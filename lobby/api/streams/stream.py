"""The base classes of streams.

`games.live.sessions` treats a stream like a socket. A stream that was opened with a token therefore
ends, on every server, when the token is revoked or expires, when its player is suspended or closes
the account, and when a guest's games are transferred to the account.
"""

import time
from typing import Any

import msgspec
from asgiref.sync import async_to_sync

from games.live.frames import Frame
from games.live.heartbeat import heart
from games.live.sessions import sessions
from games.messages.refusal import Refused
from games.runtime.addresses import get_client_network
from games.runtime.budget import budget
from games.runtime.metrics import CLOSED, SOCKETS
from games.runtime.streaming import NdjsonResponse, NdjsonStream
from games.store.aliases import get_aliases
from games.store.suspensions import Suspension
from lobby.api.caller import ApiCaller
from lobby.live.protocol import OwnFrame, Shows
from lobby.live.room import lobby_room
from lobby.live.thumbnails import Thumbnail

encode = msgspec.json.Encoder().encode


class Stream:
    """One NDJSON response. Subclasses define what happens when it opens and ends."""

    kind = "stream"
    line: NdjsonStream | None = None

    def __init__(self, caller: ApiCaller | None, address: str) -> None:
        self.player_id = None if caller is None else caller.player_id
        self.player_name = None if caller is None else caller.player.name
        self.acts_as = get_aliases(self.player_id)
        self.session_key = "" if caller is None else caller.key
        self.address, self.client_network = address, get_client_network(address)
        self._is_counted = False

    @property
    def is_open(self) -> bool:
        return self.line is not None and self.line.is_open

    # -- the interface of followers (`games.runtime.streaming`)

    async def begin(self, line: NdjsonStream) -> None:
        self.line = line
        self._is_counted = True
        sessions().opened(self)
        sessions().known(self)
        SOCKETS.labels(self.kind).inc()
        await self.open()

    def leave(self) -> None:
        if self._is_counted:
            self._is_counted = False
            SOCKETS.labels(self.kind).dec()
            sessions().shut(self)
            self.left()
        self.line = None  # break a reference cycle

    async def open(self) -> None:
        """Start sending lines. This is called once."""
        raise NotImplementedError

    def left(self) -> None:
        """Clean up. This is called once, after the stream has ended."""

    # -- the interface of sockets (`games.live.sessions`)

    def last_here(self) -> float:
        """Return the current time, because clients that do not read are disconnected."""
        return time.time()

    def send_text(self, text: str) -> None:
        """Ignore a text for the player. Subclasses can send it as a line."""

    def suspend(self, held: Suspension) -> None:
        self.close(4403)

    def close(self, code: int) -> None:
        """End the stream. Unlike sockets, streams have no close code."""
        if self.is_open:
            CLOSED.labels(code).inc()
            self.end()

    # -- methods for subclasses

    def tell(self, value: Any) -> None:
        """Send a value as a line."""
        self.write(encode(value))

    def write(self, data: bytes) -> None:
        if self.line is not None:
            self.line.send(data)

    def end(self) -> None:
        if self.line is not None:
            self.line.end()


def build_response(stream: Stream) -> NdjsonResponse:
    """Return the response of a stream.

    Raise `Refused` if the player or the client network has too many streams and sockets on this
    server, or if the network opens them too fast.
    """
    async_to_sync(_may_open)(stream)
    return NdjsonResponse(stream)


async def _may_open(stream: Stream) -> None:
    await heart().beats()
    if sessions().is_crowded(stream):
        raise Refused("too-many")
    if not budget().may_open(stream.client_network):
        raise Refused("too-fast")


class TabStream(Stream):
    """A stream that acts as a tab of a player."""

    shows: Shows = "own"
    is_shown = False
    group = ""
    tournament = ""
    here = ""
    own: OwnFrame | None = None

    def __init__(self, caller: ApiCaller, address: str) -> None:
        super().__init__(caller, address)
        self.boards: dict[str, Thumbnail] = {}
        self.waits_for: set[str] = set()

    def last_heard(self) -> float:
        """Return minus infinity, because a stream does not keep a seek open."""
        return float("-inf")

    def ask_whether_there(self) -> None:
        pass

    def send_frame(self, frame: Frame) -> None:
        """Receive a new state of the player."""

    async def go(self, match_id: str, role: str) -> None:
        pass

    async def open(self) -> None:
        await lobby_room().enter(self)

    def left(self) -> None:
        lobby_room().leave(self)
