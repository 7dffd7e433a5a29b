"""The games: their matches, and the one way for a move to go."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _

from games.boards import BOARDS
from games.review.sentences import SENTENCES as REVIEW
from games.rules import GAMES
from games.words import add
from games.words.sentences import SENTENCES


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("The review")

    def ready(self) -> None:
        # Only now are the models there. These register themselves, with Django or for events.
        from games import checks  # noqa: F401
        from games.live import sessions  # noqa: F401
        from games.review import sign_search  # noqa: F401
        from games.review.rights import give_rights
        from games.signed import log  # noqa: F401

        _add_sentences()
        post_migrate.connect(give_rights, sender=self)


def _add_sentences() -> None:
    """Fill the table of sentences: the games' own, the review's, and those of each board."""
    add(SENTENCES)
    add(REVIEW)
    for slug, board in BOARDS.items():
        add({"name": GAMES[slug].name, **board.sentences}, within=slug)
