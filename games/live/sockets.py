"""The base class of all sockets, which admits clients and handles their frames in order.

The class does less than Channels' own consumers. The whole process has only one channel on the
channel layer (`games.runtime.pubsub`), and most frames are handled by plain calls, from the
connection to the journal: without a task, a future or a change of threads.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any, ClassVar, Protocol

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


Work = Coroutine[Any, Any, None]


class EventQueue(Protocol):
    """The events from a connection (`Inbox` in `config.server.websocket`)."""

    def listen(self, listener: Callable[[dict[str, Any]], bool]) -> None:
        """Pass all events to `listener`. If it returns False, they wait until `resume`."""
        ...

    def resume(self) -> None:
        """Pass on the waiting events."""
        ...


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
        self._ended = asyncio.get_running_loop().create_future()
        # The number of unfinished steps of the message that is being handled in the background.
        self._pending = 0
        self._task: asyncio.Task[None] | None = None
        self._budget = budget()
        self._frames = TokenBucket(settings.FRAMES_PER_SECOND, settings.FRAMES_BURST)
        self._refusals, self._refused_at = 0.0, time.monotonic()
        # See `config.server.daphne_server`.
        self._write: Callable[[bytes], None] = scope["extensions"]["websocket.frame"]
        self._inbox: EventQueue = scope["extensions"]["websocket.inbox"]
        client = scope.get("client")
        self.address = str(client[0]) if client else ""
        self.client_network = get_client_network(self.address)
        event = await receive()
        if event["type"] != "websocket.connect":
            return
        # The server forgets the headers once it has accepted the socket.
        self.session_key = "" if self.is_nobody() else parse_session_key(scope["headers"])
        await send({"type": "websocket.accept"})
        sessions().opened(self)
        SOCKETS.labels(self.kind).inc()
        try:
            if self._has_room() and self._may_open():
                await heart().beats()
                admitted = await self._admitted()
                # The session may have ended while the socket was being admitted.
                if admitted is not None and self._is_open and await self.open(admitted):
                    self._inbox.listen(self._hear)
                    await self._ended
                    if self._task is not None:
                        await asyncio.wait([self._task])
        except asyncio.CancelledError:
            if self._task is not None:
                self._task.cancel()
            raise
        finally:
            self._is_open = False
            SOCKETS.labels(self.kind).dec()
            sessions().shut(self)
            self.leave()

    def _has_room(self) -> bool:
        if not sessions().is_crowded(self):
            return True
        self.refuse(Refused("too-many"))
        self.close(CLOSE_FLOOD)
        return False

    def _may_open(self) -> bool:
        if self._budget.may_open(self.client_network):
            return True
        self.refuse(Refused("too-fast"))
        self.close(CLOSE_LATER)  # pages reconnect after a pause that grows with each attempt
        return False

    async def _admitted(self) -> Admitted | None:
        """Return the player and the requested match, or None after closing the socket."""
        try:
            admitted = await admission().admit(
                Applicant(self.session_key, self.match_id()), self.client_network
            )
        except Unavailable:
            self.refuse(Refused("unavailable"))
            self.close(CLOSE_LATER)
            return None
        if admitted.held is not None:
            self.suspend(admitted.held)
            return None
        self.player_id, self.player_name = admitted.player_id, admitted.player_name
        self.acts_as = admitted.acts_as
        self.requester = Requester(self.client_network, self.player_id)
        sessions().known(self)
        return admitted if self._has_room() else None

    def is_nobody(self) -> bool:
        """Return whether the client watches anonymously, even if it has a session cookie."""
        return False

    def match_id(self) -> str | None:
        """Return the id of the socket's match, if it has one."""
        return None

    def suspend(self, held: Suspension) -> None:
        """Notify the client of the suspension, and close the socket."""
        count_refusal("suspended")
        self.send_text(encode_error(held.refusal))
        self.close(CLOSE_SUSPENDED)

    def _hear(self, event: dict[str, Any]) -> bool:
        """Handle an event, or return False if an earlier message is still being handled."""
        if self._pending:
            return False
        if not self._is_open:
            return True
        if event["type"] == "websocket.disconnect":
            self._is_open = False
            self._end()
            return True
        wait = self._budget.reserve_frame(self.client_network) if self._budget.is_on else 0.0
        work = self._take_later(event, wait) if wait > 0 else self._tried(self._take, event)
        if work is not None:
            self.begin()
            self._task = asyncio.get_running_loop().create_task(self._carry_out(work))
        return True

    def _tried(self, take: Callable[[Any], Work | None], what: Any) -> Work | None:
        """Return `take(what)`. If that fails, send a refusal instead, and return None."""
        try:
            return take(what)
        except Refused as refusal:
            self.refuse(refusal)
        except Exception:
            log.exception("frame failed")
            self.refuse(Refused("unavailable"))
        return None

    def _take(self, event: dict[str, Any]) -> Work | None:
        if self._budget.is_on and not self._has_token():
            self._too_fast()
            return None
        message = decode_message(self.decoder, event)
        if (
            self.player_id is not None
            and not isinstance(message, self.free)
            and not self._budget.may_act(self.client_network, self.player_id, self.cost)
        ):
            self._too_fast()
            return None
        return self.take(message)

    async def _take_later(self, event: dict[str, Any], seconds: float) -> None:
        await asyncio.sleep(seconds)
        work = self._take(event)
        if work is not None:
            await work

    async def _carry_out(self, work: Work) -> None:
        try:
            await work
        except Refused as refusal:
            self.refuse(refusal)
        except Exception:
            log.exception("frame failed")
            self.refuse(Refused("unavailable"))
        finally:
            self.done()

    def begin(self) -> None:
        """Let later messages wait until `done` is called."""
        self._pending += 1

    def done(self) -> None:
        """Handle the messages that have been waiting since `begin`."""
        self._pending -= 1
        if not self._pending:
            self._inbox.resume()

    def _too_fast(self) -> None:
        """Raise `Refused`, because the client is too fast.

        If the client does not slow down, close the socket instead.
        """
        now = time.monotonic()
        forgiven = (now - self._refused_at) * _FORGIVEN
        self._refusals, self._refused_at = max(0.0, self._refusals - forgiven) + 1, now
        if self._refusals > settings.MAX_REFUSED_FRAMES:
            self.close(CLOSE_FLOOD)
            return
        raise Refused("too-fast")

    def _has_token(self) -> bool:
        return self._frames.try_take(1, time.monotonic())

    def send_text(self, text: str) -> None:
        """Send a frame's JSON text. Like `send_frame` and `close`, this raises nothing."""
        self.send_frame(Frame(text.encode()))

    def send_frame(self, frame: Frame) -> None:
        """Send a frame that was encoded for several sockets."""
        if self._is_open:
            self._write(frame.bytes)

    def close(self, code: int) -> None:
        if self._is_open:
            self._is_open = False
            CLOSED.labels(code).inc()
            self._closing = asyncio.get_running_loop().create_task(self._close(code))

    async def _close(self, code: int) -> None:
        try:
            await self._send({"type": "websocket.close", "code": code})
        except Exception:
            log.exception("closing failed")
        finally:
            self._end()

    def _end(self) -> None:
        if not self._ended.done():
            self._ended.set_result(None)

    def refuse(self, refusal: Refused) -> None:
        """Send the refusal to the client. This does not close the socket."""
        count_refusal(refusal.code)
        self.send_text(self.refusal(refusal))

    def refusal(self, refusal: Refused) -> str:
        """Return the text of the error frame."""
        return encode_error(refusal)

    async def open(self, admitted: Admitted) -> bool:
        """Handle the opening, once the player is known. Return False to end the socket."""
        raise NotImplementedError

    def take(self, message: Any) -> Work | None:
        """Handle one message. Return the work that is left, if it has to wait for something.

        Messages are handled in order: the next one waits until that work is done.
        """
        raise NotImplementedError

    def leave(self) -> None:
        """Handle the end of the socket."""
        raise NotImplementedError


class NoSuchSocket(Socket):
    """A socket for unknown addresses, which is closed with 4404 once the client is admitted."""

    async def open(self, admitted: Admitted) -> bool:
        self.close(CLOSE_NO_SUCH)
        return False

    def leave(self) -> None:
        pass
