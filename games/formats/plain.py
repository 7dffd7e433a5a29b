"""Records as JSON, like `record.json`. The reader needs only `game` and `moves`."""

from typing import TypeVar

import msgspec
from msgspec import Struct

from games.formats.sheet import Sheet, list_positions
from games.messages.refusal import Refused
from games.runtime.decoders import get_decoder


class _Move(Struct, frozen=True):
    action: str


T = TypeVar("T")


class _Listed(Struct, frozen=True):
    game: str
    moves: tuple[str, ...]
    options: str = ""


class _PlainRecord(Struct, frozen=True):
    game: str
    moves: tuple[_Move, ...]
    options: str = ""


def write(sheet: Sheet) -> str:
    """Return JSON with the fields that `read` uses: the game, the moves and the options."""
    moves = tuple(_Move(action) for action in sheet.actions)
    told = _PlainRecord(sheet.game, moves, sheet.options)
    return msgspec.json.encode(told).decode()


def read(text: str) -> Sheet:
    """Read a `record.json`, or other JSON with a list of actions in `moves`.

    Raise `Refused` if the text is neither, or if an action is illegal.
    """
    found = _read(text)
    list_positions(found.game, found.actions, found.options)
    return found


def _read(text: str) -> Sheet:
    told = _decoded(text, _PlainRecord)
    if told is not None:
        return Sheet(told.game, tuple(move.action for move in told.moves), options=told.options)
    listed = _decoded(text, _Listed)
    if listed is not None:
        return Sheet(listed.game, listed.moves, options=listed.options)
    raise Refused("record-unreadable")


def _decoded(text: str, kind: type[T]) -> T | None:
    try:
        found: T = get_decoder(kind).decode(text.encode())
        return found
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None
