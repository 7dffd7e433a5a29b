"""The site's app, which connects its parts at start-up, and the settings of other apps."""

from pathlib import Path

from django.apps import AppConfig
from django.conf import settings
from django.contrib.admin.apps import AdminConfig

from config import file_permissions


class SiteConfig(AppConfig):
    name = "config"
    verbose_name = "Site"

    def ready(self) -> None:
        from config import wiring  # imported late, because the models must be loaded first

        restrict_secret_files()
        wiring.connect()


class DaphneConfig(AppConfig):
    """Daphne's commands. Its own configuration would load the server in every other command too."""

    name = "daphne"


class StaffAdminConfig(AdminConfig):
    """The admin, with an `AdminSite` that requires a second factor."""

    default_site = "lobby.accounts.access.StaffSite"


def restrict_secret_files() -> None:
    """Remove other users' permissions on secret files, which earlier versions did not restrict.

    Create the file of the SQLite database if it does not exist.
    """
    secret = [settings.DATA_DIR / "secret-key"]
    name = str(settings.DATABASES["default"]["NAME"])
    if settings.IS_SQLITE and name != ":memory:" and not name.startswith("file:"):
        file_permissions.create_database_file(Path(name))
        secret += file_permissions.sqlite_files(Path(name))
    file_permissions.restrict_to_owner(secret)
