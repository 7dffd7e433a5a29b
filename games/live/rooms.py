"""All rooms of this process: where viewers enter and leave, and where players say their phrases."""

from typing import Any

from games.journal.publisher import publisher
from games.live.heartbeat import heart
from games.live.open_rooms import OpenRooms
from games.live.room import Room
from games.live.upkeep import Upkeep
from games.live.viewers import Viewer
from games.match.state import MatchState
from games.models import Match
from games.runtime.db import in_db
from games.runtime.per_loop import PerLoop
from games.runtime.pubsub import pubsub
from games.store.aliases import kin, name_at
from games.store.matches import read

_PEOPLE = "people"  # the group in which servers hear that a player has another name


class Rooms:
    """All rooms of this process."""

    def __init__(self) -> None:
        self._rooms = OpenRooms()
        self._upkeep = Upkeep(self._rooms)
        self.take = self._rooms.take
        publisher().listen(self.take)
        heart().listeners.append(lambda: pubsub().soon(self._upkeep.look(list(self._rooms))))
        pubsub().subscribe(_PEOPLE, lambda hint: pubsub().soon(self._rename(hint["player"])))

    def enter(
        self, state: MatchState, names: tuple[str, str], viewer: Viewer, epoch: str = ""
    ) -> Room:
        """The room of a match as it was just read, with the viewer in it.

        `names` are those of the players by their seats, `epoch` the history that was read. The
        viewer is yet to be shown `room.frame()`; from now on it is shown each later one.
        """
        room = self._rooms.open(state, names, epoch, self._heard)
        room.enter(viewer)
        if state.is_live:
            self._upkeep.log.opened(viewer, state.id, viewer.seats)
        self._upkeep.start()
        return room

    def leave(self, room: Room, viewer: Viewer) -> None:
        room.leave(viewer)
        self._upkeep.log.closed(viewer)

    async def say(self, room: Room, seat: int, phrase: str, alone: bool = False) -> None:
        """Tell a phrase to the match's viewers, here and at the other servers. `alone`: to nobody
        but who says it."""
        await room.say(seat, phrase, alone)
        if not alone:
            publisher().tell(room.state.id, seat=seat, phrase=phrase)

    async def say_in(self, match_id: str, seat: int, phrase: str, alone: bool = False) -> None:
        """The same, for who has no viewer here; `games.live.room` limits those who have one."""
        room = self._rooms.get(match_id)
        if room is not None:
            await self.say(room, seat, phrase, alone)
        elif not alone:
            publisher().tell(match_id, seat=seat, phrase=phrase)

    async def renamed(self, player_id: int) -> None:
        """A player has another name now: show it, here and at the other servers."""
        await self._rename(player_id)
        pubsub().publish(_PEOPLE, player=player_id)

    def players(self) -> set[int]:
        """The players who look at a match here."""
        return {
            viewer.player_id
            for room in self._rooms
            for viewer in room.viewers
            if viewer.player_id is not None
        }

    async def _rename(self, player_id: int) -> None:
        rows = (await in_db(kin, [player_id])).get(player_id, frozenset())
        for room in self._rooms:
            if room.state.seats_of(rows):
                names = await in_db(_names, room.state.id)
                if names is not None:
                    room.names = names
                    self._rooms.show_soon(room)

    def _heard(self, hint: dict[str, Any]) -> None:
        room = self._rooms.get(hint["match"])
        if room is not None and "phrase" in hint:
            pubsub().soon(room.say(hint["seat"], hint["phrase"]))
        elif room is not None and room.state.version < hint["version"]:
            pubsub().soon(self._upkeep.look([room]))


def _names(match_id: str) -> tuple[str, str] | None:
    """The players' names by their seats; None where the match cannot be shown."""
    state = read([match_id]).get(match_id)
    if state is None or not state.is_readable:
        return None
    names = Match.objects.values_list(name_at("first"), name_at("second"))
    first, second = names.get(pk=match_id)
    return first, second


rooms = PerLoop(Rooms)
"""The rooms of the running event loop."""
