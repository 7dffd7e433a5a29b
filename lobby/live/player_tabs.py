"""The tabs of players, which show each player's own state (`lobby.live.player_state`).

Moves in a player's matches are applied without a query, and sent to the player's tabs at most once
per `LOBBY_INTERVAL_SECONDS`.
"""

import asyncio
import time
from collections.abc import Callable, Collection, Iterable, Sequence

from django.conf import settings
from msgspec.structs import replace

from games.live.frames import Frame, encode_bytes
from games.match.state import MatchState
from games.runtime.db import in_db_for_reading
from games.runtime.pubsub import pubsub
from lobby.live.player_state import (
    PlayerState,
    exclude_match,
    get_match_versions,
    read_player_state,
)
from lobby.live.protocol import BoardChanges
from lobby.live.tabs import Tab
from lobby.live.thumbnails import compare_thumbnails

SHOW_OWN = ("own", "changes", "group", "tournament")
"""The values of `shows` in the addresses of tabs that get `own` frames."""

_LONGEST_PAUSE = 0.1  # seconds between two reads

TabsOf = Callable[[int], list[Tab]]
CountOthers = Callable[[], int | None]


class PlayerTabs:
    """The players who have a tab in this process that shows their own state.

    `count_others` returns how many other players are online, from the view of a player in this
    process, or None before this is known.
    """

    def __init__(self, tabs_of: TabsOf, count_others: CountOthers) -> None:
        self._tabs_of, self._count_others = tabs_of, count_others
        self._mine: dict[int, PlayerState] = {}
        self._due: set[int] = set()  # players whose state must be read again
        self._being_read: set[int] = set()
        self._moved: dict[int, dict[str, MatchState]] = {}  # moves since the last update, by player
        self._told_at = 0.0
        self._is_reading = False

    def forget(self, player_id: int) -> None:
        """Drop a player whose last tab in this process has closed."""
        self._mine.pop(player_id, None)
        self._moved.pop(player_id, None)

    def seeking(self) -> set[int]:
        """Return the ids of the players here for whom `PlayerState.is_seeking` is true."""
        return {pk for pk, mine in self._mine.items() if mine.is_seeking}

    def seek_changed(self, opened: str | None, closed: Collection[str] = ()) -> None:
        """Update the players whose offers may have changed.

        `opened` is the game of a new seek, and `closed` has seeks that are gone. Players who have
        the maximum number of offers are not offered a new seek, so most changes to a full lobby
        affect only a few players.
        """
        self.soon(
            {
                player_id
                for player_id, mine in self._mine.items()
                if (opened is not None and mine.could_be_offered(opened))
                or (closed and mine.is_offered(closed))
            }
            | self._being_read  # a read in progress may have missed the change
        )

    def soon(self, player_ids: Iterable[int]) -> None:
        """Schedule an update for these players. Calls during a read wait for the next read."""
        self._due |= {pk for pk in player_ids if self._tabs_of(pk)}
        if self._due and not self._is_reading:
            self._is_reading = True
            pubsub().soon(self._read())

    def committed(self, states: Sequence[MatchState]) -> None:
        """Record committed states. `tell_moves` sends them."""
        for state in states:
            for player_id in (state.first_id, state.second_id):
                if player_id in self._mine:
                    self._moved.setdefault(player_id, {})[state.id] = state

    async def tell_moves(self) -> None:
        """Send the moves since the last update, if enough time has passed."""
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
        """Update players whose stored matches have versions that this process does not know."""
        known = dict(self._mine)
        if known:
            stored = await in_db_for_reading(get_match_versions, known.keys())
            self.soon(pk for pk, mine in known.items() if mine.is_behind(stored[pk]))

    async def _read(self) -> None:
        """Read and send states until no player is due.

        A read costs about as much for fifty players as for one. If players become due one after
        another, each read is therefore followed by a pause that is as long, so that the next read
        covers several players. A pause is never longer than `_LONGEST_PAUSE`.
        """
        try:
            while self._due:
                due, self._due = self._due, set()
                self._being_read = due
                began = time.monotonic()
                found = await in_db_for_reading(read_player_state, due)
                took = time.monotonic() - began
                self._being_read = set()
                for player_id, mine in found.items():
                    if self._tabs_of(player_id):
                        self._mine[player_id] = mine
                        await self._tell(player_id, mine)
                await asyncio.sleep(min(took, _LONGEST_PAUSE))
        finally:
            self._is_reading = False
            self._being_read = set()

    async def tell_others(self) -> None:
        """Send the number of other players online to the waiting players, if it has changed."""
        for player_id, mine in list(self._mine.items()):
            if mine.own.listed:
                await self._tell(player_id, mine)

    async def _tell(self, player_id: int, mine: PlayerState) -> None:
        others = self._count_others() if mine.own.listed else None
        shown = mine.own if others is None else replace(mine.own, others=others)
        for tab in self._tabs_of(player_id):
            if tab.shows not in SHOW_OWN:
                continue
            own = exclude_match(shown, tab.here)
            new = self._new_on_boards(tab, mine)
            if tab.own == own and not new:
                continue
            tab.own = own
            frame = replace(own, boards=new) if tab.shows == "changes" else own
            tab.send_frame(Frame(encode_bytes(frame)))

    def _new_on_boards(self, tab: Tab, mine: PlayerState) -> tuple[BoardChanges, ...]:
        if tab.shows != "changes":
            return ()
        games = {game.match: game.game for game in mine.own.games}
        before, tab.boards = tab.boards, mine.boards
        return tuple(
            compare_thumbnails(match_id, games[match_id], before.get(match_id), board)
            for match_id, board in mine.boards.items()
            if before.get(match_id) != board
        )
