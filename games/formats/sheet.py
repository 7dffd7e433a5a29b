"""The content of a record, independent of its format."""

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from games.messages.refusal import Refused
from games.rules import GAMES, Game, IllegalAction, Position

MOST_BYTES = 48 * 1024  # the maximum size of an imported record: an uploaded file or a text
MOST_ACTIONS = 1000  # more actions than any match can have


class Sheet(Struct, frozen=True):
    """The actions of a match in order, and the other facts about the match in its record.

    `names` and `goals` are in the order of the game's roles. `ended` is the code of the match's
    end, "" if it is not over. `clock` is "3+2", or "" for an untimed match.
    """

    game: str
    actions: tuple[str, ...]
    names: tuple[str, str] = ("", "")
    clock: str = ""
    ended: str = ""
    goals: tuple[int, int] | None = None
    at: datetime | None = None  # when the match started
    match: str = ""
    options: str = ""  # the options as in `games.match.setup.Setup`


def get_game_of_format(name: str) -> Game:
    """Return the game whose matches can be written in that format."""
    (game,) = (game for game in GAMES.values() if name in game.formats)
    return game


def list_positions(game: str, actions: Sequence[str], options: str = "") -> list[Position]:
    """Return the start position and the position after each action.

    Raise `Refused` if the game or its options are unknown, an action is illegal, or there are more
    than `MOST_ACTIONS` actions.
    """
    if game not in GAMES or options not in GAMES[game].options:
        raise Refused("record-no-game")
    if len(actions) > MOST_ACTIONS:
        raise Refused("record-move", number=MOST_ACTIONS + 1, action="…")
    found = [GAMES[game].get_start(options)]
    for number, action in enumerate(actions, 1):
        try:
            found.append(found[-1].play(action))
        except IllegalAction:
            raise build_refusal(number, action) from None
    return found


def build_refusal(number: int, action: str) -> Refused:
    """Return the refusal of a record in which the action with this number (from 1) is illegal."""
    return Refused("record-move", number=number, action=action[:40])
