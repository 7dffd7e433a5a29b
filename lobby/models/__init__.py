"""What the lobby stores: people, what they played, whom they avoid, the seeks and challenges by
which they find each other, and its servers."""

from lobby.models.account import Device, FactorReset, RecoveryWords, SignIn
from lobby.models.appeal import Appeal
from lobby.models.block import Block
from lobby.models.challenge import Challenge
from lobby.models.history import Adoption, HistoryMark, Played, Tally
from lobby.models.player import FormerName, People, Player
from lobby.models.preferences import Preferences
from lobby.models.seek import Seek
from lobby.models.server import Server

__all__ = [
    "Adoption",
    "Appeal",
    "Block",
    "Challenge",
    "Device",
    "FactorReset",
    "FormerName",
    "HistoryMark",
    "People",
    "Played",
    "Player",
    "Preferences",
    "RecoveryWords",
    "Seek",
    "Server",
    "SignIn",
    "Tally",
]
