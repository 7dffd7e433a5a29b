"""The rooms of this process: viewers enter and leave them, and players send them phrases."""

from collections.abc import Callable, Collection
from typing import Any

from games.journal.opening import are_apart, list_people
from games.journal.publisher import publisher
from games.live.heartbeat import heart
from games.live.open_rooms import OpenRooms
from games.live.presence import Viewer
from games.live.room import Room
from games.live.upkeep import Upkeep
from games.match.state import MatchState
from games.runtime.db import in_db
from games.runtime.per_loop import PerLoop
from games.runtime.pubsub import pubsub
from games.store.aliases import get_kin
from games.store.visibility import PUBLIC, Privacy

_PEOPLE = "people"  # the group for changes of players' names and visibility


class Rooms:
    """The rooms of this process, and their upkeep."""

    def __init__(self) -> None:
        self._rooms = OpenRooms()
        self._upkeep = Upkeep(self._rooms)
        self.take = self._rooms.take
        publisher().listen(self.take)
        heart().listeners.append(lambda: pubsub().soon(self._upkeep.look(list(self._rooms))))
        pubsub().subscribe(_PEOPLE, self._heard_of_people)

    def enter(
        self,
        state: MatchState,
        names: tuple[str, str],
        viewer: Viewer,
        epoch: str = "",
        privacy: Privacy = PUBLIC,
    ) -> Room:
        """Let a viewer into the room of a match that has just been read, and return the room.

        The caller has checked that the viewer may see the match. `names` are in the order of the
        seats, and `epoch` is the epoch of the database at that time. The caller sends
        `room.frame()` to the viewer; the room sends each later state.
        """
        room = self._rooms.open(state, names, epoch, self._heard, privacy)
        room.enter(viewer)
        if state.is_live:
            self._upkeep.log.opened(viewer, state.id, viewer.seats)
        self._upkeep.start()
        return room

    def leave(self, room: Room, viewer: Viewer) -> None:
        room.leave(viewer)
        self._upkeep.log.closed(viewer)

    def say(self, room: Room, seat: int, phrase: str, alone: bool = False) -> None:
        """Send a phrase to the match's viewers on all servers.

        If `alone` is true, only the player who sent the phrase receives it.
        """
        room.say(seat, phrase, alone)
        if not alone:
            publisher().tell(room.state.id, seat=seat, phrase=phrase)

    def say_in(self, match_id: str, seat: int, phrase: str, alone: bool = False) -> None:
        """Send a phrase from a player who has no viewer on this server.

        The caller must limit the rate, because `Room.may_speak` only limits players with a viewer.
        """
        room = self._rooms.get(match_id)
        if room is not None:
            self.say(room, seat, phrase, alone)
        elif not alone:
            publisher().tell(match_id, seat=seat, phrase=phrase)

    async def renamed(self, player_id: int) -> None:
        """Show a player's new name on all servers."""
        await self._rename(player_id)
        pubsub().publish(_PEOPLE, player=player_id)

    async def protected(self, player_ids: Collection[int]) -> None:
        """Close the viewers of these newly protected players' matches, on all servers.

        Viewers who may still see a match connect again.
        """
        await self._readmit(player_ids)
        pubsub().publish(_PEOPLE, protected=list(player_ids))

    def players(self) -> set[int]:
        """Return the ids of the players who are viewing a match on this server."""
        return {
            viewer.player_id
            for room in self._rooms
            for viewer in room.viewers
            if viewer.player_id is not None
        }

    async def _rename(self, player_id: int) -> None:
        rows = (await in_db(get_kin, [player_id])).get(player_id, frozenset())
        for room in self._rooms:
            if room.state.seats_of(rows):
                await self._upkeep.read_people(room)

    async def _readmit(self, player_ids: Collection[int]) -> None:
        rows = {row for own in (await in_db(get_kin, player_ids)).values() for row in own}
        for room in self._rooms:
            if room.state.seats_of(rows):
                await self._upkeep.readmit(room)

    def _heard_of_people(self, hint: dict[str, Any]) -> None:
        if "protected" in hint:
            pubsub().soon(self._readmit(hint["protected"]))
        else:
            pubsub().soon(self._rename(hint["player"]))

    def _heard(self, hint: dict[str, Any]) -> None:
        room = self._rooms.get(hint["match"])
        if room is not None and "phrase" in hint:
            room.say(hint["seat"], hint["phrase"])
        elif room is not None and room.state.version < hint["version"]:
            pubsub().soon(self._upkeep.look([room]))


rooms = PerLoop(Rooms)
"""The rooms of the running event loop."""


speaker_checks: list[Callable[[int], None]] = []
"""Functions that are called with the id of the player who sends a phrase. They raise `Refused` if
the player may not send it. `config.wiring` sets them."""


def check_speech(state: MatchState, seat: int) -> bool:
    """Return whether only the speaker may read the phrase, because the players must not meet.

    Raise `Refused` if the player may not send any phrase.
    """
    for check in speaker_checks:
        check((state.first_id, state.second_id)[seat])
    return are_apart(list_people(state.first_id, state.second_id, state.levels))
