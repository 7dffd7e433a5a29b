"""The event stream of a player: games that start and finish, and challenges.

It follows the same state as the player's tabs (`lobby.live.player_state`), so it recovers from lost
hints. A token has only one such stream: opening another one ends the previous one.
"""

import time
from typing import Any

from msgspec.structs import replace

from games.live.frames import Frame
from games.runtime.db import Unavailable, in_db, in_db_for_people, in_db_for_reading
from games.runtime.ids import new_id
from games.runtime.per_loop import PerLoop
from games.runtime.pubsub import pubsub
from games.runtime.tasks import Repeated
from games.store.aliases import get_aliases
from games.store.visibility import find_hidden_players
from lobby.api import event_stream_leases, matches
from lobby.api.caller import ApiCaller
from lobby.api.challenges import serialize_challenge
from lobby.api.schemas.challenges import ChallengeSchema
from lobby.api.schemas.games import Compat, OwnGameSchema
from lobby.api.schemas.streams import (
    ChallengeCanceled,
    ChallengeDeclined,
    ChallengeNew,
    GameFinish,
    GameStart,
)
from lobby.api.streams.stream import TabStream
from lobby.live.protocol import OwnFrame
from lobby.models import Challenge as Row
from lobby.tournaments import presence

_GROUP = "event-streams"
_CHECK_SECONDS = 5.0
_COMPAT = Compat(bot=True, board=True)

Details = tuple[dict[str, OwnGameSchema], dict[str, ChallengeSchema]]


class EventStream(TabStream):
    """The event stream of one token."""

    kind = "event-stream"

    def __init__(self, caller: ApiCaller, address: str) -> None:
        super().__init__(caller, address)
        self.token_id, self.id = caller.token_id, new_id()
        self._told: set[str] = set()  # games whose start was sent
        self._open: dict[str, ChallengeSchema] = {}  # challenges that were sent
        self._answered: set[str] = set()  # challenges whose refusal was sent
        self._is_telling = self._is_behind = False
        self.is_noted = False  # whether the database knows this stream as the newest of the token

    async def open(self) -> None:
        # An empty write sends the headers, so the client knows that the stream is open.
        self.write(b"")
        await event_streams().opened(self)
        await super().open()

    def left(self) -> None:
        event_streams().left(self)
        super().left()

    def send_frame(self, frame: Frame) -> None:
        self._is_behind = True
        if not self._is_telling:
            self._is_telling = True
            pubsub().soon(self._tell_all())

    async def _tell_all(self) -> None:
        try:
            while self._is_behind and self.is_open and self.own is not None:
                self._is_behind = False
                await self._tell_new(self.own)
        except Unavailable:
            self.end()  # the client reconnects, and then receives everything again
        finally:
            self._is_telling = False

    async def _tell_new(self, own: OwnFrame) -> None:
        live = {game.match for game in own.games} | {game.match for game in own.begun}
        challenges = {each.challenge for each in own.challenges}
        declined = {each.challenge for each in own.declined} - self._answered
        gone = set(self._open) - challenges - declined
        games, rows = await in_db_for_reading(
            _details,
            self.player_id,
            (live - self._told) | (self._told - live),
            (challenges - set(self._open)) | declined | gone,
        )
        for pk in sorted(challenges - set(self._open)):
            if pk in rows:
                self._open[pk] = rows[pk]
                self.tell(ChallengeNew(rows[pk], _COMPAT))
        for pk in sorted(declined):
            self._answered.add(pk)
            self._open.pop(pk, None)
            if pk in rows:
                self.tell(ChallengeDeclined(rows[pk]))
        for pk in sorted(gone):
            known = self._open.pop(pk)
            if pk not in rows or not rows[pk].game_id:
                self.tell(ChallengeCanceled(_changed(known)))
        for pk, game in games.items():
            if pk not in self._told:
                self._told.add(pk)
                self.tell(GameStart(game))
            if game.status.name != "started":
                self._told.discard(pk)
                self.tell(GameFinish(game))


class EventStreams:
    """The newest event stream of each token in this process."""

    def __init__(self) -> None:
        self._streams: dict[int, EventStream] = {}
        self._noted_at = 0.0
        self._looking = Repeated(
            "event-streams",
            self._look,
            _CHECK_SECONDS,
            first=_CHECK_SECONDS,
            goes_on=lambda: bool(self._streams),
        )

    async def opened(self, stream: EventStream) -> None:
        """Make this stream the newest of its token, and end the previous stream."""
        former = self._streams.get(stream.token_id)
        self._streams[stream.token_id] = stream
        if former is not None:
            former.end()
        pubsub().subscribe(_GROUP, self._heard)
        self._looking.start()
        await in_db(event_stream_leases.begin_stream, stream.token_id, stream.id)
        stream.is_noted = True
        pubsub().publish(_GROUP, token=stream.token_id, stream=stream.id)

    def left(self, stream: EventStream) -> None:
        if self._streams.get(stream.token_id) is stream:
            del self._streams[stream.token_id]
            # `end_stream` runs after `begin_stream`, because both use the same thread.
            pubsub().soon(in_db(event_stream_leases.end_stream, stream.token_id, stream.id))

    def _heard(self, hint: dict[str, Any]) -> None:
        self._end_former(hint["token"], hint["stream"])

    async def _look(self) -> None:
        """End replaced streams, renew the leases of the others, and record players as present.

        A stream may have been replaced on another server whose hint was lost. The leases are
        renewed about once a minute.
        """
        stored = await in_db_for_reading(event_stream_leases.get_newest_stream, list(self._streams))
        for token_id, stream_id in stored.items():
            self._end_former(token_id, stream_id)
        now = time.monotonic()
        if now - self._noted_at >= event_stream_leases.NOTED_EVERY:
            self._noted_at = now
            await in_db(event_stream_leases.renew_stream, list(self._streams))
        # A program with an open event stream is present in the arenas that it has joined.
        players = {stream.player_id for stream in self._streams.values()}
        await in_db_for_people(presence.record_following, players)

    def _end_former(self, token_id: int, newest: str) -> None:
        known = self._streams.get(token_id)
        if known is not None and known.is_noted and known.id != newest:
            known.end()


event_streams = PerLoop(EventStreams)
"""The event streams of the running event loop."""


def _details(player_id: int, match_ids: set[str], challenge_ids: set[str]) -> Details:
    """Return these games and challenges, serialized for the player, in two dictionaries by id.

    Those that are hidden from the player are left out, and so are games of other players.
    """
    rows = get_aliases(player_id)
    games = {}
    for pk, found in matches.read_matches(match_ids, player_id).items():
        seats = found.state.seats_of(rows)
        if seats:
            games[pk] = matches.serialize_own_game(found, seats[0])
    wanted = Row.objects.filter(pk__in=challenge_ids).select_related("challenger", "challenged")
    people = {pk for row in wanted for pk in (row.challenger_id, row.challenged_id)}
    hidden = find_hidden_players(player_id, people)
    return games, {
        row.pk: serialize_challenge(row, player_id)
        for row in wanted
        if hidden.isdisjoint((row.challenger_id, row.challenged_id))
    }


def _changed(known: ChallengeSchema) -> ChallengeSchema:
    return replace(known, status="canceled")
