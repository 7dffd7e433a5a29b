"""The rules as a Django app: `manage.py check` tries each game."""

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
    """One error for each fault that `games.rules.soundness` finds."""
    return [
        Error(f"{slug}: {fault}.", id="rules.E001")
        for slug, game in GAMES.items()
        for fault in faults(game)
    ]
