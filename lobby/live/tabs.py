"""The interface between the lobby's room and a tab."""

from typing import Protocol

from games.live.frames import Frame
from lobby.live.protocol import OwnFrame, Shows
from lobby.live.thumbnails import Thumbnail


class Tab(Protocol):
    """An open tab of a player, or of a visitor without a session.

    The methods that send do not wait for the client, and do not raise exceptions.
    """

    player_id: int | None
    player_name: str | None
    shows: Shows  # which frames the tab requested
    is_shown: bool  # whether the first frame has been sent
    group: str  # id of the group whose lobby the page shows, or ""
    tournament: str  # id of the tournament that the page shows, or ""
    here: str  # id of the match that the page itself shows, or ""
    own: OwnFrame | None  # the `own` frame that was last sent
    boards: dict[str, Thumbnail]  # the boards of the player's matches, as last sent
    waits_for: set[str]  # ids of the seeks that the tab is waiting for (`lobby.live.waiting`)

    @property
    def is_open(self) -> bool:
        """Return whether frames can still be sent."""
        ...

    def last_heard(self) -> float:
        """Return when the client last proved that it is there, on the monotonic clock."""
        ...

    async def ask_whether_there(self) -> None:
        """Ask the client to prove that the player is present."""
        ...

    async def send_text(self, text: str) -> None:
        """Send a frame's JSON text."""
        ...

    async def send_frame(self, frame: Frame) -> None:
        """Send a frame that several tabs share."""
        ...

    async def close(self, code: int) -> None:
        """Close the tab's connection with a code of `games.live.frames`."""
        ...

    async def go(self, match_id: str, role: str) -> None:
        """Make the tab open its match."""
        ...
