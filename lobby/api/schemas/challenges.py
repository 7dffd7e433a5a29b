"""The bodies and responses of challenges and seeks."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from games.match.clock import LONGEST
from games.rules import GAMES
from lobby.api.schemas.games import EACH_GAME, Colour, Variant
from lobby.api.schemas.people import LightUser
from lobby.seeks.challenges import WORDS


class TimeControlSchema(Struct, frozen=True, rename="camel"):
    """A clock in seconds, or no clock."""

    type: Literal["clock", "unlimited"]
    limit: int | UnsetType = UNSET
    increment: int | UnsetType = UNSET
    show: str | UnsetType = UNSET


class ChallengePerf(Struct, frozen=True, rename="camel"):
    icon: str
    name: str


class ChallengeSchema(Struct, frozen=True, rename="camel"):
    """A challenge. `color` is the challenger's colour. `destUser` is null for an invitation."""

    id: str
    url: str
    status: str
    challenger: LightUser
    dest_user: LightUser | None
    variant: Variant
    rated: bool
    speed: str
    time_control: TimeControlSchema
    color: Literal["white", "black", "random"]
    perf: ChallengePerf
    direction: Literal["in", "out"] | UnsetType = UNSET
    decline_reason: str | UnsetType = UNSET
    decline_reason_key: str | UnsetType = UNSET
    game_id: str | UnsetType = UNSET


class Challenges(Struct, frozen=True, rename="camel"):
    """Your open challenges: those that you received (`in`) and those that you sent (`out`)."""

    out: list[ChallengeSchema]
    in_: list[ChallengeSchema] = field(name="in", default_factory=list)


_CLOCK = "clock.{}"
_OPTIONS = sorted({options for game in GAMES.values() for options in game.options})

Slug = Annotated[str, Meta(max_length=40, extra_json_schema={"enum": [EACH_GAME]})]
Absent = Annotated[None, Meta(description="Refused: this does not exist here.")]
"""A field of lichess's API that is refused, because ignoring it would be misleading."""

Limit = Annotated[
    int, Meta(ge=0, le=60 * LONGEST, multiple_of=60, description="seconds, in whole minutes")
]
Increment = Annotated[int, Meta(ge=0, le=LONGEST, description="seconds for each action")]
Options = Annotated[str, Meta(max_length=64, extra_json_schema={"enum": _OPTIONS})]


class NewChallenge(Struct, frozen=True, rename="camel"):
    """The setup of the game, your colour, and the computer's level.

    The limit and the increment of the clock are in seconds, and the limit is a multiple of 60. If
    both are missing or 0, the game is untimed.
    """

    variant: Slug | None = None
    rated: bool | None = None
    limit: Limit | None = field(name=_CLOCK.format("limit"), default=None)
    increment: Increment | None = field(name=_CLOCK.format("increment"), default=None)
    color: Literal["white", "black", "random"] | None = None
    options: Options = ""
    level: Annotated[int, Meta(ge=1, le=8)] | None = None
    days: Absent = None


REASONS = {
    **{word: word for word in WORDS},
    "generic": "no", "tooFast": "clock", "tooSlow": "clock", "timeControl": "clock",
    "time_control": "clock",  # an error of earlier versions that programs may have copied
    "rated": "no", "casual": "no", "standard": "game", "variant": "game", "noBot": "no",
    "onlyBot": "no",
}  # fmt: skip
"""The site's code for each accepted reason: its own codes, and those of lichess's API."""


class Decline(Struct, frozen=True, rename="camel"):
    """Why you decline: one of this site's codes, or a lichess code.

    This site's codes are `later`, `clock`, `game` and `no`. A lichess code, such as `timeControl`,
    is stored as the closest of them. `time_control` means `timeControl`.
    """

    reason: Annotated[str, Meta(max_length=20, extra_json_schema={"enum": list(REASONS)})] = "no"


class NewSeek(Struct, frozen=True, rename="camel"):
    """A seek. `time` is in minutes, `increment` in seconds.

    If both are missing or 0, the game is untimed.
    """

    variant: Slug | None = None
    rated: bool = False
    time: Annotated[int, Meta(ge=0, le=LONGEST)] | None = None
    increment: Annotated[int, Meta(ge=0, le=LONGEST)] | None = None
    color: Literal["white", "black", "random"] = "random"
    rating_range: Annotated[str, Meta(max_length=12, pattern="^([0-9]{1,5}-[0-9]{1,5})?$")] = ""
    days: Absent = None


class PairedSchema(Struct, frozen=True, rename="camel", tag="paired"):
    """An opponent was found, and the game has begun."""

    id: str
    color: Colour
