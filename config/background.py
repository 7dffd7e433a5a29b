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

_LEAST_PAUSE = 0.05  # the minimum number of seconds between two pieces of work


def end_overdue_matches() -> Work:
    """Return the task that ends overdue matches, and matches that a player has left."""
    referee = Referee()

    async def work() -> None:
        with ROUND.time():
            REFEREE.inc(await referee.sweep())

    return work


def chores(functions: Sequence[Callable[[], object]]) -> Work:
    """Return the task that calls the functions, then deletes old rows, each in its own transaction.

    If one function fails, the others are still called.
    """

    async def work() -> None:
        for chore in (*functions, *(rule.delete_batch for rule in retention.rules())):
            try:
                await in_db_for_chores(chore)
            except Unavailable:
                pass  # the failure was counted and logged where it was raised
            except Exception:
                log.exception("chore failed", part="referee", chore=chore.__qualname__)

    return work


def in_pieces(do_piece: Callable[[], bool]) -> Work:
    """Return the task that calls a function until its work is done, pausing as long as it took.

    The function returns whether there is more to do. After a restart there may be days of work, and
    other tasks need the database too.
    """

    async def work() -> float | None:
        began = time.monotonic()
        has_more = await in_db_for_chores(do_piece)
        return max(_LEAST_PAUSE, time.monotonic() - began) if has_more else None

    return work
