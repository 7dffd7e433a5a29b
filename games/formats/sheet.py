"""What a record tells of a game, whatever it is written in."""

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from games.messages.refusal import Refused
from games.rules import GAMES, Game, IllegalAction, Position

MOST_BYTES = 48 * 1024  # of a record that somebody brings; a form of the site takes no more
MOST_ACTIONS = 1000  # more than any game here can have


class Sheet(Struct, frozen=True):
    """A game's actions in their order, and what is known around them.

    `names` and `goals` are in the order of the game's roles. `ended` is a code of how the match
    ended, "" for one that is not over. `clock` is "3+2", "" for none.
    """

    game: str
    actions: tuple[str, ...]
    names: tuple[str, str] = ("", "")
    clock: str = ""
    ended: str = ""
    goals: tuple[int, int] | None = None
    at: datetime | None = None  # when it was begun
    match: str = ""


def game_of_format(name: str) -> Game:
    """The game whose matches can be written in that format."""
    (game,) = (game for game in GAMES.values() if name in game.formats)
    return game


def positions(game: str, actions: Sequence[str]) -> list[Position]:
    """The position before the first action, and the one after each.

    Raises `Refused` for an unknown game, and for the first action that the rules do not allow.
    """
    if game not in GAMES:
        raise Refused("record-no-game")
    if len(actions) > MOST_ACTIONS:
        raise Refused("record-move", number=MOST_ACTIONS + 1, action="…")
    found = [GAMES[game].start]
    for number, action in enumerate(actions, 1):
        try:
            found.append(found[-1].play(action))
        except IllegalAction:
            raise not_allowed(number, action) from None
    return found


def not_allowed(number: int, action: str) -> Refused:
    """The refusal of a record in which this action, counted from 1, cannot be played."""
    return Refused("record-move", number=number, action=action[:40])
