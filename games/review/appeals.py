"""Open appeals of suspended players, for the queue."""

from collections.abc import Callable
from datetime import datetime

from msgspec import Struct


class OpenAppeal(Struct, frozen=True):
    """An appeal that nobody has answered yet."""

    id: int
    player_id: int
    words: str
    at: datetime
    decided_by: int  # the moderator who suspended the player; only other moderators may answer

    def may_be_answered_by(self, moderator_id: int, is_superuser: bool) -> bool:
        """Return whether this moderator may answer the appeal."""
        return is_superuser or self.decided_by != moderator_id


Source = Callable[[int, int | None], list[OpenAppeal]]
sources: list[Source] = []
"""Functions that return at most a given number of open appeals, oldest first, of all players or of
one player. `config.wiring` sets them."""


def list_open_appeals(most: int, player_id: int | None = None) -> list[OpenAppeal]:
    """Return the oldest open appeals, of all players or of one."""
    return [each for source in sources for each in source(most, player_id)]
