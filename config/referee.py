"""The referee's loops: matches twice a second; beside them chores, and the search for signs.

Chores and the search run on the thread for chores, so no commit or deadline waits for them.
"""

import asyncio
import time
from collections.abc import Callable

import structlog

from games.journal import events
from games.live.referee import EVERY, Referee
from games.review.signs import Search
from games.runtime.db import Unavailable, at_housekeeping
from games.runtime.metrics import REFEREE, ROUND
from games.store import audit as connections
from games.store import callers
from games.store import presence as attendance
from lobby.seeks.sweeping import sweep_lobby

log = structlog.get_logger(__name__)

_CHORES: tuple[Callable[[], object], ...] = (
    sweep_lobby,
    attendance.forget_old,
    connections.forget_old,
    events.forget_old,
    callers.forget_old,
)
_CHORES_EVERY = 30.0  # seconds
_SEARCH_EVERY = 30.0  # seconds, once there are no more matches to look at
_BREATH = 0.05  # seconds between two pieces of a search, at the least


async def watch_over() -> None:
    """Go on until cancelled; a database that is away is waited for."""
    loops = [
        asyncio.ensure_future(loop()) for loop in (_sweep_matches, _keep_house, _look_for_signs)
    ]
    try:
        await asyncio.gather(*loops)
    finally:
        for loop in loops:
            loop.cancel()


async def _sweep_matches() -> None:
    referee = Referee()
    while True:
        try:
            with ROUND.time():
                REFEREE.inc(await referee.sweep())
        except Unavailable:
            pass  # counted and logged where it was raised
        except Exception:
            log.exception("round failed", part="referee")
        await asyncio.sleep(EVERY)


async def _keep_house() -> None:
    while True:
        for chore in _CHORES:
            try:
                await at_housekeeping(chore)
            except Unavailable:
                pass  # counted and logged where it was raised
            except Exception:  # the other chores are done nevertheless
                log.exception("chore failed", part="referee", chore=chore.__qualname__)
        await asyncio.sleep(_CHORES_EVERY)


async def _look_for_signs() -> None:
    """One piece of the search at a time, then a pause of the same length: after a restart there may
    be days of matches to look at."""
    search = Search()
    while True:
        began, has_more = time.monotonic(), False
        try:
            has_more = await at_housekeeping(search.go_on)
        except Unavailable:
            pass  # counted and logged where it was raised
        except Exception:
            log.exception("search failed", part="referee")
        took = time.monotonic() - began
        await asyncio.sleep(max(_BREATH, took) if has_more else _SEARCH_EVERY)
