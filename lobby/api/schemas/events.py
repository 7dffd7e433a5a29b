"""The lines of the event stream."""

from msgspec import Struct

from lobby.api.schemas.challenges import ChallengeSchema
from lobby.api.schemas.games import Compat, OwnGameSchema


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
