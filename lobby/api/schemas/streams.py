"""The schemas of phrases, channels, and the lines in streams, for players and for watchers."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from games.match.commands import PHRASES
from lobby.api.schemas.challenges import ChallengeSchema
from lobby.api.schemas.games import (
    Clock,
    Colour,
    Compat,
    OwnGameSchema,
    Players,
    StatusName,
    Variant,
)
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
    """The game that the channel shows from now on."""

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


class PerfName(Struct, frozen=True, rename="camel"):
    name: str


class Sitting(Struct, frozen=True, rename="camel"):
    """A seat in the stream of a game."""

    id: str
    name: str
    role: str
    title: str | None = None
    rating: int | UnsetType = UNSET
    provisional: bool | UnsetType = UNSET
    ai_level: int | UnsetType = UNSET


class GameState(Struct, frozen=True, rename="camel", tag="gameState"):
    """The state of a game: all actions, the time that both players have left, and whose turn it is.

    `wtime`, `btime`, `winc` and `binc` are in milliseconds.
    """

    moves: str
    wtime: int
    btime: int
    winc: int
    binc: int
    wdraw: bool
    bdraw: bool
    status: str
    ply: int
    turn: str | None
    notation: str
    goals: dict[str, int] | None
    ended: str | None
    winner: Colour | UnsetType = UNSET


class GameFull(Struct, frozen=True, rename="camel", tag="gameFull"):
    """The first line of a game's stream."""

    id: str
    variant: Variant
    speed: str
    perf: PerfName
    rated: bool
    created_at: int
    white: Sitting
    black: Sitting
    initial_fen: str
    clock: Clock | None
    state: GameState


class ChatLine(Struct, frozen=True, rename="camel", tag="chatLine"):
    """A preset phrase that a player sent, with its code and the sentence in English."""

    room: str
    username: str
    text: str
    phrase: str


class OpponentGone(Struct, frozen=True, rename="camel", tag="opponentGone"):
    """The opponent has left, has stopped playing, or is back.

    `claimWinInSeconds` is how long you must wait until you can claim a win.
    """

    gone: bool
    claim_win_in_seconds: int | UnsetType = UNSET


_PHRASE = {
    "enum": list(PHRASES),
    "description": "The code of a phrase. Its English sentence is taken, too.",
}


class Chat(Struct, frozen=True, rename="camel"):
    """A phrase to send, by its code or its sentence."""

    text: Annotated[str, Meta(min_length=1, max_length=140, extra_json_schema=_PHRASE)]
    room: Annotated[str, Meta(max_length=20)] = "player"


class Said(Struct, frozen=True, rename="camel"):
    """A preset phrase that a player sent."""

    user: str
    text: str


GameLine = GameFull | GameState | ChatLine | OpponentGone
