"""The lobby: accounts, and how two people find each other."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate

from games.words import add
from lobby.sentences import SENTENCES
from lobby.tournaments import sentences as of_tournaments


class LobbyConfig(AppConfig):
    name = "lobby"
    verbose_name = "Lobby"

    def ready(self) -> None:
        add(SENTENCES)
        add(of_tournaments.SENTENCES)
        # Only now are the models there. These hear of logins and of matches that have ended, and
        # say who may act for whom.
        import lobby.accounts.closing
        import lobby.accounts.happenings
        import lobby.accounts.login
        import lobby.accounts.merging
        import lobby.groups.belongings
        import lobby.groups.games
        import lobby.hooks.keeping
        import lobby.hooks.outbox
        import lobby.players.belongings
        import lobby.players.history
        import lobby.privacy.protection
        import lobby.ratings.accuracy
        import lobby.ratings.belongings
        import lobby.ratings.levels
        import lobby.ratings.rating
        import lobby.ratings.refunds
        import lobby.ratings.seats
        import lobby.ratings.signs
        import lobby.seeks.one_screen
        import lobby.tournaments.belongings
        import lobby.tournaments.results  # noqa: F401
        from lobby.groups.rights import give_rights

        post_migrate.connect(give_rights, sender=self)
