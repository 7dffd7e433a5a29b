"""The lines of the event stream."""

from msgspec import Struct

from lobby.api.schemas.challenges import Challenge
from lobby.api.schemas.games import Compat, OwnGame


class GameStart(Struct, frozen=True, rename="camel", tag="gameStart"):
    game: OwnGame


class GameFinish(Struct, frozen=True, rename="camel", tag="gameFinish"):
    game: OwnGame


class ChallengeNew(Struct, frozen=True, rename="camel", tag="challenge"):
    challenge: Challenge
    compat: Compat


class ChallengeCanceled(Struct, frozen=True, rename="camel", tag="challengeCanceled"):
    challenge: Challenge


class ChallengeDeclined(Struct, frozen=True, rename="camel", tag="challengeDeclined"):
    challenge: Challenge


Event = GameStart | GameFinish | ChallengeNew | ChallengeCanceled | ChallengeDeclined
