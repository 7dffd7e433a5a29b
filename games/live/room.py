"""The room of one match: its newest state, and the viewers that receive it."""

import time
from collections.abc import Callable

import structlog

from games.live.presence import Presence, Viewer
from games.live.protocol import MatchPeople, StateFrame, encode_phrase
from games.match.state import MatchState
from games.store.ratings import NOT_RATED, RATED_WITHIN, Ratings, is_rated
from games.store.visibility import PUBLIC

log = structlog.get_logger(__name__)

PHRASE_EVERY = 2.0  # seconds between two phrases of one player


class Room:
    """The viewers of one match on this server.

    Within an epoch, an older state never replaces a newer one.
    """

    def __init__(self, state: MatchState, names: tuple[str, str], epoch: str) -> None:
        self.state = state
        # The epoch of the database from which the state was read (`games.store.epoch`)
        self.epoch = epoch
        self.names = names
        self.privacy = PUBLIC
        # The ratings for a rated match, which `games.live.upkeep` reads.
        self.ratings: Ratings = NOT_RATED
        self._rated_until: float | None = None
        self.presence = Presence()
        self._shown: MatchPeople | None = None
        self._spoke_at: dict[int, float] = {}

    @property
    def viewers(self) -> set[Viewer]:
        return self.presence.viewers

    def enter(self, viewer: Viewer) -> None:
        self.presence.enter(viewer)

    def leave(self, viewer: Viewer) -> None:
        self.presence.leave(viewer)

    def learn(self, state: MatchState) -> bool:
        """Accept a committed state. Return False if the room already has this or a newer one."""
        if state.version <= self.state.version:
            return False
        self.state = state
        return True

    def begin_anew(self, state: MatchState, epoch: str) -> None:
        """Accept a state of another epoch, even if its version is lower."""
        self.state, self.epoch = state, epoch

    def frame(self) -> StateFrame:
        return StateFrame(self.state, self._around())

    def show(self) -> None:
        """Send the newest state to every viewer on this server."""
        self._shown = self._around()
        state = StateFrame(self.state, self._shown)
        self._each(lambda viewer: viewer.show(state))

    def say(self, seat: int, phrase: str, alone: bool = False) -> None:
        """Send a player's phrase to every viewer on this server, or only to that player."""
        text = encode_phrase(self.state, seat, phrase)

        def tell(viewer: Viewer) -> None:
            if not alone or seat in viewer.seats:
                viewer.send_text(text)

        self._each(tell)

    def close(self, code: int) -> None:
        """Close the connections of all viewers on this server."""
        self._each(lambda viewer: viewer.close(code))

    def lacks_ratings(self) -> bool:
        """Return whether the players' ratings must be read.

        Those of a rated match must be read once at first, and again after the match until it has
        been rated, but for at most `RATED_WITHIN` seconds, because the match may not count.
        """
        if not self.state.rated or is_rated(self.ratings):
            return False
        if self.ratings == NOT_RATED:
            return True
        if self.state.is_live:
            return False
        now = time.monotonic()
        self._rated_until = self._rated_until or now + RATED_WITHIN
        return now < self._rated_until

    def may_speak(self, seat: int) -> bool:
        """Return whether the seat's player may send a phrase now, and if so, count the phrase."""
        now = time.monotonic()
        if now - self._spoke_at.get(seat, -PHRASE_EVERY) < PHRASE_EVERY:
            return False
        self._spoke_at[seat] = now
        return True

    def has_other_people(self) -> bool:
        """Return whether the part of the state about people has changed since it was last sent."""
        return self._around() != self._shown

    def _each(self, tell: Callable[[Viewer], None]) -> None:
        for viewer in list(self.viewers):
            try:
                tell(viewer)
            except Exception:  # the other viewers must still receive the state
                log.exception("viewer failed", match=self.state.id)

    def _around(self) -> MatchPeople:
        return self.presence.around(
            self.state, self.names, self.epoch, self.ratings, self.privacy.hidden
        )
