"""The kinds of background tasks that `config.wiring` lists."""

import time
from collections.abc import Awaitable, Callable, Sequence

import structlog

from config import retention
from games.live.referee import Referee
from games.runtime.db import Unavailable, in_db_for_chores
from games.runtime.metrics import REFEREE, ROUND

log = structlog.get_logger(__name__)

Work = Callable[[], Awaitable[float | None]]

_LEAST_PAUSE = 0.05  # seconds between two pieces of work


def end_overdue_matches() -> Work:
    """End overdue matches, and those whose players left."""
    referee = Referee()

    async def work() -> None:
        with ROUND.time():
            REFEREE.inc(await referee.sweep())

    return work


def chores(functions: Sequence[Callable[[], object]]) -> Work:
    """Call the functions and delete old rows, each in its own transaction.

    If one fails, the others still run."""

    async def work() -> None:
        for chore in (*functions, *(rule.delete_batch for rule in retention.rules())):
            try:
                await in_db_for_chores(chore)
            except Unavailable:
                pass  # counted and logged where it is raised
            except Exception:
                log.exception("chore failed", part="referee", chore=chore.__qualname__)

    return work


def in_pieces(do_piece: Callable[[], bool]) -> Work:
    """Call the function, which returns whether there is more to do, then pause for as long.

    After a restart there may be days of work, and other tasks need the database too."""

    async def work() -> float | None:
        began = time.monotonic()
        has_more = await in_db_for_chores(do_piece)
        return max(_LEAST_PAUSE, time.monotonic() - began) if has_more else None

    return work
