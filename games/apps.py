"""The games: their matches, and the one way for a move to go."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = "Games"

    def ready(self) -> None:
        from games import checks, sessions  # noqa: F401  # they register themselves with Django
