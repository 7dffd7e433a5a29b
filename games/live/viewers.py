"""What a room knows of whoever looks at its match.

A viewer may be a websocket, an HTTP stream with a line for each state, or one board on a wall of
many. The room decides what a viewer is sent, the viewer how.
"""

from typing import Protocol

from games.live.protocol import StateFrame


class Viewer(Protocol):
    """Somebody who looks at one match: one of its players, or a watcher.

    The room calls `show`, `send_text` and `close` for one viewer after another, so none of them
    waits for the client. One that raises is logged, and the other viewers are told all the same.
    """

    player_id: int | None  # None: nobody who is known
    seats: tuple[int, ...]  # for which they act: none (a watcher), one, or both of them
    is_counted: bool  # whether it is somebody who is there; a board on a wall is not
    address: str  # of the client, for the log of connections; "" where there is none

    def last_here(self) -> float:
        """When the client was surely there, in seconds since 1970."""
        ...

    async def show(self, state: StateFrame) -> None:
        """Send the state, as far as this viewer may see it (`state.for_seats`)."""
        ...

    async def send_text(self, text: str) -> None:
        """Send a frame that is no state, a phrase for example, as its JSON text."""
        ...

    async def close(self, code: int) -> None:
        """Send nothing more. `code` says why (`games.live.frames`)."""
        ...
