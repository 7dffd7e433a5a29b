"""The schemas of games in responses."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

Colour = Literal["white", "black"]


COLOURS: tuple[Colour, Colour] = ("white", "black")
"""The colour of each seat, in the order of the seats."""


UNLIMITED = 2**31 - 1
"""The time that each player has left in an untimed game, because clients expect a number."""

EACH_GAME, EACH_RATED_GAME = "(each game)", "(each rated game)"
"""In a description of the API, these stand for the slugs of the games that the site has by then."""


class Variant(Struct, frozen=True, rename="camel"):
    """A game: `key` is its slug."""

    key: str
    name: str
    short: str


class Clock(Struct, frozen=True, rename="camel"):
    """A clock in milliseconds."""

    initial: int
    increment: int


class StatusName(Struct, frozen=True, rename="camel"):
    """A status by its name."""

    name: str


class ClockSeconds(Struct, frozen=True, rename="camel"):
    """A clock in seconds, as exported games have it."""

    initial: int
    increment: int
    total_time: int


class GameUser(Struct, frozen=True, rename="camel"):
    """The player in a seat."""

    id: str
    name: str
    title: str | UnsetType = UNSET


class GamePlayer(Struct, frozen=True, rename="camel"):
    """A seat. `aiLevel` is set for the computer.

    If a rated game has been counted, `rating` is the player's rating before it. In other rated
    games, it is the current one. Casual games have none.
    """

    role: str
    user: GameUser | UnsetType = UNSET
    ai_level: int | UnsetType = UNSET
    rating: int | UnsetType = UNSET
    rating_diff: int | UnsetType = UNSET
    provisional: bool | UnsetType = UNSET


class Players(Struct, frozen=True, rename="camel"):
    """The players in both seats."""

    white: GamePlayer
    black: GamePlayer


class MoveSchema(Struct, frozen=True, rename="camel"):
    """An action, the time when it was played (`at`), and how long it took (`spent`).

    `at` is in milliseconds since 1970, and `spent` in milliseconds.
    """

    ply: int
    role: str
    action: str
    at: int
    spent: int


class GameSchema(Struct, frozen=True, rename="camel"):
    """A game. `moves` has the actions, joined by ", ". `notation` is the position after them."""

    id: str
    rated: bool
    variant: str
    speed: str
    perf: str
    created_at: int
    last_move_at: int
    status: str
    players: Players
    notation: str
    plies: int
    ended: str | None
    goals: dict[str, int] | None
    winner: Colour | UnsetType = UNSET
    moves: str | UnsetType = UNSET
    times: list[MoveSchema] | UnsetType = UNSET
    clock: ClockSeconds | UnsetType = UNSET
    digest: str | UnsetType = UNSET


class Opponent(Struct, frozen=True, rename="camel"):
    """Your opponent."""

    id: str
    username: str
    rating: int | UnsetType = UNSET
    ai: int | UnsetType = UNSET


class Compat(Struct, frozen=True, rename="camel"):
    """The APIs that can play this game: the board API and the bot API."""

    bot: bool
    board: bool


class OwnGameSchema(Struct, frozen=True, rename="camel"):
    """One of your games."""

    game_id: str
    full_id: str
    id: str
    color: Colour
    role: str
    notation: str
    has_moved: bool
    is_my_turn: bool
    last_move: str
    opponent: Opponent
    perf: str
    rated: bool
    source: str
    speed: str
    status: StatusName
    variant: Variant
    compat: Compat
    seconds_left: int | UnsetType = UNSET
    winner: Colour | UnsetType = UNSET


class Playing(Struct, frozen=True, rename="camel"):
    """Your live games. Those in which it is your turn come first."""

    now_playing: list[OwnGameSchema]


class Legal(Struct, frozen=True, rename="camel"):
    """The legal actions of the role in control. `turn` is null once the game is over.

    `kif` has the same actions in GDL, as the game's rule sheet writes them: "(drop 4)" for
    "drop 4". `waiting` is the action of the other role meanwhile, mostly "noop".
    """

    ply: int
    turn: str | None
    color: Colour | None
    actions: tuple[str, ...]
    kif: tuple[str, ...]
    waiting: str | None
