"""Streams of one game, for its players and for watchers.

Each stream is a viewer of the match's room (`games.live.presence`), like a socket.
"""

from weakref import WeakValueDictionary

import msgspec
import structlog
from msgspec import UNSET

from games.journal.limits import get_limits
from games.live.admission import Admitted
from games.live.protocol import StateFrame
from games.live.room import Room
from games.live.rooms import rooms
from games.match.state import MatchState
from games.messages import build_message, render_english
from games.runtime.db import Unavailable, in_db_for_reading
from games.runtime.per_loop import PerLoop
from games.runtime.pubsub import pubsub
from games.store.visibility import mask_names_for_seats
from lobby.api import matches, names
from lobby.api.caller import ApiCaller
from lobby.api.schemas.games import StatusName
from lobby.api.schemas.streams import ChatLine, OpponentGone, Watched
from lobby.api.streams.stream import Stream, encode


class Script:
    """The actions of one match in one epoch of the database, shared by the match's streams."""

    def __init__(self, match_id: str) -> None:
        self._id = match_id
        self._epoch = ""
        self._moves: list[str] = []
        self._joined = (0, "")

    def learn(self, moves: list[str], epoch: str) -> None:
        """Store actions that have just been read, unless at least as many are known."""
        if epoch != self._epoch or len(moves) > len(self._moves):
            self._moves, self._epoch, self._joined = list(moves), epoch, (0, "")

    def upto(self, state: MatchState, epoch: str) -> str | None:
        """Return the actions that led to the state as one text, or None if some are unknown."""
        if epoch != self._epoch:
            return None
        if state.ply == len(self._moves) + 1:
            self._moves.append(state.last)
        if state.ply > len(self._moves):
            return None
        if self._joined[0] != state.ply:
            self._joined = state.ply, matches.JOIN.join(self._moves[: state.ply])
        return self._joined[1]

    async def read(self, epoch: str) -> None:
        """Read all actions again. Raise `Unavailable` if the database is unavailable."""
        _, moves = await in_db_for_reading(matches.list_moves, self._id)
        self._epoch = ""
        self.learn(moves, epoch)


class Scripts:
    """The scripts that streams on one event loop use."""

    def __init__(self) -> None:
        self._known: WeakValueDictionary[str, Script] = WeakValueDictionary()

    def of(self, match_id: str) -> Script:
        found = self._known.get(match_id)
        if found is None:
            found = self._known[match_id] = Script(match_id)
        return found


scripts = PerLoop(Scripts)
"""The scripts of the running event loop."""


log = structlog.get_logger(__name__)


class _Phrase(msgspec.Struct):
    """The attributes of a phrase frame that a stream needs."""

    role: str
    phrase: str


_phrase = msgspec.json.Decoder(_Phrase)


class Following(Stream):
    """A viewer of one match that sends lines of JSON instead of WebSocket frames."""

    seats: tuple[int, ...] = ()
    is_counted = True

    def __init__(
        self, caller: ApiCaller | None, address: str, admitted: Admitted, found: matches.Read
    ) -> None:
        super().__init__(caller, address)
        self._admitted: Admitted | None = admitted  # set until the stream enters the room
        self._found: matches.Read | None = found  # set until the first line is sent
        self._room: Room | None = None
        self._shown: tuple[str, int] | None = None  # the epoch and version of the last line

    async def open(self) -> None:
        admitted, self._admitted = self._admitted, None
        assert admitted is not None and admitted.state is not None
        self._room = rooms().enter(
            admitted.state, admitted.names, self, admitted.epoch, admitted.privacy
        )
        self.begun(self._room, admitted.epoch)
        self.show(self._room.frame())

    def left(self) -> None:
        if self._room is not None:
            rooms().leave(self._room, self)

    def show(self, state: StateFrame) -> None:
        if self._room is None or not self.is_open:
            return
        self.around(state)
        now = state.state
        if self._shown == (self._room.epoch, now.version):
            return  # this state was sent before; names, ratings or presence may have changed
        if not self.follow(state, self._room.epoch):
            return
        self._shown = self._room.epoch, now.version
        if not now.is_live:
            self.end()

    def begun(self, room: Room, epoch: str) -> None:
        """Prepare for the first state.

        `epoch` is the epoch of the database from which the match was read.
        """

    def around(self, state: StateFrame) -> None:
        """Send a line about the players' presence, if the stream has such lines."""

    def follow(self, shown: StateFrame, epoch: str) -> bool:
        """Send a state. Return False if the stream cannot send it yet."""
        raise NotImplementedError

    def first(self, state: MatchState) -> matches.Read:
        """Return the game that was read, with the state replaced. This can be called only once."""
        found, self._found = self._found, None
        assert found is not None
        return msgspec.structs.replace(found, state=state)


