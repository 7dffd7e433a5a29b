"""Challenges and seeks: what is asked for, and what is told of them."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from games.match.clock import LONGEST
from games.rules import GAMES
from lobby.api.schemas.people import LightUser
from lobby.api.schemas.seats import Colour, Variant
from lobby.seeks.challenges import WORDS


class TimeControl(Struct, frozen=True, rename="camel"):
    """A clock in seconds, or none."""

    type: Literal["clock", "unlimited"]
    limit: int | UnsetType = UNSET
    increment: int | UnsetType = UNSET
    show: str | UnsetType = UNSET


class ChallengePerf(Struct, frozen=True, rename="camel"):
    icon: str
    name: str


class Challenge(Struct, frozen=True, rename="camel"):
    """A challenge. `color` is the challenger's; `destUser` is null where anybody may come."""

    id: str
    url: str
    status: str
    challenger: LightUser
    dest_user: LightUser | None
    variant: Variant
    rated: bool
    speed: str
    time_control: TimeControl
    color: Literal["white", "black", "random"]
    perf: ChallengePerf
    direction: Literal["in", "out"] | UnsetType = UNSET
    decline_reason: str | UnsetType = UNSET
    decline_reason_key: str | UnsetType = UNSET
    game_id: str | UnsetType = UNSET


class Challenges(Struct, frozen=True, rename="camel"):
    """Your open challenges: those made to you, and those that you made."""

    out: list[Challenge]
    in_: list[Challenge] = field(name="in", default_factory=list)


_CLOCK = "clock.{}"
_OPTIONS = sorted({options for game in GAMES.values() for options in game.options})

Slug = Annotated[str, Meta(max_length=40, extra_json_schema={"enum": list(GAMES)})]
Absent = Annotated[None, Meta(description="Refused: this does not exist here.")]
"""A field of lichess' that is refused, instead of being passed over."""

Limit = Annotated[
    int, Meta(ge=0, le=60 * LONGEST, multiple_of=60, description="seconds, in whole minutes")
]
Increment = Annotated[int, Meta(ge=0, le=LONGEST, description="seconds for each action")]
Options = Annotated[str, Meta(max_length=64, extra_json_schema={"enum": _OPTIONS})]


class NewChallenge(Struct, frozen=True, rename="camel"):
    """What to play. The clock's limit is whole minutes, in seconds; without it, no clock."""

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
    "generic": "no", "tooFast": "clock", "tooSlow": "clock", "time_control": "clock",
    "rated": "no", "casual": "no", "standard": "game", "variant": "game", "noBot": "no",
    "onlyBot": "no",
}  # fmt: skip
"""The word of ours for each reason that may be given."""


class Decline(Struct, frozen=True, rename="camel"):
    """Why not: a word of ours, or one of lichess' that means about that."""

    reason: Annotated[str, Meta(max_length=20, extra_json_schema={"enum": list(REASONS)})] = "no"


class NewSeek(Struct, frozen=True, rename="camel"):
    """Whom to look for. `time` in minutes, `increment` in seconds; without both no clock."""

    variant: Slug | None = None
    rated: bool = False
    time: Annotated[int, Meta(ge=0, le=LONGEST)] | None = None
    increment: Annotated[int, Meta(ge=0, le=LONGEST)] | None = None
    color: Literal["white", "black", "random"] = "random"
    rating_range: Annotated[str, Meta(max_length=12, pattern="^([0-9]{1,5}-[0-9]{1,5})?$")] = ""
    days: Absent = None


class Paired(Struct, frozen=True, rename="camel", tag="paired"):
    """The seek found somebody: the game has begun."""

    id: str
    color: Colour
