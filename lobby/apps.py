"""The lobby: accounts, and how two people find each other."""

from django.apps import AppConfig

from games.words import add
from lobby.sentences import SENTENCES


class LobbyConfig(AppConfig):
    name = "lobby"
    verbose_name = "Lobby"

    def ready(self) -> None:
        add(SENTENCES)
        # They hear of logins, now that the models are there.
        import lobby.accounts.closing
        import lobby.accounts.happenings
        import lobby.accounts.login
        import lobby.accounts.merging  # noqa: F401
