"""Publishes committed states to this process and to the other servers.

In this process rooms, the lobby, the engine's schedule and the deliverer of events listen. The
caller publishes after each commit. Other servers get hints, which may be lost, so each of them also
polls the database.
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

# The groups of the channel layer.
_TURNS = "bots"
_EVENTS = "events"


class Publisher:
    """The listeners of one event loop, and its subscriptions to hints of other servers."""

    def __init__(self) -> None:
        self._pubsub = pubsub()
        self._listeners: list[Listener] = []

    def publish(self, states: Sequence[MatchState]) -> None:
        """Pass committed states to all listeners. If one of them fails, the others are still
        called."""
        if settings.REDIS_URL:
            self._tell_servers(states)
        for listener in self._listeners:
            try:
                listener(states)
            except Exception:
                log.exception("listener failed", part="publisher")

    def listen(self, listener: Listener) -> None:
        """Call `listener` with the states of each commit of this process."""
        self._listeners.append(listener)

    def listen_for_turns(self, call: Callable[[], None]) -> None:
        """Call `call` when the computer may have to move in a match, at any server."""
        self._listen_for(_TURNS, _awaits_computer, call)

    def listen_for_events(self, call: Callable[[], None]) -> None:
        """Call `call` when an event of a match may have been stored, at any server."""
        self._listen_for(_EVENTS, _has_events, call)

    def follow(self, match_id: str, hearer: Hearer) -> None:
        """Call `hearer` with the hints of other servers about a match.

        A hint has the `match` and either the committed `version` or the values passed to `tell`.
        """
        self._pubsub.subscribe(_group(match_id), hearer)

    def unfollow(self, match_id: str) -> None:
        self._pubsub.unsubscribe(_group(match_id))

    def tell(self, match_id: str, **what: Any) -> None:
        """Send values that are not stored to the other servers' followers of a match."""
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
    """Return whether the match may have urgent events: those of its end. A beginning can wait."""
    return not state.is_live


def _group(match_id: str) -> str:
    return f"match.{match_id}"


publisher = PerLoop(Publisher)
"""The publisher of the running event loop."""
