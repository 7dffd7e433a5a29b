"""What the journal is asked, and what it answers."""

from msgspec import Struct

from games.match.commands import Command
from games.match.state import Row
from games.runtime.turntaking import SITE, Asker


class Request(Struct, frozen=True):
    """A command of a player (None: of nobody known) for a match.

    `lag_ms` is the delay of the player's connection as the server measured it. `known` is the row
    as the asker last saw it committed: what is built upon it is stored only if it is so still.
    """

    match_id: str
    player_id: int | None
    command: Command
    lag_ms: int = 0
    known: Row | None = None
    asker: Asker = SITE


class Answer(Struct, frozen=True):
    """What became of a request: the row as committed, and why it was refused, if it was.

    `row` is None where there is no such match (or no database).
    """

    row: Row | None
    refused: str | None = None


UNAVAILABLE = Answer(None, "unavailable")
