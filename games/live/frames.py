"""Frames of any socket of the site: how they are read strictly, and those that all sockets send."""

from functools import cache
from typing import Any, TypeVar

import msgspec
from django.conf import settings
from msgspec import UNSET, Struct, UnsetType

from games.messages import Message, render_english
from games.messages.refusal import Refused

T = TypeVar("T")

# Why a socket was closed.
CLOSE_GONE = 1006  # broken off, with no word (never sent: RFC 6455, 7.4.1)
CLOSE_LOGGED_OUT = 4401  # its session is over
CLOSE_SUSPENDED = 4403  # its player is suspended
CLOSE_NO_SUCH = 4404  # there is nothing at its address
CLOSE_RECONNECT = 4410  # its player has become another, or more than one: connect again as that
CLOSE_FLOOD = 4429  # it would not slow down, or there are too many of them
CLOSE_RESTART = 1012  # its server ends; another one, or the same soon, goes on
CLOSE_LATER = 4503  # the site cannot just now; try again

_TOLD_AS = {
    "many-matches": "too-fast",
    "many-open": "too-many",
    "suspended-until": "suspended",
    "closed": "suspended",
}
"""Codes that say more to people than to clients."""


class Ping(Struct, frozen=True, tag="ping"):
    """A client's heartbeat; `t` comes back as it is."""

    t: float | str | None = None


class Echo(Struct, frozen=True, tag="echo"):
    """Sent back at once for a pong's `mark`, by which the server measures the delay."""

    mark: str


class _Typed(Struct):
    type: str


_typed = msgspec.json.Decoder(_Typed)


def decode_message(decoder: msgspec.json.Decoder[T], event: dict[str, Any]) -> T:
    """The message in a `websocket.receive` event. Raises `Refused`."""
    text = event.get("text")
    if text is None or len(text) > settings.MAX_FRAME_BYTES:
        raise Refused("malformed")
    try:
        return decoder.decode(text)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        pass
    try:
        kind = _typed.decode(text).type
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        raise Refused("malformed") from None
    if kind in _tags(decoder):
        raise Refused("malformed")
    raise Refused("unknown-type")


@cache  # there are two decoders; a flood of unreadable frames would ask again for each
def _tags(decoder: msgspec.json.Decoder[Any]) -> set[object]:
    kinds = msgspec.inspect.type_info(decoder.type)
    members = kinds.types if isinstance(kinds, msgspec.inspect.UnionType) else (kinds,)
    return {kind.tag for kind in members if isinstance(kind, msgspec.inspect.StructType)}


class Pong(Struct, frozen=True, tag="pong"):
    """The answer to a ping. `now` is the server's time, in seconds since 1970.

    `mark` is to be echoed at once: by that the server measures the delay. The match socket says
    also which state it has: its `ply`, `version` and `epoch`.
    """

    t: float | str | None
    now: float
    ply: int | None = None
    mark: str | None = None
    version: int | UnsetType = UNSET
    epoch: str | UnsetType = UNSET


class ErrorFrame(Struct, frozen=True, tag="error"):
    """What was asked is refused. A page says the `words`; `detail` has them in English."""

    code: str
    detail: str
    words: Message
    ply: int | UnsetType | None = UNSET


def encode_error(refusal: Refused, ply: int | UnsetType | None = UNSET) -> str:
    """The text of the frame that refuses; the match socket's has the `ply`."""
    code = _TOLD_AS.get(refusal.code, refusal.code)
    return encode_text(ErrorFrame(code, render_english(refusal.words), refusal.words, ply))


_encoder = msgspec.json.Encoder()
encode_bytes = _encoder.encode
"""The bytes of a frame, or of a part of one."""


def encode_text(frame: Struct) -> str:
    """The text of a frame."""
    return encode_bytes(frame).decode()


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