class GameStream(Following):
    """The stream of a game for one of its players.

    The first line is `gameFull`. A `gameState` follows at each change, a `chatLine` for each
    phrase, and an `opponentGone` when the opponent leaves, stops playing or is back.
    """

    kind = "game-stream"

    def __init__(
        self,
        caller: ApiCaller,
        address: str,
        admitted: Admitted,
        found: matches.Read,
        moves: list[str],
    ) -> None:
        super().__init__(caller, address, admitted, found)
        self.seats = admitted.seats
        self._read_moves = moves
        self._script: Script | None = None
        self._is_full = False  # whether `gameFull` was sent
        self._is_reading = False
        # Whether the opponent is away, and whether the player can claim a win. None if unknown.
        self._gone: tuple[bool, bool] | None = None

    def begun(self, room: Room, epoch: str) -> None:
        self._script = scripts().of(room.state.id)
        if room.epoch == epoch:
            self._script.learn(self._read_moves, room.epoch)
        self._read_moves = []

    def follow(self, shown: StateFrame, epoch: str) -> bool:
        assert self._script is not None
        state = shown.state
        moves = self._script.upto(state, epoch)
        if moves is None:
            if not self._is_reading:
                self._is_reading = True
                pubsub().soon(self._catch_up(epoch))
            return False
        if self._is_full:
            self.tell(matches.serialize_game_state(state, moves))
        else:
            self._is_full = True
            self.tell(matches.serialize_game_full(self.first(state), moves))
        return True

    async def _catch_up(self, epoch: str) -> None:
        """Read the missed actions, and send the newest state."""
        assert self._script is not None
        try:
            await self._script.read(epoch)
        except Unavailable:
            self.end()  # the client reconnects, and gets the whole game
            return
        finally:
            self._is_reading = False
        if self._room is not None:
            self.show(self._room.frame())

    def around(self, state: StateFrame) -> None:
        if len(self.seats) != 1 or not state.state.is_live or not self._is_full:
            return
        other = 1 - self.seats[0]
        here, may_claim = state.around.here[other], state.around.abandoned[other]
        gone = (not here, may_claim or state.around.stalled[other])
        if gone == self._gone or (self._gone is None and gone == (False, False)):
            self._gone = gone
            return
        self._gone = gone
        if gone == (False, False):
            self.tell(OpponentGone(False))
        else:
            wait = int(get_limits().gone_for(state.state).total_seconds())
            self.tell(OpponentGone(True, 0 if gone[1] else wait))

    def send_text(self, text: str) -> None:
        """Send a phrase of one of the players as a line."""
        try:
            said = _phrase.decode(text)
        except msgspec.MsgspecError:
            return
        room = self._room
        assert room is not None
        seat = room.state.rules.roles.index(said.role)
        name = names.remove_mark(
            mask_names_for_seats(self.seats, room.names, room.privacy.hidden)[seat]
        )
        sentence = render_english(build_message(f"phrase.{said.phrase}"))
        self.tell(ChatLine("player", name, sentence, said.phrase))


class WatchStream(Following):
    """The stream of a game for watchers: first its players, then each position."""

    kind = "watch-stream"

    def follow(self, shown: StateFrame, epoch: str) -> bool:
        if self._found is not None:
            game = matches.serialize_game(self.first(shown.state))
            self.tell(Watched(id=game.id, players=game.players, status=StatusName(game.status)))
        self.write(shown.line(_watched))
        return True


def _watched(state: MatchState) -> bytes:
    """Serialize a position for watchers."""
    white, black = matches.get_time_left(state)
    return encode(
        Watched(
            fen=state.notation,
            lm=state.last,
            wc=white // 1000,
            bc=black // 1000,
            turns=state.ply,
            status=UNSET if state.is_live else StatusName(names.get_status(state)),
            winner=names.get_winner(state) or UNSET,
        )
    )
