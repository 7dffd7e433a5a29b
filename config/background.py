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

_LEAST_PAUSE = 0.05  # seconds between two pieces of work, at least


def end_overdue_matches() -> Work:
    """End overdue matches, and matches that a player has left."""
    referee = Referee()

    async def work() -> None:
        with ROUND.time():
            REFEREE.inc(await referee.sweep())

    return work


def chores(functions: Sequence[Callable[[], object]]) -> Work:
    """Call the functions, then delete old rows, each in its own transaction.

    If one of them fails, the others still run.
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
    """Call a function until it has nothing left to do, with a pause as long as each call took.

    The function returns whether there is more to do. After a restart there may be days of work, and
    other tasks need the database too.
    """

    async def work() -> float | None:
        began = time.monotonic()
        has_more = await in_db_for_chores(do_piece)
        return max(_LEAST_PAUSE, time.monotonic() - began) if has_more else None

    return work
