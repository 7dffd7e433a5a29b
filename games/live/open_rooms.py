"""The open rooms of this process by match, and the delivery of new states to them.

A failure in one room does not affect the others.
"""

import asyncio
from collections.abc import Awaitable, Iterable, Iterator

import structlog

from games.journal.publisher import Hearer, publisher
from games.live.frames import CLOSE_NO_SUCH
from games.live.room import Room
from games.match.state import MatchState
from games.runtime.db import Unavailable
from games.runtime.metrics import PUBLISH
from games.store.visibility import PUBLIC, Privacy

log = structlog.get_logger(__name__)


class OpenRooms:
    """The rooms of the matches that have viewers in this process."""

    def __init__(self) -> None:
        self._rooms: dict[str, Room] = {}
        self._due: dict[Room, None] = {}  # rooms whose newest state has not been shown yet
        self._loop = asyncio.get_running_loop()

    def __len__(self) -> int:
        return len(self._rooms)

    def __iter__(self) -> Iterator[Room]:
        return iter(list(self._rooms.values()))

    def get(self, match_id: str) -> Room | None:
        return self._rooms.get(match_id)

    def open(
        self,
        state: MatchState,
        names: tuple[str, str],
        epoch: str,
        hearer: Hearer,
        privacy: Privacy = PUBLIC,
    ) -> Room:
        """Return the room of a match that has just been read, and open it if necessary.

        `hearer` is called with each hint about the match from another server.
        """
        room = self._rooms.get(state.id)
        if room is None:
            room = self._rooms[state.id] = Room(state, names, epoch)
            publisher().follow(state.id, hearer)
        room.names, room.privacy = names, privacy
        if room.learn(state):
            self.show_soon(room)  # viewers that entered earlier have not seen this state
        return room

    def forget(self, room: Room) -> None:
        if self._rooms.get(room.state.id) is room:
            del self._rooms[room.state.id]
            publisher().unfollow(room.state.id)

    def take(self, states: Iterable[MatchState]) -> None:
        """Show committed states to viewers that have only seen older ones."""
        for state in states:
            room = self._rooms.get(state.id)
            if room is None or state is room.state:
                continue
            if not state.is_readable:
                self.shut(room, "unreadable")
            elif room.learn(state):
                self.show_soon(room)

    def show_soon(self, room: Room) -> None:
        """Show the room's newest state soon. Several calls until then result in one frame."""
        if not self._due:
            self._loop.call_soon(self._show_due)
        self._due[room] = None

    def shut(self, room: Room, why: str) -> None:
        """Disconnect all viewers of a match that cannot be shown, as if it did not exist."""
        log.error("match not shown", match=room.state.id, why=why)
        room.close(CLOSE_NO_SUCH)

    def _show_due(self) -> None:
        due, self._due = self._due, {}
        with PUBLISH.time():
            for room in due:
                try:
                    room.show()
                except Exception:  # the other rooms must still be shown
                    log.exception("room not shown", match=room.state.id)
                    if not room.state.is_readable:
                        self.shut(room, "unreadable")


async def log_failure(work: Awaitable[None]) -> None:
    """Run one part of the upkeep and log its failure, so that the other parts still run.

    Raise `Unavailable` if the database is unavailable, because the other parts would also wait for
    the database.
    """
    try:
        await work
    except Unavailable:
        raise
    except Exception:
        log.exception("upkeep failed", part="rooms")
