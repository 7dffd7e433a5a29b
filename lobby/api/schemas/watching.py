"""The schemas of channels, and of the lines in streams for watchers and in the event stream."""

from msgspec import UNSET, Struct, UnsetType

from lobby.api.schemas.challenges import ChallengeSchema
from lobby.api.schemas.games import Colour, Compat, OwnGameSchema, Players, StatusName
from lobby.api.schemas.people import LightUser


class Channel(Struct, frozen=True, rename="camel"):
    """The most watched game of a channel."""

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


class PositionSchema(Struct, frozen=True, rename="camel"):
    fen: str
    lm: str
    wc: int
    bc: int


class FeedFeatured(Struct, frozen=True, tag_field="t", tag="featured"):
    """The channel changed to another game."""

    d: Featured


class FeedPosition(Struct, frozen=True, tag_field="t", tag="fen"):
    """The position after an action."""

    d: PositionSchema


FeedLine = FeedFeatured | FeedPosition


class Watched(Struct, frozen=True, rename="camel"):
    """A line in the stream of a game for watchers: first the game, then each position."""

    id: str | UnsetType = UNSET
    players: Players | UnsetType = UNSET
    fen: str | UnsetType = UNSET
    lm: str | UnsetType = UNSET
    wc: int | UnsetType = UNSET
    bc: int | UnsetType = UNSET
    status: StatusName | UnsetType = UNSET
    winner: Colour | UnsetType = UNSET
    turns: int | UnsetType = UNSET


class GameStart(Struct, frozen=True, rename="camel", tag="gameStart"):
    game: OwnGameSchema


class GameFinish(Struct, frozen=True, rename="camel", tag="gameFinish"):
    game: OwnGameSchema


class ChallengeNew(Struct, frozen=True, rename="camel", tag="challenge"):
    challenge: ChallengeSchema
    compat: Compat


class ChallengeCanceled(Struct, frozen=True, rename="camel", tag="challengeCanceled"):
    challenge: ChallengeSchema


class ChallengeDeclined(Struct, frozen=True, rename="camel", tag="challengeDeclined"):
    challenge: ChallengeSchema


Event = GameStart | GameFinish | ChallengeNew | ChallengeCanceled | ChallengeDeclined
