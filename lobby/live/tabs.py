"""What the lobby knows of a tab: whoever looks at the lobby, or waits for somebody."""

from typing import Protocol

from games.live.frames import Frame
from lobby.live.protocol import Own, Shows


class Tab(Protocol):
    """One tab of a player, or of a visitor who is nobody yet.

    What sends returns without waiting for the client, and raises nothing.
    """

    player_id: int | None
    player_name: str | None
    shows: Shows  # what it asked to be sent
    is_shown: bool  # whether it has been sent the lobby
    own: Own | None  # what it was last sent of its player's own seeks
    waits_for: set[str]  # seeks; see `lobby.live.waiting`

    @property
    def is_open(self) -> bool:
        """Whether it can still be sent anything."""
        ...

    def last_heard(self) -> float:
        """When the client was surely there, on the monotonic clock."""
        ...

    async def ask_whether_there(self) -> None:
        """Have the client show that it is there."""
        ...

    async def send_text(self, text: str) -> None:
        """Send a frame's JSON text."""
        ...

    async def send_frame(self, frame: Frame) -> None:
        """Send a frame that several are sent."""
        ...

    async def go(self, match_id: str, role: str) -> None:
        """Send it to its match."""
        ...
