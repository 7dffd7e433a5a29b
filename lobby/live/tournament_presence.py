"""Store who is on a tournament's page, in batches.

A thousand tabs open and close as games begin and end. A write for each of them would delay players'
moves.
"""

from collections import defaultdict

from games.runtime.db import in_db_for_people
from games.runtime.pubsub import pubsub
from lobby.tournaments import presence

Notes = dict[str, dict[int, bool]]  # whether they are there, by tournament and player


class Attendance:
    """Presence that is not stored yet. One write runs at a time."""

    def __init__(self) -> None:
        self._due: Notes = defaultdict(dict)
        self._is_noting = False

    def note(self, tournament_id: str, player_id: int, is_there: bool) -> None:
        """Schedule the write of a player's presence."""
        self._due[tournament_id][player_id] = is_there
        if not self._is_noting:
            self._is_noting = True
            pubsub().soon(self._store())

    async def _store(self) -> None:
        try:
            while self._due:
                due, self._due = self._due, defaultdict(dict)
                await in_db_for_people(_store, due)
        finally:
            self._is_noting = False


def _store(notes: Notes) -> None:
    for tournament_id, people in notes.items():
        presence.here(tournament_id, [pk for pk, is_there in people.items() if is_there])
        presence.gone(tournament_id, [pk for pk, is_there in people.items() if not is_there])
