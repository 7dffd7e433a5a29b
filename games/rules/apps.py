"""The rules as an app of the site: `manage.py check` plays each game's start."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, register

from games.rules import GAMES
from games.rules.soundness import faults


class RulesConfig(AppConfig):
    name = "games.rules"
    label = "rules"
    verbose_name = "Rules"

    def ready(self) -> None:
        register(rules_are_sound, "rules")


def rules_are_sound(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """An error for each fault of each game."""
    return [
        Error(f"{slug}: {fault}.", id="rules.E001")
        for slug, game in GAMES.items()
        for fault in faults(game)
    ]
