"""The interface between the lobby's room and a tab, and the tabs that are waiting for a match."""

from collections import OrderedDict
from collections.abc import Iterable
from typing import Protocol

from games.live.frames import Frame, encode_text
from lobby.live.protocol import Cancelled, OwnFrame, Shows
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
    waits_for: set[str]  # ids of the seeks that the tab is waiting for (`WaitingTabs` sets them)

    @property
    def is_open(self) -> bool:
        """Return whether frames can still be sent."""
        ...

    def last_heard(self) -> float:
        """Return when the client last proved that it is there, on the monotonic clock."""
        ...

    def ask_whether_there(self) -> None:
        """Ask the client to prove that the player is present."""
        ...

    def send_text(self, text: str) -> None:
        """Send a frame's JSON text."""
        ...

    def send_frame(self, frame: Frame) -> None:
        """Send a frame that several tabs share."""
        ...

    def close(self, code: int) -> None:
        """Close the tab's connection with one of the close codes of `games.live.frames`."""
        ...

    async def go(self, match_id: str, role: str) -> None:
        """Make the tab open the match."""
        ...


_REMEMBERED = 5000  # the maximum number of paired seeks that are remembered


class WaitingTabs:
    """The waiting tabs of each seek. After `paired`, no more messages about that seek are sent."""

    def __init__(self) -> None:
        # The tabs of each seek, in the order in which they began to wait.
        self._tabs: dict[str, dict[Tab, None]] = {}
        self._paired: OrderedDict[str, None] = OrderedDict()

    @property
    def seeks(self) -> set[str]:
        """The ids of the seeks for which tabs of this process are waiting."""
        return set(self._tabs)

    def wait(self, socket: Tab, seek_id: str) -> bool:
        """Add a tab that waits for the seek. Return False if the seek has already been paired."""
        if seek_id in self._paired:
            return False
        tabs = self._tabs.setdefault(seek_id, {})
        tabs.pop(socket, None)
        tabs[socket] = None
        socket.waits_for.add(seek_id)
        return True

    def is_waiting(self, socket: Tab, seek_id: str) -> bool:
        return socket in self._tabs.get(seek_id, ())

    def forget(self, socket: Tab) -> None:
        """Remove a tab that has closed."""
        for seek_id in socket.waits_for:
            tabs = self._tabs.get(seek_id, {})
            tabs.pop(socket, None)
            if not tabs:
                self._tabs.pop(seek_id, None)
        socket.waits_for.clear()

    async def paired(self, seek_id: str, match_id: str, role: str) -> None:
        """Open the match in the tab that began to wait last.

        The other tabs get a link to the match in their `own` frame.
        """
        self._paired[seek_id] = None
        if len(self._paired) > _REMEMBERED:
            self._paired.popitem(last=False)
        tabs = self._taken(seek_id)
        if tabs:
            await tabs[-1].go(match_id, role)

    async def cancelled(self, seek_ids: Iterable[str]) -> None:
        """Notify the waiting tabs that these seeks are gone."""
        for seek_id in seek_ids:
            for socket in self._taken(seek_id):
                socket.send_text(encode_text(Cancelled(seek_id)))

    def _taken(self, seek_id: str) -> list[Tab]:
        tabs = list(self._tabs.pop(seek_id, ()))
        for socket in tabs:
            socket.waits_for.discard(seek_id)
        return tabs
