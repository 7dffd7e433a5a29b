"""The tab as the lobby's room knows it."""

from typing import Protocol

from games.live.frames import Frame
from lobby.live.boards import Board
from lobby.live.protocol import Own, Shows


class Tab(Protocol):
    """One tab of a player, or of a visitor without a session.

    The methods that send do not wait for the client, and raise nothing.
    """

    player_id: int | None
    player_name: str | None
    shows: Shows  # the frames that it asked for
    is_shown: bool  # whether the first `lobby` frame was sent
    group: str  # the group whose lobby it shows; "" for none
    tournament: str  # the one that it shows; "" for none
    here: str  # the match that its page shows itself; "" for any other page
    own: Own | None  # the last `own` frame that it was sent
    boards: dict[str, Board]  # of the player's games, as it was last sent them
    waits_for: set[str]  # seeks; see `lobby.live.waiting`

    @property
    def is_open(self) -> bool:
        """Whether it is still open for sending."""
        ...

    def last_heard(self) -> float:
        """When the client was last surely there, on the monotonic clock."""
        ...

    async def ask_whether_there(self) -> None:
        """Ask the client to show that it is there."""
        ...

    async def send_text(self, text: str) -> None:
        """Send a frame's JSON text."""
        ...

    async def send_frame(self, frame: Frame) -> None:
        """Send a frame that several tabs get."""
        ...

    async def close(self, code: int) -> None:
        """Close it, with a code of `games.live.frames`."""
        ...

    async def go(self, match_id: str, role: str) -> None:
        """Tell the tab to open its match."""
        ...
