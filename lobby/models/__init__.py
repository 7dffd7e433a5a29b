"""What the lobby stores: people, the seeks by which they find each other, and its servers."""

from lobby.models.account import Device, FactorReset, RecoveryWords, SignIn
from lobby.models.appeal import Appeal
from lobby.models.player import FormerName, People, Player
from lobby.models.seek import Seek
from lobby.models.server import Server

__all__ = [
    "Appeal",
    "Device",
    "FactorReset",
    "FormerName",
    "People",
    "Player",
    "RecoveryWords",
    "Seek",
    "Server",
    "SignIn",
]
