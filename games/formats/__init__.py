"""Records of matches in formats that other programs read and write.

The functions are pure and use no database. `FORMATS` has each format under the name that URLs use
(`?format=sgf`).
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from msgspec import Struct

from games.formats import golem, plain, sgf
from games.formats.sheet import MOST_BYTES, Sheet
from games.messages.refusal import Refused

__all__ = ["FORMATS", "MOST_BYTES", "Format", "Sheet", "get_format", "read_record"]


class Format(Struct, frozen=True):
    """A format for records. `game` is the slug of its only game, or None for all games."""

    name: str
    game: str | None
    content_type: str
    ending: str  # the extension of file names
    write: Callable[[Sheet], str]
    read: Callable[[str], Sheet]


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        each.name: each
        for each in (
            Format("json", None, "application/json", "json", plain.write, plain.read),
            Format("sgf", sgf.GAME, "application/x-go-sgf", "sgf", sgf.write, sgf.read),
            Format(
                "golem", golem.GAME, "text/plain; charset=utf-8", "txt", golem.write, golem.read
            ),
        )
    }
)


def get_format(name: str, game: str) -> Format:
    """Return the format with that name for a game.

    Raise `Refused` if it does not exist or is not for this game.
    """
    found = FORMATS.get(name)
    if found is None:
        raise Refused("record-format", known=", ".join(FORMATS))
    if found.game not in {None, game}:
        raise Refused("record-game", game=game[:40])
    return found


def read_record(text: str | bytes) -> Sheet:
    """Read a record in any of the formats, and replay it according to the rules.

    Raise `Refused` if the record is longer than `MOST_BYTES`, unreadable or illegal.
    """
    if len(text) > MOST_BYTES:
        raise Refused("record-too-long", most=MOST_BYTES // 1024)
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise Refused("record-unreadable") from None
    start = text.lstrip("\ufeff \t\r\n")[:1]
    name = {"{": "json", "(": "sgf"}.get(start, "golem")
    return FORMATS[name].read(text.lstrip("\ufeff"))
