"""Tells the tabs of each player what is the player's own (`lobby.live.player_state`).

A move in a game of theirs is known here from its commit. So nothing is read for it, and a tab is
told of it at most once in `LOBBY_INTERVAL_SECONDS`, however many moves there were.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence

from django.conf import settings
from msgspec.structs import replace

from games.live.frames import Frame, encode_bytes
from games.match.state import MatchState
from games.runtime.db import in_db_for_reading
from games.runtime.pubsub import pubsub
from lobby.live.boards import drawing
from lobby.live.player_state import PlayerState, read_player_state, seen_at, versions
from lobby.live.protocol import Drawing
from lobby.live.tabs import Tab

SHOW_OWN = ("own", "changes", "group", "tournament")
"""What tabs show that are told of it."""

_LONGEST_PAUSE = 0.1  # seconds between two readings

TabsOf = Callable[[int], list[Tab]]


class PlayerTabs:
    """The players here who have a tab that shows what is theirs."""

    def __init__(self, tabs_of: TabsOf) -> None:
        self._tabs_of = tabs_of
        self._mine: dict[int, PlayerState] = {}
        self._due: set[int] = set()  # players whose own must be read again
        self._moved: dict[int, dict[str, MatchState]] = {}  # what has been played since, by player
        self._told_at = 0.0
        self._is_reading = False

    def forget(self, player_id: int) -> None:
        """The player has no tab here any more."""
        self._mine.pop(player_id, None)
        self._moved.pop(player_id, None)

    def seeking(self) -> set[int]:
        """The players here who have a seek open, or had one a moment ago."""
        return {pk for pk, mine in self._mine.items() if mine.is_seeking}

    def soon(self, player_ids: Iterable[int]) -> None:
        """Read these players' own again and show it. Calls during a reading share the next one."""
        self._due |= {pk for pk in player_ids if self._tabs_of(pk)}
        if self._due and not self._is_reading:
            self._is_reading = True
            pubsub().soon(self._read())

    def committed(self, states: Sequence[MatchState]) -> None:
        """Note what was played, to be told with the next round."""
        for state in states:
            for player_id in (state.first_id, state.second_id):
                if player_id in self._mine:
                    self._moved.setdefault(player_id, {})[state.id] = state

    async def tell_moves(self) -> None:
        """Tell what was played since the last time, if that is long enough ago."""
        now = time.monotonic()
        if not self._moved or now - self._told_at < settings.LOBBY_INTERVAL_SECONDS:
            return
        self._told_at = now
        moved, self._moved = self._moved, {}
        for player_id, states in moved.items():
            mine: PlayerState | None = self._mine.get(player_id)
            for state in states.values():
                mine = mine and mine.moved(player_id, state)
            if mine is None:
                self.soon([player_id])
            else:
                self._mine[player_id] = mine
                await self._tell(player_id, mine)

    async def look_for_missed(self) -> None:
        """Read again where the database has another version of a game than is known here."""
        known = dict(self._mine)
        if known:
            stored = await in_db_for_reading(versions, known.keys())
            self.soon(pk for pk, mine in known.items() if mine.is_behind(stored[pk]))

    async def _read(self) -> None:
        """Read and tell until nothing is due. A reading costs nearly the same for one player as for
        fifty: so when they come one by one, each pause is as long as the reading before it."""
        try:
            while self._due:
                due, self._due = self._due, set()
                began = time.monotonic()
                found = await in_db_for_reading(read_player_state, due)
                took = time.monotonic() - began
                for player_id, mine in found.items():
                    if self._tabs_of(player_id):
                        self._mine[player_id] = mine
                        await self._tell(player_id, mine)
                await asyncio.sleep(min(took, _LONGEST_PAUSE))
        finally:
            self._is_reading = False

    async def _tell(self, player_id: int, mine: PlayerState) -> None:
        for tab in self._tabs_of(player_id):
            if tab.shows not in SHOW_OWN:
                continue
            own = seen_at(mine.own, tab.here)
            new = self._new_on_boards(tab, mine)
            if tab.own == own and not new:
                continue
            tab.own = own
            frame = replace(own, boards=new) if tab.shows == "changes" else own
            await tab.send_frame(Frame(encode_bytes(frame)))

    def _new_on_boards(self, tab: Tab, mine: PlayerState) -> tuple[Drawing, ...]:
        if tab.shows != "changes":
            return ()
        games = {game.match: game.game for game in mine.own.games}
        before, tab.boards = tab.boards, mine.boards
        return tuple(
            drawing(match_id, games[match_id], before.get(match_id), board)
            for match_id, board in mine.boards.items()
            if before.get(match_id) != board
        )
