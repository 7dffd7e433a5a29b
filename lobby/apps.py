"""The lobby: accounts, and how two people find each other."""

from django.apps import AppConfig

from games.words import add
from lobby.sentences import SENTENCES


class LobbyConfig(AppConfig):
    name = "lobby"
    verbose_name = "Lobby"

    def ready(self) -> None:
        add(SENTENCES)
        # Only now are the models there. These hear of logins and of matches that have ended, and
        # say who may act for whom.
        import lobby.accounts.closing
        import lobby.accounts.happenings
        import lobby.accounts.login
        import lobby.accounts.merging
        import lobby.players.belongings
        import lobby.players.history
        import lobby.seeks.one_screen  # noqa: F401
