"""Presence in one match: the viewers on this server, and the stored presence on others."""

import time
from typing import Protocol

from django.conf import settings
from django.utils import timezone

from games.journal.limits import get_limits
from games.live.protocol import MatchPeople, StateFrame
from games.match.ends import has_stalled
from games.match.state import MatchState
from games.store.presence import ServerPresence, SitePresence
from games.store.ratings import NOT_RATED, Ratings


class Viewer(Protocol):
    """A client that views one match: one of its players, or a watcher.

    It may be a websocket, an NDJSON stream, or one board on the TV page. The room decides what a
    viewer receives, and the viewer how it is sent.

    The room calls `show`, `send_text` and `close` for each viewer in sequence, so these methods
    must not wait for the client. An exception is logged, and the other viewers are still served.
    """

    player_id: int | None  # None for a visitor
    seats: tuple[int, ...]  # the seats for which the viewer acts: none for a watcher, one, or both
    is_counted: bool  # whether the viewer counts as a person, unlike a board on the TV page
    address: str  # the client's address for the connection log; "" if unknown

    def last_here(self) -> float:
        """Return when the client was last known to be there, in seconds since 1970."""
        ...

    def show(self, state: StateFrame) -> None:
        """Send the state in the form for this viewer (`state.for_seats` or `state.line`)."""
        ...

    def send_text(self, text: str) -> None:
        """Send a frame other than a state, such as a phrase. `text` is its JSON."""
        ...

    def close(self, code: int) -> None:
        """End the connection. `code` gives the reason (`games.live.frames`)."""
        ...


class Presence:
    """The players and watchers of one match."""

    def __init__(self) -> None:
        self.viewers: set[Viewer] = set()
        # The stored presence, or None if it has not been read yet.
        self.attended: SitePresence | None = None
        # When a viewer of each seat that has left this server was last known to be there.
        self.left_at: list[float | None] = [None, None]
        self._uncounted = 0  # viewers that are not counted as watchers
        self._players: tuple[set[Viewer], set[Viewer]] = (set(), set())  # the viewers of each seat
        self._limits = get_limits()
        self._stalled_after = self._limits.stalled.total_seconds()
        self._gone_after: float = settings.PRESENCE_TIMEOUT_SECONDS

    def enter(self, viewer: Viewer) -> None:
        self.viewers.add(viewer)
        self._uncounted += not viewer.is_counted
        for seat in viewer.seats:
            self._players[seat].add(viewer)

    def leave(self, viewer: Viewer) -> None:
        if viewer in self.viewers:
            self.viewers.discard(viewer)
            self._uncounted -= not viewer.is_counted
        for seat in viewer.seats:
            self._players[seat].discard(viewer)
            self.left_at[seat] = max(self.left_at[seat] or 0, viewer.last_here())

    def around(
        self,
        state: MatchState,
        names: tuple[str, str],
        epoch: str,
        ratings: Ratings = NOT_RATED,
        hidden: tuple[bool, bool] = (False, False),
    ) -> MatchPeople:
        """Return the part of the match's state that is about people, such as names and presence."""
        alive = self._alive_since()
        held = self._is_held(state, 0, alive), self._is_held(state, 1, alive)
        watchers = self._watchers() + (self.attended.watchers if self.attended else 0)
        if held == (True, True):
            stalled = self._stalled(state)
            return MatchPeople(
                names, held, watchers, stalled=stalled, epoch=epoch, ratings=ratings, hidden=hidden
            )
        return MatchPeople(
            names,
            (self.is_here(state, 0), self.is_here(state, 1)),
            watchers,
            (self._has_abandoned(state, 0), self._has_abandoned(state, 1)),
            self._stalled(state),
            epoch,
            ratings,
            hidden,
            (self._abandoned_at(state, 0), self._abandoned_at(state, 1)),
        )

    def here(self, state: MatchState) -> ServerPresence:
        """Return the presence on this server, which is stored for the other servers."""
        now, alive = time.time(), self._alive_since()
        first, second = (
            now if self._is_held(state, seat, alive) else self._here_at(seat) for seat in (0, 1)
        )
        return ServerPresence(state.id, first, second, self._watchers())

    def is_here(self, state: MatchState, seat: int) -> bool:
        """Return whether the seat's player is present on any server, or was until a moment ago.

        The limit is PRESENCE_TIMEOUT_SECONDS.
        """
        if self._is_held(state, seat, self._alive_since()):
            return True
        return time.time() - self._last_here(seat) < self._gone_after

    def _has_abandoned(self, state: MatchState, seat: int) -> bool:
        """Return whether the opponent can claim a win, because the seat's player has left."""
        at = self._abandoned_at(state, seat)
        return at is not None and time.time() >= at

    def _abandoned_at(self, state: MatchState, seat: int) -> float | None:
        """Return when the opponent can claim a win because of the absence of the seat's player.

        Return None if the player is present, if the match is over, or if the stored presence has
        not been read yet. The journal decides by the stored timestamps alone
        (`games.store.presence`).
        """
        if self.attended is None or not state.is_live or self.is_here(state, seat):
            return None
        since = (state.resumed_at or state.created_at).timestamp()
        seen = max(self._last_here(seat), since, self.attended.up_since)
        return seen + self._limits.gone_for(state).total_seconds()

    def _stalled(self, state: MatchState) -> tuple[bool, bool]:
        # This is called for every state, and the condition rarely holds, so check it first.
        if state.clock or time.time() - state.acted_at.timestamp() < self._stalled_after:
            return False, False
        now, held = timezone.now(), self._limits
        return has_stalled(state, 0, now, held), has_stalled(state, 1, now, held)

    def _last_here(self, seat: int) -> float:
        stored = self.attended.seen_at[seat] if self.attended else None
        return max(self._here_at(seat) or 0, stored or 0)

    def _here_at(self, seat: int) -> float | None:
        """Return when the seat's player was last on this server, or None."""
        heard = [viewer.last_here() for viewer in self._players[seat]]
        return max(heard, default=self.left_at[seat])

    def _is_held(self, state: MatchState, seat: int, alive: float) -> bool:
        """Return whether a viewer of the seat's player on this server was active after `alive`.

        The computer always counts as present.
        """
        if state.levels[seat] is not None:
            return True  # the computer is always here
        for viewer in self._players[seat]:  # noqa: SIM110  # called for each state; a generator is slower
            if viewer.last_here() > alive:
                return True
        return False

    def _watchers(self) -> int:
        players = len(self._players[0] | self._players[1])
        return len(self.viewers) - players - self._uncounted

    def _alive_since(self) -> float:
        """Return the time since which a client must have been active to count as present.

        The unit is seconds since 1970.
        """
        return time.time() - self._gone_after
