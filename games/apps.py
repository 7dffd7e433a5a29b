"""The games: their matches, and the one way for a move to go."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = "Games"

    def ready(self) -> None:
        # Only now are the models there. These register themselves, with Django or for events.
        from games import checks  # noqa: F401
        from games.live import sessions  # noqa: F401
        from games.review import sign_search  # noqa: F401
        from games.review.rights import give_rights

        post_migrate.connect(give_rights, sender=self)
