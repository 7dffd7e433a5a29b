"""The match socket: `/ws/match/<id>/`."""

import secrets
import time
from collections import deque
from functools import partial

from django.conf import settings

from games.journal.batch import journal
from games.journal.requests import Answer, Request
from games.live.admission import Admitted
from games.live.frames import CLOSE_NO_SUCH, Echo, Ping, encode_error
from games.live.protocol import StateFrame, StateRequest, decoder, encode_match_pong
from games.live.room import Room
from games.live.rooms import check_speech, rooms
from games.live.sockets import Socket, Work
from games.match.commands import Phrase, PlayerCommand, Rematch
from games.match.conduct import seat_in_hand
from games.match.state import MatchState
from games.messages.refusal import Refused
from games.runtime.budget import ACTION
from games.runtime.db import Unavailable, in_db_for_reading
from games.runtime.limiter import is_within_limit_async
from games.runtime.pubsub import pubsub

_KEPT = 8  # the number of latest round trips that are kept


class Lag:
    """The network delay of one connection, measured by the server.

    The server sends a mark and the client echoes it immediately. A delay that the client claims
    does not count.
    """

    def __init__(self) -> None:
        self._trips: deque[float] = deque(maxlen=_KEPT)
        self._mark = ""
        self._marked_at = 0.0
        self.ms = 0
        """The shortest of the latest round trips in milliseconds, or 0 if there is none.

        A slow echo therefore gains nothing once there has been a faster one.
        """

    def mark(self) -> str:
        """Return a new mark for the client to echo. It replaces the previous one."""
        self._mark = secrets.token_hex(4)
        self._marked_at = time.monotonic()
        return self._mark

    def echoed(self, mark: str) -> None:
        if self._mark and mark == self._mark:
            self._trips.append(time.monotonic() - self._marked_at)
            self.ms = int(min(self._trips) * 1000)
            self._mark = ""


class MatchSocket(Socket):
    """One viewer (`games.live.presence`) of one match: a player or a watcher."""

    decoder = decoder
    kind = "match"
    is_counted = True
    free = (Ping, Echo, Phrase, StateRequest)
    cost = ACTION
    seats: tuple[int, ...] = ()
    room: Room | None = None
    _wants_patches = False
    _base: StateFrame | None = None  # the last frame that the client received, if it wants patches

    def __init__(self) -> None:
        self.lag = Lag()
        # The time of the client's last message, once it has sent a ping.
        self._heard_at: float | None = None

    def last_here(self) -> float:
        """Return when the client was last known to be there, in seconds since 1970.

        For a client that pings, this is the time of its last message, because a sleeping laptop
        leaves its connection open. A client that never pings is there as long as its connection is
        open.
        """
        return time.time() if self._heard_at is None else self._heard_at

    def match_id(self) -> str | None:
        return str(self.scope["url_route"]["kwargs"]["match_id"])

    def is_nobody(self) -> bool:
        """Return whether the address has `?as=watcher`.

        Boards that are embedded in other sites use this address, because players must not see their
        own seats there.
        """
        return b"as=watcher" in self._options()

    def _options(self) -> list[bytes]:
        return bytes(self.scope.get("query_string", b"")).split(b"&")

    async def open(self, admitted: Admitted) -> bool:
        if admitted.state is None:
            self.close(CLOSE_NO_SUCH)
            return False
        self._journal, self._rooms = journal(), rooms()
        self._wants_patches = b"patches=1" in self._options()
        self.seats = admitted.seats
        people = admitted.state.first_id, admitted.state.second_id
        self._acts_for = tuple(people[seat] for seat in self.seats)
        self.room = self._rooms.enter(
            admitted.state, admitted.names, self, admitted.epoch, admitted.privacy
        )
        self.show(self.room.frame())
        return True

    def show(self, state: StateFrame) -> None:
        """Send the state as this viewer may see it, or what has changed if it wants patches."""
        base = self._base
        if self._wants_patches:
            self._base = state
        self.send_frame(
            state.for_seats(self.seats) if base is None else state.since(base, self.seats)
        )

    def _speak(self, phrase: str) -> None:
        assert self.room is not None
        seat = seat_in_hand(self.room.state, self.seats)
        if seat is None:
            raise Refused("not-a-player")
        if not self.room.may_speak(seat):
            raise Refused("too-fast")
        # The query runs in a task, so that the player's next message, perhaps a move, does not wait
        # for it.
        pubsub().soon(self._say(self.room, seat, phrase))

    async def _say(self, room: Room, seat: int, phrase: str) -> None:
        try:
            alone = await in_db_for_reading(check_speech, room.state, seat)
        except Unavailable:
            self.refuse(Refused("unavailable"))
        except Refused as refusal:
            self.refuse(refusal)
        else:
            self._rooms.say(room, seat, phrase, alone)

    def take(self, message: PlayerCommand | Phrase | Ping | Echo | StateRequest) -> Work | None:
        assert self.room is not None
        if self._heard_at is not None or isinstance(message, Ping):
            self._heard_at = time.time()
        if isinstance(message, Ping):
            room = self.room
            self.send_text(encode_match_pong(message, room.state, room.epoch, self.lag.mark()))
        elif isinstance(message, Echo):
            self.lag.echoed(message.mark)
        elif isinstance(message, StateRequest):
            self._show_all()
        elif isinstance(message, Phrase):
            self._speak(message.phrase)
        elif not self.seats:
            # Seats never change, so there is no need to ask the journal.
            raise Refused("not-a-player")
        elif isinstance(message, Rematch):
            return self._rematch(message)
        else:
            self._ask(message)
        return None

    async def _rematch(self, command: Rematch) -> None:
        if not await is_within_limit_async(
            settings.REMATCHES_PER_MINUTE_PER_ADDRESS, "rematch from", self.client_network
        ):
            raise Refused("many-matches")
        self._ask(command)

    def _ask(self, command: PlayerCommand) -> None:
        """Ask the journal to carry out a command. Later messages wait for the answer."""
        assert self.room is not None
        state = self.room.state
        request = Request(
            state.id,
            self.player_id,
            command,
            self.lag.ms,
            state,
            self.requester,
            self._acts_for,
        )
        self.begin()
        self._journal.submit(request, partial(self._answered, state))

    def _answered(self, known: MatchState, answer: Answer) -> None:
        assert self.room is not None
        try:
            if answer.refusal is None and self.player_id is not None:
                self._budget.granted(self.client_network, self.player_id)
            if answer.state is not None and answer.state is not self.room.state:
                self._rooms.take([answer.state])
            if answer.refusal is not None:
                self.refuse(answer.refusal)
            elif self.room.state.version == known.version:
                self.show(self.room.frame())  # nothing changed, but the client expects an answer
        finally:
            self.done()

    def refuse(self, refusal: Refused) -> None:
        super().refuse(refusal)
        if self.room is not None:
            self._show_all()

    def _show_all(self) -> None:
        """Send the whole state."""
        assert self.room is not None
        self._base = None
        self.show(self.room.frame())

    def refusal(self, refusal: Refused) -> str:
        return encode_error(refusal, self.room.state.ply if self.room is not None else None)

    def leave(self) -> None:
        if self.room is not None:
            self._rooms.leave(self.room, self)
