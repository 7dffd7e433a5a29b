"""The base class of all sockets, which admits clients and reads their frames in order.

The class does less than Channels' own consumers. The whole process has only one channel on the
channel layer (`games.runtime.pubsub`), and a frame needs neither a new task nor a change of
threads.
"""

import time
from typing import Any, ClassVar

import msgspec
import structlog
from channels.consumer import AsyncConsumer
from django.conf import settings

from games.live.admission import Admitted, Applicant, admission, parse_session_key
from games.live.frames import (
    CLOSE_FLOOD,
    CLOSE_LATER,
    CLOSE_NO_SUCH,
    CLOSE_SUSPENDED,
    Echo,
    Frame,
    Ping,
    decode_message,
    encode_error,
)
from games.live.heartbeat import heart
from games.live.sessions import sessions
from games.messages.refusal import Refused
from games.runtime.addresses import get_client_network
from games.runtime.budget import TokenBucket, budget
from games.runtime.db import Unavailable
from games.runtime.fair_queue import SITE, Requester
from games.runtime.metrics import CLOSED, SOCKETS, count_refusal
from games.store.suspensions import Suspension

log = structlog.get_logger(__name__)

_FORGIVEN = 1.0  # refusals per second that do not count against a client


class Socket(AsyncConsumer):  # type: ignore[misc]  # channels is untyped
    """One websocket. Subclasses define how it opens, handles messages and ends."""

    decoder: ClassVar[msgspec.json.Decoder[Any]]
    kind: ClassVar[str] = "other"  # the label in the metrics
    free: ClassVar[tuple[type, ...]] = (Ping, Echo)  # messages that cost no tokens
    cost: ClassVar[int] = 1  # tokens of the budget for any other message

    player_id: int | None = None
    player_name: str | None = None
    acts_as: frozenset[int] = frozenset()  # the ids of the same person: the player and the aliases
    session_key = ""
    address = ""  # the client's address, as seen by the server or its proxy
    client_network = ""  # the network of that address, by which limits are counted
    requester = SITE  # the requester in fair queues

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.scope = scope
        self._send = send
        self._is_open = True
        self._budget = budget()
        self._frames = TokenBucket(settings.FRAMES_PER_SECOND, settings.FRAMES_BURST)
        self._refusals, self._refused_at = 0.0, time.monotonic()
        # See `config.server.daphne_server`.
        self._write = scope.get("extensions", {}).get("websocket.frame")
        client = scope.get("client")
        self.address = str(client[0]) if client else ""
        self.client_network = get_client_network(self.address)
        event = await receive()
        if event["type"] != "websocket.connect":
            return
        await send({"type": "websocket.accept"})
        self.session_key = "" if self.is_nobody() else parse_session_key(scope["headers"])
        sessions().opened(self)
        SOCKETS.labels(self.kind).inc()
        try:
            if await self._has_room() and await self._may_open():
                await heart().beats()
                admitted = await self._admitted()
                # The session may have ended while the socket was being admitted.
                if admitted is not None and self._is_open and await self.open(admitted):
                    await self._read(receive)
        finally:
            self._is_open = False
            SOCKETS.labels(self.kind).dec()
            sessions().shut(self)
            self.leave()

    async def _has_room(self) -> bool:
        if not sessions().is_crowded(self):
            return True
        await self.refuse(Refused("too-many"))
        await self.close(CLOSE_FLOOD)
        return False

    async def _may_open(self) -> bool:
        if self._budget.may_open(self.client_network):
            return True
        await self.refuse(Refused("too-fast"))
        await self.close(CLOSE_LATER)  # pages reconnect after a pause that grows with each attempt
        return False

    async def _admitted(self) -> Admitted | None:
        """Return the player and the requested match, or None after closing the socket."""
        try:
            admitted = await admission().admit(
                Applicant(self.session_key, self.match_id()), self.client_network
            )
        except Unavailable:
            await self.refuse(Refused("unavailable"))
            await self.close(CLOSE_LATER)
            return None
        if admitted.held is not None:
            await self.suspend(admitted.held)
            return None
        self.player_id, self.player_name = admitted.player_id, admitted.player_name
        self.acts_as = admitted.acts_as
        self.requester = Requester(self.client_network, self.player_id)
        sessions().known(self)
        return admitted if await self._has_room() else None

    def is_nobody(self) -> bool:
        """Return whether the client watches anonymously, even if it has a session cookie."""
        return False

    def match_id(self) -> str | None:
        """Return the id of the socket's match, if it has one."""
        return None

    async def suspend(self, held: Suspension) -> None:
        """Notify the client of the suspension, and close."""
        count_refusal("suspended")
        await self.send_text(encode_error(held.refusal))
        await self.close(CLOSE_SUSPENDED)

    async def _read(self, receive: Any) -> None:
        while self._is_open:
            event = await receive()
            if event["type"] == "websocket.disconnect":
                return
            try:
                await self._take(event)
            except Refused as refusal:
                await self.refuse(refusal)
            except Exception:
                log.exception("frame failed")
                await self.refuse(Refused("unavailable"))

    async def _take(self, event: dict[str, Any]) -> None:
        if self._budget.is_on:
            await self._budget.read(self.client_network)
            if not self._has_token():
                await self._too_fast()
                return
        message = decode_message(self.decoder, event)
        if (
            self.player_id is not None
            and not isinstance(message, self.free)
            and not self._budget.may_act(self.client_network, self.player_id, self.cost)
        ):
            await self._too_fast()
            return
        await self.take(message)

    async def _too_fast(self) -> None:
        """Refuse a message because the client is too fast.

        Close the socket if the client does not slow down.
        """
        now = time.monotonic()
        forgiven = (now - self._refused_at) * _FORGIVEN
        self._refusals, self._refused_at = max(0.0, self._refusals - forgiven) + 1, now
        if self._refusals > settings.MAX_REFUSED_FRAMES:
            await self.close(CLOSE_FLOOD)
            return
        raise Refused("too-fast")

    def _has_token(self) -> bool:
        return self._frames.try_take(1, time.monotonic())

    async def send_text(self, text: str) -> None:
        """Send a frame's JSON text. Like `send_frame` and `close`, this raises nothing."""
        if not self._is_open:
            return
        if self._write is not None:
            self._write(Frame(text.encode()).bytes)
        else:
            await self._pass_on({"type": "websocket.send", "text": text})

    async def send_frame(self, frame: Frame) -> None:
        """Send a frame that was encoded for several sockets."""
        if self._is_open and self._write is not None:
            self._write(frame.bytes)
        else:
            await self.send_text(frame.text)

    async def close(self, code: int) -> None:
        if self._is_open:
            self._is_open = False
            CLOSED.labels(code).inc()
            await self._pass_on({"type": "websocket.close", "code": code})

    async def _pass_on(self, event: dict[str, Any]) -> None:
        try:
            await self._send(event)
        except Exception:
            self._is_open = False
            log.exception("sending failed")

    async def refuse(self, refusal: Refused) -> None:
        """Send the refusal to the client. This does not close the socket."""
        count_refusal(refusal.code)
        await self.send_text(self.refusal(refusal))

    def refusal(self, refusal: Refused) -> str:
        """Return the text of the error frame."""
        return encode_error(refusal)

    async def open(self, admitted: Admitted) -> bool:
        """Handle the opening, once the player is known. Return False to end the socket."""
        raise NotImplementedError

    async def take(self, message: Any) -> None:
        """Handle one message. Messages are handled in order."""
        raise NotImplementedError

    def leave(self) -> None:
        """Handle the end of the socket."""
        raise NotImplementedError


class NoSuchSocket(Socket):
    """A socket for unknown addresses, which is closed with 4404 once the client is admitted."""

    async def open(self, admitted: Admitted) -> bool:
        await self.close(CLOSE_NO_SUCH)
        return False

    def leave(self) -> None:
        pass
