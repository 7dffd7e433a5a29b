"""Requests to the journal, and its answers."""

from collections.abc import Collection

from msgspec import Struct

from games.match.commands import Command
from games.match.state import MatchState
from games.messages.refusal import Refused
from games.runtime.fair_queue import SITE, Requester


class Request(Struct, frozen=True):
    """A command for a match. `player_id` is None for commands of the site and of staff.

    `acts_for` has the ids of others in whose seats the player may act (`games.store.seats`): the
    player's aliases, or somebody at the same screen. `lag_ms` is the delay of the player's
    connection, measured by the server. `known` is the last committed state that the requester has
    seen. It saves a query. If the match is no longer in that state, it is read after all.
    """

    match_id: str
    player_id: int | None
    command: Command
    lag_ms: int = 0
    known: MatchState | None = None
    requester: Requester = SITE
    acts_for: Collection[int] = ()

    @property
    def players(self) -> frozenset[int]:
        """The ids of the player and of those in `acts_for`; empty for the site and for staff."""
        return (
            frozenset() if self.player_id is None else frozenset((self.player_id, *self.acts_for))
        )


class Answer(Struct, frozen=True):
    """The outcome of a request: the committed state, and the refusal if there was one.

    `state` is None if the match does not exist, or if it could not be read or stored.
    """

    state: MatchState | None
    refusal: Refused | None = None

    @property
    def refused(self) -> str | None:
        """The code of the refusal, or None if the request was not refused."""
        return None if self.refusal is None else self.refusal.code


UNAVAILABLE = Answer(None, Refused("unavailable"))
