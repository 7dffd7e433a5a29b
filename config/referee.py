"""The referee's loop: matches twice a second; the lobby, and signs for the review, now and then."""

import asyncio
import time

import structlog

from games import attendance, connections, events
from games.desk import Unavailable, at_desk
from games.metrics import REFEREE, ROUND
from games.referee import EVERY, Referee
from games.review.signs import Search
from lobby.sweeping import sweep_lobby

log = structlog.get_logger(__name__)

_LOBBY_EVERY = 30.0  # seconds


async def watch_over() -> None:
    """Go on until cancelled; a database that is away is waited for."""
    referee, search, swept_at = Referee(), Search(), 0.0
    while True:
        try:
            with ROUND.time():
                REFEREE.inc(await referee.sweep())
            if time.monotonic() - swept_at > _LOBBY_EVERY:
                swept_at = time.monotonic()
                await at_desk(sweep_lobby)
                await at_desk(attendance.forget_old)
                await at_desk(connections.forget_old)
                await at_desk(events.forget_old)
                await asyncio.to_thread(search.go_on)
        except Unavailable:
            pass  # counted and logged at the desk
        except Exception:
            log.exception("round failed", part="referee")
        await asyncio.sleep(EVERY)
