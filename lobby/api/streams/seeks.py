"""A seek that stays open as long as its stream."""

from typing import Any

from games.messages.refusal import Refused
from games.runtime.db import Unavailable, in_db_for_people, in_db_for_reading
from games.runtime.pubsub import pubsub
from lobby.api.matches import Read, read_match
from lobby.api.schemas.challenges import PairedSchema
from lobby.api.schemas.games import COLOURS
from lobby.api.streams.stream import TabStream
from lobby.live.room import lobby_room
from lobby.models import Seek
from lobby.seeks import matchmaking


class SeekStream(TabStream):
    """A stream of blank lines until an opponent is found, and then one line with the game."""

    kind = "seek-stream"

    seek: Seek  # set before the stream starts

    def last_heard(self) -> float:
        """Return infinity while the stream is connected, because its player is present."""
        return float("inf") if self.is_open else float("-inf")

    async def open(self) -> None:
        self.write(b"")
        await super().open()
        seek, room = self.seek, lobby_room()
        if not room.waiting.wait(self, seek.pk):
            await self._look()
            return
        room.changed_everywhere([seek.player_id], opened=seek.game)
        if seek.is_pooled:
            room.waves.start()
        else:
            pubsub().soon(self._try())

    async def go(self, match_id: str, role: str) -> None:
        found: Read | None = await in_db_for_reading(read_match, match_id, self.player_id)
        if found is not None:
            self.tell(PairedSchema(match_id, COLOURS[found.state.rules.roles.index(role)]))
        self.end()

    def send_text(self, text: str) -> None:
        """End the stream, because its seek is gone."""
        self.end()

    def left(self) -> None:
        room = lobby_room()
        super().left()
        # If the seek is still there, another tab on this server is waiting for it.
        if self.seek.pk not in room.waiting.seeks:
            pubsub().soon(_withdraw(self.seek))

    async def _look(self) -> None:
        """Send the match if the seek was paired before this stream opened, and end the stream."""
        found: dict[str, Any] = await in_db_for_reading(matchmaking.get_seeks, {self.seek.pk})
        seek = found.get(self.seek.pk)
        if seek is None or seek.match is None:
            self.end()
        else:
            await self.go(seek.match.pk, matchmaking.get_role(seek.match, seek.player_id))

    async def _try(self) -> None:
        try:
            await lobby_room().meetings.try_to_pair(self.seek)
        except (Refused, Unavailable):
            self.end()


async def _withdraw(seek: Seek) -> None:
    gone = await in_db_for_people(matchmaking.cancel_seeks, seek.player_id, seek.pk)
    if gone:
        await lobby_room().cancelled(gone)
