"""What is on, and how whoever watches a game is told of it."""

from msgspec import UNSET, Struct, UnsetType

from lobby.api.schemas.games import Players
from lobby.api.schemas.people import LightUser
from lobby.api.schemas.seats import Colour, StatusName


class Channel(Struct, frozen=True, rename="camel"):
    """The game of a channel that is watched most."""

    user: LightUser
    rating: int
    game_id: str
    color: Colour


class FeaturedPlayer(Struct, frozen=True, rename="camel"):
    color: Colour
    user: LightUser
    rating: int
    seconds: int | UnsetType = UNSET


class Featured(Struct, frozen=True, rename="camel"):
    id: str
    orientation: Colour
    players: list[FeaturedPlayer]
    fen: str
    game: str


class Position(Struct, frozen=True, rename="camel"):
    fen: str
    lm: str
    wc: int
    bc: int


class FeedFeatured(Struct, frozen=True, tag_field="t", tag="featured"):
    """Another game comes on."""

    d: Featured


class FeedPosition(Struct, frozen=True, tag_field="t", tag="fen"):
    """The position after an action."""

    d: Position


FeedLine = FeedFeatured | FeedPosition


class Watched(Struct, frozen=True, rename="camel"):
    """A line of the stream by which anybody follows a game: first the game, then each position."""

    id: str | UnsetType = UNSET
    players: Players | UnsetType = UNSET
    fen: str | UnsetType = UNSET
    lm: str | UnsetType = UNSET
    wc: int | UnsetType = UNSET
    bc: int | UnsetType = UNSET
    status: StatusName | UnsetType = UNSET
    winner: Colour | UnsetType = UNSET
    turns: int | UnsetType = UNSET
