"""The interface between a room and its viewers.

A viewer may be a websocket, an NDJSON stream, or one board on the TV page. The room decides what a
viewer receives, and the viewer how it is sent.
"""

from typing import Protocol

from games.live.protocol import StateFrame


class Viewer(Protocol):
    """A client that views one match: one of its players, or a watcher.

    The room calls `show`, `send_text` and `close` for each viewer in sequence, so these methods
    must not wait for the client. An exception is logged, and the other viewers are still served.
    """

    player_id: int | None  # None for a visitor
    seats: tuple[int, ...]  # the seats for which the viewer acts: none for a watcher, one, or both
    is_counted: bool  # whether the viewer counts as a person, unlike a board on the TV page
    address: str  # the client's address for the connection log; "" if unknown

    def last_here(self) -> float:
        """Return when the client was last known to be there, in seconds since 1970."""
        ...

    async def show(self, state: StateFrame) -> None:
        """Send the state in the form for this viewer (`state.for_seats` or `state.line`)."""
        ...

    async def send_text(self, text: str) -> None:
        """Send a frame other than a state, such as a phrase. `text` is its JSON."""
        ...

    async def close(self, code: int) -> None:
        """End the connection. `code` gives the reason (`games.live.frames`)."""
        ...
