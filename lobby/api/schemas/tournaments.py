"""Tournaments in requests and responses. Times are in milliseconds since 1970."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from games.match.clock import LONGEST
from lobby.api.schemas.challenges import Options, Slug
from lobby.api.schemas.games import Variant
from lobby.models.seek import HIGHEST, LOWEST
from lobby.tournaments.draft import (
    BEST_OF,
    LONGEST_ARENA,
    LONGEST_ROUND,
    LONGEST_WAIT,
    MOST_PLAYERS,
    MOST_ROUNDS,
)
from lobby.tournaments.pairing.standings import TIE_BREAKS

Status = Literal[10, 20, 30]
System = Literal["arena", "swiss", "round-robin", "knockout"]
Registration = Literal["open", "code", "group", "invitation"]


class EventClock(Struct, frozen=True, rename="camel"):
    """A clock in seconds."""

    limit: int
    increment: int


class EventPerf(Struct, frozen=True, rename="camel"):
    """The game of a tournament."""

    key: str
    name: str


class EventSchema(Struct, frozen=True, rename="camel", kw_only=True):
    """A tournament in a list.

    `status` is 10 before the start, 20 while it is running, and 30 when it is finished or
    cancelled; `state` has the site's own name for it. Arenas have `minutes`, other tournaments
    `rounds`. Bots can join if `botsAllowed` is true, which it can be only for casual arenas.
    """

    id: str
    url: str
    full_name: str
    system: System
    variant: Variant
    perf: EventPerf
    rated: bool
    bots_allowed: bool
    state: str
    status: Status
    nb_players: int
    starts_at: int
    created_by: str | UnsetType = UNSET
    clock: EventClock | UnsetType = UNSET
    minutes: int | UnsetType = UNSET
    rounds: int | UnsetType = UNSET
    finishes_at: int | UnsetType = UNSET


class Events(Struct, frozen=True, rename="camel"):
    """Tournaments that are upcoming (next one first), running, or finished (newest first)."""

    created: list[EventSchema]
    started: list[EventSchema]
    finished: list[EventSchema]


class ResultSchema(Struct, frozen=True, rename="camel", kw_only=True):
    """A row of the standings.

    Arenas have a `score`, other tournaments `points` in whole games. `rating` is the rating before
    the start. `tieBreaks` has the displayed values by their codes. Bots have the `title` BOT.
    """

    rank: int
    username: str
    id: str
    title: str | UnsetType = UNSET
    games: int
    wins: int
    score: int | UnsetType = UNSET
    points: float | UnsetType = UNSET
    rating: int | UnsetType = UNSET
    performance: int | UnsetType = UNSET
    tie_breaks: dict[str, str] | UnsetType = UNSET
    withdraw: bool | UnsetType = UNSET


class Standing(Struct, frozen=True, rename="camel"):
    """Up to ten rows of the standings. `page` counts from 1."""

    page: int
    players: list[ResultSchema]


class Me(Struct, frozen=True, rename="camel"):
    """Your entry. Its state is in, invited, withdrawn, removed or out."""

    state: str
    withdraw: bool
    rank: int | UnsetType = UNSET


class WholeEvent(EventSchema, frozen=True, rename="camel", kw_only=True):
    """One tournament.

    `round` is the last paired round. If `registration` is `code`, players need the `code` to join.
    It is included only for the organiser, and for staff who can manage all tournaments.
    """

    description: str
    registration: Registration
    private: bool
    guests: bool
    most: int
    min_rating: int | UnsetType = UNSET
    max_rating: int | UnsetType = UNSET
    group: str | UnsetType = UNSET
    series: str | UnsetType = UNSET
    opens_at: int | UnsetType = UNSET
    check_in_minutes: int
    pace: str
    round_minutes: int
    late_minutes: int
    round: int
    is_double: bool
    best_of: int
    third_place: bool
    tie_breaks: list[str]
    is_started: bool
    is_finished: bool
    is_paused: bool
    standing: Standing
    me: Me | UnsetType = UNSET
    code: str | UnsetType = UNSET


class Entering(Struct, frozen=True, rename="camel"):
    """A request to join.

    `password` is the tournament's code, if it has one. With `pairMeAsap`, an arena treats the
    player as present for 20 seconds, even if the player does not have its page open.
    """

    password: Annotated[str, Meta(max_length=40)] | None = None
    pair_me_asap: bool | None = None


Number = Annotated[int, Meta(ge=0, le=100_000)]
Nothing = Annotated[str, Meta(max_length=0, description="Refused: this does not exist here.")]
_TIE = f"({'|'.join(TIE_BREAKS)})"
TieBreaks = Annotated[
    str, Meta(max_length=200, extra_json_schema={"pattern": f"^({_TIE}(,{_TIE})*)?$"})
]


def _number(least: int, most: int, unit: str = "") -> Meta:
    """Describe a number with bounds.

    The bounds are only described here. They are enforced with the other rules for tournaments, so
    that one error can name all invalid fields.
    """
    bounds = {"minimum": least, "maximum": most}
    return Meta(description=unit or None, extra_json_schema=bounds)


Moment = Annotated[int, Meta(ge=0, le=2**45, description="milliseconds since 1970")]
_RATING = "conditions.{}Rating.rating"


class NewEvent(Struct, frozen=True, rename="camel"):
    """A new tournament, with all fields of the site's form.

    Without a `system`, it is an arena. Without a `startDate`, it starts `waitMinutes` from now.
    `tieBreaks` are codes, joined by commas. `weekly` creates a series, in which the `best` results
    count (0: all). With `conditions.bots`, bots can join an arena, which must be casual and not
    belong to a group for minors; other kinds ignore it. The fields `position`, `password`,
    `teamBattleByTeam` and `conditions.nbRatedGame.nb` are not supported.
    """

    system: System = "arena"
    name: Annotated[str, Meta(max_length=200)] | None = None
    description: Annotated[str, Meta(max_length=4000)] | None = None
    variant: Slug | None = None
    clock_time: Annotated[int, _number(0, LONGEST, "minutes")] | None = None
    clock_increment: Annotated[int, _number(0, LONGEST, "seconds")] | None = None
    options: Options = ""
    rated: bool | None = None
    minutes: Annotated[int, _number(1, LONGEST_ARENA)] | None = None
    rounds: Annotated[int, _number(1, MOST_ROUNDS)] | None = None
    is_double: bool = False
    best_of: Annotated[int, Meta(extra_json_schema={"enum": list(BEST_OF)})] = 1
    third_place: bool = False
    tie_breaks: TieBreaks | None = None
    start_date: Moment | None = None
    wait_minutes: Number | None = None
    opens_at: Moment | None = None
    registration: Registration | None = None
    group: Annotated[str, Meta(max_length=40)] | None = field(
        name="conditions.teamMember.teamId", default=None
    )
    lowest: Annotated[int, _number(LOWEST, HIGHEST)] | None = field(
        name=_RATING.format("min"), default=None
    )
    highest: Annotated[int, _number(LOWEST, HIGHEST)] | None = field(
        name=_RATING.format("max"), default=None
    )
    most: Annotated[int, _number(2, max(MOST_PLAYERS.values()))] | None = None
    guests: bool = False
    bots: bool = field(name="conditions.bots", default=False)
    check_in_minutes: Annotated[int, _number(0, LONGEST_WAIT)] = 0
    pace: Literal["ready", "timed"] = "ready"
    round_minutes: Annotated[int, _number(0, LONGEST_ROUND)] = 0
    late_minutes: Annotated[int, _number(1, LONGEST_WAIT)] = 5
    weekly: bool = False
    best: Number = 0
    position: Nothing | None = None
    password: Nothing | None = None
    team_battle_by_team: Nothing | None = None
    rated_games: Annotated[int, Meta(ge=0, le=0)] | None = field(
        name="conditions.nbRatedGame.nb", default=None
    )
