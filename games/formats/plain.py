"""Records as JSON, like `record.json`. The reader needs only `game` and `moves`."""

from typing import TypeVar

import msgspec
from msgspec import Struct

from games.formats.sheet import Sheet, positions
from games.messages.refusal import Refused
from games.runtime.decoders import get_decoder


class _Move(Struct, frozen=True):
    action: str


T = TypeVar("T")


class _Listed(Struct, frozen=True):
    game: str
    moves: tuple[str, ...]


class _PlainRecord(Struct, frozen=True):
    game: str
    moves: tuple[_Move, ...]


def write(sheet: Sheet) -> str:
    """Write the game's slug and the actions, which is all that `read` needs."""
    told = _PlainRecord(sheet.game, tuple(_Move(action) for action in sheet.actions))
    return msgspec.json.encode(told).decode()


def read(text: str) -> Sheet:
    """Read a `record.json`, or JSON whose `moves` are a list of actions. Raise `Refused`."""
    game, actions = _read(text)
    positions(game, actions)
    return Sheet(game, actions)


def _read(text: str) -> tuple[str, tuple[str, ...]]:
    told = _decoded(text, _PlainRecord)
    if told is not None:
        return told.game, tuple(move.action for move in told.moves)
    listed = _decoded(text, _Listed)
    if listed is not None:
        return listed.game, listed.moves
    raise Refused("record-unreadable")


def _decoded(text: str, kind: type[T]) -> T | None:
    try:
        found: T = get_decoder(kind).decode(text.encode())
        return found
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None
