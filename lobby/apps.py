"""The lobby: accounts, and how two people find each other."""

from django.apps import AppConfig

from games.words import add
from lobby.sentences import SENTENCES


class LobbyConfig(AppConfig):
    name = "lobby"
    verbose_name = "Lobby"

    def ready(self) -> None:
        add(SENTENCES)
        # Now that the models are there:
        import lobby.accounts.login  # hears of logins
        import lobby.seeks.one_screen  # noqa: F401  # says who sits at whose screen
