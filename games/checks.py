"""System checks: every game has sound rules, and a board that fits it."""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error

from games.boards import BOARDS
from games.boards.soundness import faults as board_faults
from games.rules import GAMES
from games.rules.soundness import faults as rules_faults


def rules_are_sound(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    return [
        Error(f"{slug}: {fault}.", id="rules.E001")
        for slug, game in GAMES.items()
        for fault in rules_faults(game)
    ]


def boards_fit(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    found: list[CheckMessage] = []
    for slug, game in GAMES.items():
        board = BOARDS.get(slug)
        if board is None:
            found.append(Error(f"The game {slug} has no board in games/boards.", id="games.E001"))
            continue
        found += [Error(f"{slug}: {fault}", id="games.E002") for fault in board_faults(game, board)]
    return found
