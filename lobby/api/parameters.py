"""The types of path and query parameters, with their descriptions for OpenAPI.

The form of names and ids is described but not enforced: unknown names and ids lead to a 404.
"""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from games.rules import GAMES
from games.runtime.ids import PATTERN
from lobby.api.schemas.games import EACH_GAME, EACH_RATED_GAME
from lobby.players.people import LONGEST_NAME
from lobby.ratings.leaderboards import LISTED

LAST_MOMENT = 2**47
"""The latest accepted time, in milliseconds since 1970, well before Python's last date."""
LONGEST_ACTION = 64  # characters
_HIGHEST_PLY = 1_000_000


def _check_game(slug: str) -> str:
    if slug not in GAMES:
        raise ValueError("no such game")
    return slug


def _described(description: str, **shape: Any) -> Any:
    return Field(description=description, json_schema_extra=shape)


PlayerName = Annotated[
    str,
    _described("A player's name.", minLength=1, maxLength=LONGEST_NAME, pattern=r"^[^\x00-\x1f]+$"),
]
GameId = Annotated[str, _described("A game's id.", pattern=PATTERN)]
ChallengeId = Annotated[str, _described("A challenge's id.", pattern=PATTERN)]
TournamentId = Annotated[str, _described("A tournament's id.", pattern=PATTERN)]
StreamId = Annotated[
    str, _described("Any text, for the client's own use.", maxLength=64, pattern=PATTERN)
]
RatedGame = Annotated[str, _described("A game with ratings.", enum=[EACH_RATED_GAME])]
GameSlug = Annotated[
    str, AfterValidator(_check_game), _described("A game.", enum=[EACH_GAME], maxLength=40)
]
Names = Annotated[
    str,
    _described(
        "Up to 100 names of players, separated by commas.",
        pattern=r"^[^\x00-\x1f,]*(,[^\x00-\x1f,]*){0,99}$",
    ),
]
ChannelName = Annotated[str, _described("A channel.", enum=["best", EACH_GAME])]
Action = Annotated[
    str,
    Field(
        description="One of the actions that `/legal` lists, percent-encoded.",
        max_length=LONGEST_ACTION,
        json_schema_extra={"minLength": 1, "pattern": r"^[ -~]+$"},
    ),
]
Ply = Annotated[int, Field(description="The number of the action, from 0.", ge=0, le=_HIGHEST_PLY)]
Answer = Annotated[Literal["yes", "no"], Field(description="Yes or no.")]
Millis = Annotated[int, Field(description="Milliseconds since 1970.", ge=0, le=LAST_MOMENT)]
Most = Annotated[int, Field(description="How many at the most.", ge=1)]
Page = Annotated[int, Field(description="Ten lines each, from 1.", ge=1, le=999)]
Rank = Annotated[int, _described("How many.", minimum=1, maximum=LISTED)]
TournamentCode = Annotated[
    str, Field(description="The tournament's code.", max_length=40, pattern=r"^[^\x00]*$")
]


def up_to(most: int) -> Any:
    """Return a field for a number of items, from 1 to `most`."""
    return Field(description="How many at the most.", ge=1, le=most)
