"""The database tables of the lobby."""

from lobby.models.account import (
    Appeal,
    AuthorizationCode,
    Device,
    Erasure,
    FactorReset,
    RecoveryWords,
    SignIn,
    Token,
)
from lobby.models.group import (
    ClassLogin,
    Group,
    GroupGame,
    Making,
    Member,
    MemberLogin,
    RealName,
    Transfer,
)
from lobby.models.history import Adoption, HistoryMark, Played, Tally
from lobby.models.player import FormerName, People, Player, ProtectionChange
from lobby.models.preferences import Block, Preferences
from lobby.models.rating import (
    Accuracy,
    ComputerGame,
    LevelRating,
    RatedGame,
    Rating,
    RatingSpread,
    Recount,
    RoleAdvantage,
    UncountedMatch,
)
from lobby.models.seek import Challenge, Pool, Seek
from lobby.models.server import Server
from lobby.models.tournament import Entry, LogLine, Pairing, Round, Series, Tournament
from lobby.models.webhook import Delivery, Webhook

__all__ = [
    "Accuracy",
    "Adoption",
    "Appeal",
    "AuthorizationCode",
    "Block",
    "Challenge",
    "ClassLogin",
    "ComputerGame",
    "Delivery",
    "Device",
    "Entry",
    "Erasure",
    "FactorReset",
    "FormerName",
    "Group",
    "GroupGame",
    "HistoryMark",
    "LevelRating",
    "LogLine",
    "Making",
    "Member",
    "MemberLogin",
    "Pairing",
    "People",
    "Played",
    "Player",
    "Pool",
    "Preferences",
    "ProtectionChange",
    "RatedGame",
    "Rating",
    "RatingSpread",
    "RealName",
    "Recount",
    "RecoveryWords",
    "RoleAdvantage",
    "Round",
    "Seek",
    "Series",
    "Server",
    "SignIn",
    "Tally",
    "Token",
    "Tournament",
    "Transfer",
    "UncountedMatch",
    "Webhook",
]
