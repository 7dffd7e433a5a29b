"""A game's actions as a part of an address: `8-8.8-9.pick-black`.

The words of an action have a hyphen between them, actions a dot. The verb that most actions of the
game begin with is left out.
"""

import re
from collections.abc import Sequence

from games.formats.sheet import positions
from games.messages.refusal import Refused
from games.rules import GAMES

_LONGEST = 4000  # characters: all games here are shorter
_ACTION = re.compile(r"[a-z0-9]{1,20}(-[a-z0-9]{1,20}){0,7}", re.ASCII)


def to_address(game: str, actions: Sequence[str]) -> str:
    """The actions as one part of an address."""
    verb = f"{_verb(game)} "
    return ".".join(action.removeprefix(verb).replace(" ", "-") for action in actions)


def from_address(game: str, text: str) -> tuple[str, ...]:
    """The actions of such a part. Raises `Refused` for what is none, or breaks the rules."""
    if game not in GAMES:
        raise Refused("record-no-game")
    parts = text.split(".")
    if len(text) > _LONGEST or not all(_ACTION.fullmatch(part) for part in parts):
        raise Refused("record-unreadable")
    verb = _verb(game)
    actions = tuple(
        f"{verb} {part.replace('-', ' ')}" if part[0].isdigit() else part.replace("-", " ")
        for part in parts
    )
    positions(game, actions)
    return actions


def _verb(game: str) -> str:
    return GAMES[game].start.legal()[0].split(" ")[0]
