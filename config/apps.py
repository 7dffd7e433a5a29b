"""The project itself as an app, for its commands."""

from django.apps import AppConfig

from config import reactor

reactor.install()  # before the app `daphne` is loaded, which would install its own


class ConfigConfig(AppConfig):
    name = "config"
    verbose_name = "Site"
