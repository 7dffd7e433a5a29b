"""Notes who is at the page of a tournament, many at once: a thousand tabs open and close as games
begin and end, and a note for each would hold up those who play."""

from collections import defaultdict

from games.runtime.db import in_db_for_people
from games.runtime.pubsub import pubsub
from lobby.tournaments import presence

Notes = dict[str, dict[int, bool]]  # by tournament and player: whether they are there


class Attendance:
    """What is to be noted. One note is stored at a time; what comes meanwhile is the next one."""

    def __init__(self) -> None:
        self._due: Notes = defaultdict(dict)
        self._is_noting = False

    def note(self, tournament_id: str, player_id: int, is_there: bool) -> None:
        """Note it soon."""
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
