"""Publication of committed states, in this process and to other servers.

In this process, the subscribers are the rooms, the lobby, the engine's scheduler and the deliverer
of events. Callers must publish after each commit. Other servers receive hints, which may be lost,
so each server also polls the database.
"""

from collections.abc import Callable, Sequence
from typing import Any

import structlog
from django.conf import settings

from games.match.state import MatchState
from games.runtime.per_loop import PerLoop
from games.runtime.pubsub import pubsub

log = structlog.get_logger(__name__)

Listener = Callable[[Sequence[MatchState]], None]
Hearer = Callable[[dict[str, Any]], None]

# Groups of hints, besides one for each match that is followed.
_TURNS = "bots"
_EVENTS = "events"


class Publisher:
    """The listeners of one event loop, and its subscriptions to hints from other servers."""

    def __init__(self) -> None:
        self._pubsub = pubsub()
        self._listeners: list[Listener] = []

    def publish(self, states: Sequence[MatchState]) -> None:
        """Pass committed states to all listeners, even if one of them fails.

        Other servers get hints.
        """
        if settings.REDIS_URL:
            self._tell_servers(states)
        for listener in self._listeners:
            try:
                listener(states)
            except Exception:
                log.exception("listener failed", part="publisher")

    def listen(self, listener: Listener) -> None:
        """Call `listener` with the changed states after each commit of this process."""
        self._listeners.append(listener)

    def listen_for_turns(self, call: Callable[[], None]) -> None:
        """Call `call` when it may be the computer's turn in a match on any server."""
        self._listen_for(_TURNS, _awaits_computer, call)

    def listen_for_events(self, call: Callable[[], None]) -> None:
        """Call `call` when any server may have stored an event of a match that is over."""
        self._listen_for(_EVENTS, _has_events, call)

    def follow(self, match_id: str, hearer: Hearer) -> None:
        """Call `hearer` with each hint from another server about a match.

        A hint has the `match` and either the committed `version` or the values passed to `tell`.
        """
        self._pubsub.subscribe(_group(match_id), hearer)

    def unfollow(self, match_id: str) -> None:
        self._pubsub.unsubscribe(_group(match_id))

    def tell(self, match_id: str, **what: Any) -> None:
        """Send values that are not stored to the followers of a match on other servers."""
        self._pubsub.publish(_group(match_id), match=match_id, **what)

    def _tell_servers(self, states: Sequence[MatchState]) -> None:
        for state in states:
            self._pubsub.publish(_group(state.id), match=state.id, version=state.version)
            if _awaits_computer(state):
                self._pubsub.publish(_TURNS, match=state.id)
            if _has_events(state):
                self._pubsub.publish(_EVENTS, match=state.id)

    def _listen_for(
        self, group: str, concerns: Callable[[MatchState], bool], call: Callable[[], None]
    ) -> None:
        def committed(states: Sequence[MatchState]) -> None:
            if any(map(concerns, states)):
                call()

        self.listen(committed)
        self._pubsub.subscribe(group, lambda _: call())


def _awaits_computer(state: MatchState) -> bool:
    return state.bot_at is not None


def _has_events(state: MatchState) -> bool:
    """Return whether the match is over. The event of its beginning is less urgent."""
    return not state.is_live


def _group(match_id: str) -> str:
    return f"match.{match_id}"


publisher = PerLoop(Publisher)
"""The publisher of the running event loop."""
