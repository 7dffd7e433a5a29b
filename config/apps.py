"""The project itself as an app, for its commands."""

from pathlib import Path

from django.apps import AppConfig
from django.conf import settings

from config import private, wiring
from config.server import reactor

reactor.install()  # before the app `daphne` is loaded, which would install another one


class ConfigConfig(AppConfig):
    name = "config"
    verbose_name = "Site"

    def ready(self) -> None:
        """Let only their owner read the secret files, whatever earlier versions did."""
        secret = [settings.DATA_DIR / "secret-key"]
        name = str(settings.DATABASES["default"]["NAME"])
        if settings.IS_SQLITE and name != ":memory:" and not name.startswith("file:"):
            private.prepare(Path(name))
            secret += private.sqlite_files(Path(name))
        private.close_to_others(secret)
        wiring.connect()
