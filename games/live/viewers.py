"""The interface between a room and its viewers.

A viewer may be a websocket, an NDJSON stream, or one board on the TV page. The room decides what a
viewer receives; the viewer decides how it is sent.
"""

from typing import Protocol

from games.live.protocol import StateFrame


class Viewer(Protocol):
    """A client that views one match: one of its players, or a watcher.

    The room calls `show`, `send_text` and `close` for each viewer in sequence, so these methods
    must not wait for the client. An exception is logged, and the other viewers are still served.
    """

    player_id: int | None  # None: a visitor
    seats: tuple[int, ...]  # seats for which the viewer acts: none (a watcher), one, or both
    is_counted: bool  # whether it counts as a person; a board on the TV page does not
    address: str  # of the client, for the connection log; "" if unknown

    def last_here(self) -> float:
        """Return when the client was last known to be there, in seconds since 1970."""
        ...

    async def show(self, state: StateFrame) -> None:
        """Send the state as this viewer may see it (`state.for_seats`)."""
        ...

    async def send_text(self, text: str) -> None:
        """Send the JSON text of a frame that is not a state, such as a phrase."""
        ...

    async def close(self, code: int) -> None:
        """Send nothing more. `code` gives the reason (`games.live.frames`)."""
        ...
