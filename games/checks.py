"""`manage.py check`: every game has a board that fits it."""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, register

from games.boards import BOARDS
from games.boards.soundness import faults
from games.rules import GAMES


@register("games")
def boards_fit(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    found: list[CheckMessage] = []
    for slug, game in GAMES.items():
        board = BOARDS.get(slug)
        if board is None:
            found.append(Error(f"The game {slug} has no board in games/boards.", id="games.E001"))
            continue
        found += [Error(f"{slug}: {fault}", id="games.E002") for fault in faults(game, board)]
    return found
