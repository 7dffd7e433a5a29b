"""All actions of a match for the streams that follow it: read once, then kept up to date."""

from weakref import WeakValueDictionary

from games.match.state import MatchState
from games.runtime.db import in_db_for_reading
from games.runtime.per_loop import PerLoop
from lobby.api import matches


class Script:
    """The actions of one match, in one history of the database. Its streams share it."""

    def __init__(self, match_id: str) -> None:
        self._id = match_id
        self._epoch = ""
        self._moves: list[str] = []
        self._joined = (0, "")

    def learn(self, moves: list[str], epoch: str) -> None:
        """Set the actions that were just read."""
        if epoch != self._epoch or len(moves) > len(self._moves):
            self._moves, self._epoch, self._joined = list(moves), epoch, (0, "")

    def upto(self, state: MatchState, epoch: str) -> str | None:
        """Return the actions that led to the state, joined; None if some are unknown."""
        if epoch != self._epoch:
            return None
        if state.ply == len(self._moves) + 1:
            self._moves.append(state.last)
        if state.ply > len(self._moves):
            return None
        if self._joined[0] != state.ply:
            self._joined = state.ply, matches.JOIN.join(self._moves[: state.ply])
        return self._joined[1]

    async def read(self, epoch: str) -> None:
        """Read all actions again. Raise `Unavailable` if the database is down."""
        _, moves = await in_db_for_reading(matches.list_moves, self._id)
        self._epoch = ""
        self.learn(moves, epoch)


class Scripts:
    """The scripts in use on one event loop."""

    def __init__(self) -> None:
        self._known: WeakValueDictionary[str, Script] = WeakValueDictionary()

    def of(self, match_id: str) -> Script:
        found = self._known.get(match_id)
        if found is None:
            found = self._known[match_id] = Script(match_id)
        return found


scripts = PerLoop(Scripts)
"""The scripts of the running event loop."""
