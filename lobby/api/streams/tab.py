"""A stream that acts as a tab in the lobby's room, and so gets the state of its player."""

from games.live.frames import Frame
from lobby.api.caller import ApiCaller
from lobby.api.streams.stream import Stream
from lobby.live.protocol import OwnFrame, Shows
from lobby.live.room import lobby_room
from lobby.live.thumbnails import Thumbnail


class TabStream(Stream):
    """One tab of a player."""

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
        """False: a stream does not keep a seek open."""
        return float("-inf")

    async def ask_whether_there(self) -> None:
        pass

    async def send_frame(self, frame: Frame) -> None:
        """Take a new state of the player."""

    async def go(self, match_id: str, role: str) -> None:
        pass

    async def open(self) -> None:
        await lobby_room().enter(self)

    def left(self) -> None:
        lobby_room().leave(self)
