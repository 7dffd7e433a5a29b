"""A session's sockets end with the session: logging out closes them, on every server."""

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from asgiref.sync import async_to_sync
from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver

from games.frames import CLOSE_LOGGED_OUT
from games.hints import hints
from games.per_loop import PerLoop

if TYPE_CHECKING:
    from games.sockets import Socket

_GROUP = "sessions"


class Sessions:
    """The open sockets of this process by their session."""

    def __init__(self) -> None:
        self._sockets: defaultdict[str, set[Socket]] = defaultdict(set)

    def opened(self, socket: "Socket") -> None:
        if socket.session_key:
            self._sockets[socket.session_key].add(socket)
            hints().hear(_GROUP, self._heard)

    def shut(self, socket: "Socket") -> None:
        if socket.session_key:
            self._sockets[socket.session_key].discard(socket)
            if not self._sockets[socket.session_key]:
                del self._sockets[socket.session_key]

    async def end(self, key: str) -> None:
        """Close the sockets of a session that is over."""
        for socket in list(self._sockets.get(key, ())):
            await socket.close(CLOSE_LOGGED_OUT)

    def _heard(self, hint: dict[str, Any]) -> None:
        hints().soon(self.end(hint["key"]))


sessions = PerLoop(Sessions)
"""The sessions of the running event loop."""


@receiver(user_logged_out)
def _logged_out(sender: Any, request: Any, **kwargs: Any) -> None:
    key = request.session.session_key if request is not None else None
    if key:
        async_to_sync(_end_everywhere)(key)  # the sockets live on the server's event loop


async def _end_everywhere(key: str) -> None:
    await sessions().end(key)
    hints().tell(_GROUP, key=key)
