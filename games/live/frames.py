"""Frames of any socket of the site: how they are read strictly, and the words of a refusal."""

from functools import cache
from typing import Any, TypeVar

import msgspec
from django.conf import settings
from msgspec import Struct

T = TypeVar("T")

# Why a socket was closed.
CLOSE_GONE = 1006  # broken off, with no word (never sent: RFC 6455, 7.4.1)
CLOSE_LOGGED_OUT = 4401  # its session is over
CLOSE_SUSPENDED = 4403  # its player is suspended
CLOSE_NO_SUCH = 4404  # there is nothing at its address
CLOSE_FLOOD = 4429  # it would not slow down, or there are too many of them
CLOSE_RESTART = 1012  # its server ends; another one, or the same soon, goes on
CLOSE_LATER = 4503  # the site cannot just now; try again

DETAILS = {
    "malformed": "That message could not be read.",
    "unknown-type": "This site does not know that kind of message.",
    "not-a-player": "You are not one of the players here.",
    "not-your-turn": "It is not your turn.",
    "illegal-action": "The rules do not allow that here.",
    "stale": "The match has moved on; this is how it stands now.",
    "not-live": "The match is over.",
    "not-allowed": "That is not possible now.",
    "too-fast": "That was too fast; please wait a moment.",
    "many-matches": "You have begun very many matches. Please wait a while, then ask again.",
    "many-open": "You have many matches with the computer open. Please finish or resign one first.",
    "too-many": "There are too many open pages of this site. Close some, then reload this one.",
    "too-many-seeks": "You have as many searches open as one player may. Stop one of them first.",
    "unavailable": "The site cannot store anything just now. Please try again in a moment.",
    "suspended": "You are suspended.",
    "taken": "That seek is gone: somebody was faster, or it was withdrawn.",
}
"""What each code of a refusal says to people."""

_TOLD_AS = {"many-matches": "too-fast", "many-open": "too-many"}
"""Codes that say more to people than to clients."""


class Unreadable(Exception):  # noqa: N818  # an answer to a client, not a fault of ours
    """A frame that is none of the socket's messages; `code` says in what way."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Ping(Struct, frozen=True, tag="ping"):
    """A client's heartbeat; `t` comes back as it is."""

    t: float | str | None = None


class Echo(Struct, frozen=True, tag="echo"):
    """Sent back at once for a pong's `mark`, by which the server measures the delay."""

    mark: str


class _Typed(Struct):
    type: str


_typed = msgspec.json.Decoder(_Typed)


def decode(decoder: msgspec.json.Decoder[T], event: dict[str, Any]) -> T:
    """The message in a `websocket.receive` event. Raises `Unreadable`."""
    text = event.get("text")
    if text is None or len(text) > settings.FRAME_BYTES:
        raise Unreadable("malformed")
    try:
        return decoder.decode(text)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        pass
    try:
        kind = _typed.decode(text).type
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        raise Unreadable("malformed") from None
    raise Unreadable("malformed" if kind in _tags(decoder) else "unknown-type")


@cache  # there are two decoders; a flood of unreadable frames would ask again for each
def _tags(decoder: msgspec.json.Decoder[Any]) -> set[object]:
    kinds = msgspec.inspect.type_info(decoder.type)
    members = kinds.types if isinstance(kinds, msgspec.inspect.UnionType) else (kinds,)
    return {kind.tag for kind in members if isinstance(kind, msgspec.inspect.StructType)}


def encode(frame: dict[str, Any]) -> str:
    """The text of a frame."""
    return msgspec.json.encode(frame).decode()


class Frame:
    """A text that is sent to several: the bytes of its websocket frame are made once.

    A server sends a text whole and not masked (RFC 6455, 5.2).
    """

    __slots__ = ("_body", "bytes")

    def __init__(self, body: bytes) -> None:
        size = len(body)
        if size < 126:
            head = bytes((0x81, size))
        elif size < 1 << 16:
            head = b"\x81\x7e" + size.to_bytes(2, "big")
        else:
            head = b"\x81\x7f" + size.to_bytes(8, "big")
        self._body = body
        self.bytes = head + body

    @property
    def text(self) -> str:
        return self._body.decode()


def error(code: str, **more: Any) -> str:
    """The text of the frame that refuses. `detail` may say more than the code's own words."""
    told = _TOLD_AS.get(code, code)
    return encode({"type": "error", "code": told, "detail": DETAILS[code], **more})
