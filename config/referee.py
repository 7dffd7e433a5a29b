"""The referee's loops: it looks at matches twice a second, does chores, and searches for signs.

Chores and the search run on the housekeeping thread, so commits and deadlines never wait for them.
"""

import time
from collections.abc import Callable

import structlog

from games.journal import events
from games.live.referee import EVERY, Referee
from games.review import sign_search
from games.review.sign_search import Search
from games.runtime.db import Unavailable, in_db_for_chores
from games.runtime.metrics import REFEREE, ROUND
from games.runtime.tasks import Repeated
from games.store import audit as connections
from games.store import callers, presence
from lobby.seeks.sweeping import sweep_lobby

log = structlog.get_logger(__name__)

_CHORES: tuple[Callable[[], object], ...] = (
    sweep_lobby,
    presence.forget_old,
    connections.forget_old,
    events.forget_old,
    sign_search.forget_old,
    callers.forget_old,
)
_CHORES_EVERY = 30.0  # seconds
_SEARCH_EVERY = 30.0  # seconds, after all matches are searched
_BREATH = 0.05  # seconds: the least pause between two pieces of a search


def start_referee() -> None:
    """Start the loops on the running event loop."""
    for loop in (
        Repeated("referee", _Sweeping(), EVERY),
        Repeated("chores", _keep_house, _CHORES_EVERY),
        Repeated("signs", _Searching(), _SEARCH_EVERY),
    ):
        loop.start()


class _Sweeping:
    """End the matches whose time is up or whose players left."""

    def __init__(self) -> None:
        self._referee = Referee()

    async def __call__(self) -> None:
        with ROUND.time():
            REFEREE.inc(await self._referee.sweep())


async def _keep_house() -> None:
    for chore in _CHORES:
        try:
            await in_db_for_chores(chore)
        except Unavailable:
            pass  # it was counted and logged where it was raised
        except Exception:  # the other chores are still done
            log.exception("chore failed", part="referee", chore=chore.__qualname__)


class _Searching:
    """Searches one piece at a time, and then rests for as long as it took: after a restart there
    may be days of matches to search."""

    def __init__(self) -> None:
        self._search = Search()

    async def __call__(self) -> float | None:
        began = time.monotonic()
        has_more = await in_db_for_chores(self._search.go_on)
        return max(_BREATH, time.monotonic() - began) if has_more else None
