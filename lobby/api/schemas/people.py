"""The schemas of players in responses."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType


class Perf(Struct, frozen=True, rename="camel"):
    """A player's rating in one game. `prov` is true if the rating is provisional."""

    games: int
    rating: int
    rd: int
    prog: int = 0
    prov: bool | UnsetType = UNSET


class Count(Struct, frozen=True, rename="camel"):
    """Numbers of finished games with a result."""

    all: int
    win: int
    loss: int
    draw: int


class User(Struct, frozen=True, rename="camel"):
    """A player. `perfs` has the player's ratings by the slug of the game."""

    id: str
    username: str
    url: str
    created_at: int
    perfs: dict[str, Perf] | UnsetType = UNSET
    count: Count | UnsetType = UNSET
    title: str | UnsetType = UNSET  # "BOT" for a bot
    guest: bool | UnsetType = UNSET
    playing: str | UnsetType = UNSET


class Status(Struct, frozen=True, rename="camel"):
    """A player's status.

    `online` and `playing` are true if the player's latest live game began, or had an action, in the
    last five minutes. Otherwise, they are left out.
    """

    id: str
    name: str
    title: str | UnsetType = UNSET
    online: bool | UnsetType = UNSET
    playing: bool | UnsetType = UNSET
    playing_id: str | UnsetType = UNSET


class LightUser(Struct, frozen=True, rename="camel"):
    """A player in a list or a challenge."""

    id: str
    name: str
    title: str | UnsetType = UNSET
    rating: int | UnsetType = UNSET
    provisional: bool | UnsetType = UNSET


class History(Struct, frozen=True, rename="camel"):
    """A rating over time.

    For each day with rated games, there is the year, the month (from 0), the day and the rating.
    """

    name: str
    points: list[tuple[int, int, int, int]]


class Leader(Struct, frozen=True, rename="camel"):
    """A row of a leaderboard."""

    id: str
    username: str
    perfs: dict[str, dict[str, int]]
    title: str | UnsetType = UNSET


class Leaders(Struct, frozen=True, rename="camel"):
    """A leaderboard, highest rating first."""

    users: list[Leader]


class PerfPage(Struct, frozen=True, rename="camel"):
    """A player's rating, rank and winning streaks in one game."""

    user: LightUser
    perf: dict[str, Any]
    rank: int | None
    percentile: int | None


class Email(Struct, frozen=True, rename="camel"):
    """The confirmed e-mail address of an account, or "" without one."""

    email: str


class Prefs(Struct, frozen=True, rename="camel"):
    """The preferences of an account. A preference is null if it depends on the device."""

    prefs: dict[str, str | bool | None]


class Crosstable(Struct, frozen=True, rename="camel"):
    """The points of two players against each other, and the number of their games."""

    users: dict[str, float]
    nb_games: int
