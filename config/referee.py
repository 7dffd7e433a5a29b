"""The referee's loops: matches and tournaments twice a second, chores, the search for signs,
histories, webhooks, ratings.

All but the first two run on the housekeeping thread: neither commits nor deadlines wait for them.
"""

import time
from collections.abc import Callable

import structlog

from games.engine import positions
from games.journal import events
from games.live.referee import EVERY, Referee
from games.review import sign_search
from games.review.sign_search import Search
from games.runtime.db import Unavailable, in_db_for_chores
from games.runtime.metrics import REFEREE, ROUND
from games.runtime.tasks import Repeated
from games.signed import log as record_log
from games.store import audit as connections
from games.store import callers, client_networks, presence
from lobby.hooks.loop import EVERY as WEBHOOKS_EVERY
from lobby.hooks.loop import Sending
from lobby.players.catching_up import CatchingUp
from lobby.ratings import advantage, boards, levels, recount
from lobby.seeks.sweeping import sweep_lobby
from lobby.tournaments.loop import EVERY as TOURNAMENTS_EVERY
from lobby.tournaments.loop import Stepping

log = structlog.get_logger(__name__)

_CHORES: tuple[Callable[[], object], ...] = (
    sweep_lobby,
    presence.forget_old,
    connections.forget_old,
    events.forget_old,
    sign_search.forget_old,
    callers.forget_old,
    client_networks.forget_old,
    positions.forget_old,
    advantage.refit,
    levels.rate_levels,
    boards.count_spreads,
    boards.take_off_lists,
)
_CHORES_EVERY = 30.0  # seconds
_SEARCH_EVERY = 30.0  # seconds, once there are no more matches to search
_HISTORIES_EVERY = 5.0  # seconds, once histories are complete
_RATINGS_EVERY = 1.0  # seconds, while no result of before is changed
_LOG_EVERY = 1.0  # seconds, once the log has all matches that ended
_FORMER_LOG_EVERY = (
    30.0  # seconds, once it has all of the former log: an old server may add to that
)
_BREATH = 0.05  # seconds between two pieces of a search, at the least


def start_referee() -> None:
    """Start the loops on the running event loop."""
    for loop in (
        Repeated("referee", _Sweeping(), EVERY),
        Repeated("tournaments", Stepping(), TOURNAMENTS_EVERY),
        Repeated("chores", _keep_house, _CHORES_EVERY),
        Repeated("signs", _InPieces(Search().go_on), _SEARCH_EVERY),
        Repeated("histories", _InPieces(CatchingUp().go_on), _HISTORIES_EVERY),
        Repeated("log", _InPieces(record_log.go_on), _LOG_EVERY),
        Repeated("former log", _InPieces(record_log.take_up_former_entries), _FORMER_LOG_EVERY),
        Repeated("webhooks", Sending(), WEBHOOKS_EVERY),
        Repeated("ratings", _InPieces(recount.go_on), _RATINGS_EVERY),
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


class _InPieces:
    """One piece of work at a time, then a pause of the same length: after a restart there may be
    days of matches to search. `go_on` does a piece, and gives whether there may be more."""

    def __init__(self, go_on: Callable[[], bool]) -> None:
        self._go_on = go_on

    async def __call__(self) -> float | None:
        began = time.monotonic()
        has_more = await in_db_for_chores(self._go_on)
        return max(_BREATH, time.monotonic() - began) if has_more else None
