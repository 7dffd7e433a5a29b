"""Actions of a match as part of a URL: `8-8.8-9.pick-black`.

Hyphens separate the words of an action, and dots separate actions. The verb of ordinary actions,
such as "place", is omitted. The game's options come first, followed by a colon: `plain:8-8.8-9`.
"""

import re
from collections.abc import Sequence

from games.formats.sheet import Sheet, list_positions
from games.messages.refusal import Refused
from games.rules import GAMES

_LONGEST = 4000  # characters: more than any match needs
_ACTION = re.compile(r"[a-z0-9]{1,20}(-[a-z0-9]{1,20}){0,7}", re.ASCII)


def encode_actions(game: str, actions: Sequence[str], options: str = "") -> str:
    """Return the options and the actions as part of a URL; "" if there are no actions."""
    verb = f"{_get_verb(game)} "
    text = ".".join(action.removeprefix(verb).replace(" ", "-") for action in actions)
    return f"{options}:{text}" if options and text else text


def decode_actions(game: str, text: str) -> Sheet:
    """Return the record in the text. Raise `Refused` if the text or an action is invalid."""
    if game not in GAMES:
        raise Refused("record-no-game")
    options, _, text = text.rpartition(":")
    parts = text.split(".")
    if len(text) > _LONGEST or not all(_ACTION.fullmatch(part) for part in parts):
        raise Refused("record-unreadable")
    verb = _get_verb(game)
    actions = tuple(
        f"{verb} {part.replace('-', ' ')}" if part[0].isdigit() else part.replace("-", " ")
        for part in parts
    )
    list_positions(game, actions, options)
    return Sheet(game, actions, options=options)


def _get_verb(game: str) -> str:
    return GAMES[game].start.legal()[0].split(" ")[0]
