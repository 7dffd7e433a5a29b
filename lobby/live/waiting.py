"""The tabs in this process that are waiting for a seek to be paired."""

from collections import OrderedDict
from collections.abc import Iterable

from games.live.frames import encode_text
from lobby.live.protocol import Cancelled
from lobby.live.tabs import Tab

_REMEMBERED = 5000  # paired seeks that are remembered


class WaitingTabs:
    """The waiting tabs of each seek. After `paired`, no more messages about that seek are sent."""

    def __init__(self) -> None:
        # The tabs of each seek, in the order in which they began to wait.
        self._tabs: dict[str, dict[Tab, None]] = {}
        self._paired: OrderedDict[str, None] = OrderedDict()

    @property
    def seeks(self) -> set[str]:
        """The seeks for which tabs of this process are waiting."""
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
        """Make the tab that began to wait last open the match.

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
                await socket.send_text(encode_text(Cancelled(seek_id)))

    def _taken(self, seek_id: str) -> list[Tab]:
        tabs = list(self._tabs.pop(seek_id, ()))
        for socket in tabs:
            socket.waits_for.discard(seek_id)
        return tabs
