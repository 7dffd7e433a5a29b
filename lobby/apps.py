"""The lobby: who is here, and how two people find each other."""

from django.apps import AppConfig


class LobbyConfig(AppConfig):
    name = "lobby"
    verbose_name = "Lobby"

    def ready(self) -> None:
        import lobby.accounts.login  # noqa: F401  # hears of logins, now that the models are there
