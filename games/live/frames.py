"""Frames of all sockets: decoding, encoding, close codes, and the messages that sockets share."""

from functools import cache
from typing import Any, TypeVar

import msgspec
from django.conf import settings
from msgspec import UNSET, Struct, UnsetType

from games.messages import Message, render_english
from games.messages.refusal import Refused

T = TypeVar("T")

# Close codes, which tell a client why its socket was closed.
CLOSE_GONE = 1006  # the connection was lost (never sent: RFC 6455, 7.4.1)
CLOSE_LOGGED_OUT = 4401  # the session of the socket has ended
CLOSE_SUSPENDED = 4403  # the player is suspended, or the account is closed
CLOSE_NO_SUCH = 4404  # there is nothing at this address, or nothing that can be shown to the player
# The client should reconnect, because the player or the access to the match has changed.
CLOSE_RECONNECT = 4410
CLOSE_FLOOD = 4429  # the client sends too much, or has too many sockets
CLOSE_RESTART = 1012  # the server is stopping; reconnect to another one, or later
CLOSE_LATER = 4503  # the site is unavailable, or too many sockets are being opened; try again later

_TOLD_AS = {
    "many-matches": "too-fast",
    "many-open": "too-many",
    "suspended-until": "suspended",
    "closed": "suspended",
}
"""The codes that clients get for refusals whose own codes only select the message for people."""


class Ping(Struct, frozen=True, tag="ping"):
    """A client's heartbeat. The pong returns `t` unchanged."""

    t: float | str | None = None


class Echo(Struct, frozen=True, tag="echo"):
    """The client's immediate answer to a pong's `mark`, which lets the server measure the delay."""

    mark: str


class _Typed(Struct):
    type: str


_typed = msgspec.json.Decoder(_Typed)


def decode_message(decoder: msgspec.json.Decoder[T], event: dict[str, Any]) -> T:
    """Return the message in a `websocket.receive` event. Raise `Refused` if it is invalid."""
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


@cache  # otherwise, each invalid frame would cost an inspection of the message types
def _tags(decoder: msgspec.json.Decoder[Any]) -> set[object]:
    kinds = msgspec.inspect.type_info(decoder.type)
    members = kinds.types if isinstance(kinds, msgspec.inspect.UnionType) else (kinds,)
    return {kind.tag for kind in members if isinstance(kind, msgspec.inspect.StructType)}


class Pong(Struct, frozen=True, tag="pong"):
    """The answer to a ping. `now` is the server's time in seconds since 1970.

    The client echoes `mark` immediately, so that the server can measure the delay. On the match
    socket `ply`, `version` and `epoch` tell the client whether it has the newest state.
    """

    t: float | str | None
    now: float
    ply: int | None = None
    mark: str | None = None
    version: int | UnsetType = UNSET
    epoch: str | UnsetType = UNSET


class ErrorFrame(Struct, frozen=True, tag="error"):
    """A refusal.

    `words` is the message that pages display; `detail` is the same sentence in English.
    """

    code: str
    detail: str
    words: Message
    ply: int | UnsetType | None = UNSET


def encode_error(refusal: Refused, ply: int | UnsetType | None = UNSET) -> str:
    """Return the text of an error frame. Only the match socket sends `ply`."""
    code = _TOLD_AS.get(refusal.code, refusal.code)
    return encode_text(ErrorFrame(code, render_english(refusal.words), refusal.words, ply))


_encoder = msgspec.json.Encoder()
encode_bytes = _encoder.encode
"""Encode a frame, or a part of one, as bytes."""


def encode_text(frame: Struct) -> str:
    return encode_bytes(frame).decode()


class Frame:
    """A text as a websocket frame, which is encoded once even if it is sent to several sockets.

    A server sends text frames unfragmented and unmasked (RFC 6455, 5.2).
    """

    __slots__ = ("_head", "bytes")

    def __init__(self, body: bytes) -> None:
        size = len(body)
        if size < 126:
            head = bytes((0x81, size))
        elif size < 1 << 16:
            head = b"\x81\x7e" + size.to_bytes(2, "big")
        else:
            head = b"\x81\x7f" + size.to_bytes(8, "big")
        self._head = len(head)
        self.bytes = head + body

    @property
    def body(self) -> bytes:
        return self.bytes[self._head :]

    @property
    def text(self) -> str:
        return self.body.decode()
