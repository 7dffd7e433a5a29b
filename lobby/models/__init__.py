"""What the lobby stores: people, the seeks by which they find each other, and its servers."""

from lobby.models.appeal import Appeal
from lobby.models.player import FormerName, People, Player
from lobby.models.seek import Seek
from lobby.models.server import Server

__all__ = ["Appeal", "FormerName", "People", "Player", "Seek", "Server"]
