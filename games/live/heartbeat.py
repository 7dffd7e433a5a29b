"""The heartbeat of a server, which records twice a second that the site is up.

After an outage, servers also add the lost time to the running clocks (`games.store.heartbeat`).
"""

import asyncio
import time
from collections.abc import Callable

import structlog

from games.runtime.db import in_db, in_db_for_reading
from games.runtime.per_loop import PerLoop
from games.runtime.tasks import Repeated
from games.store.heartbeat import (
    EVERY,
    OUTAGE,
    RESTART,
    SOME,
    become_server,
    delete_outage,
    list_outages,
    list_stopped_matches,
    move_clocks,
    must_move_clocks_first,
    note_clocks_moved,
    store_beat,
)

log = structlog.get_logger(__name__)

_PATIENCE = 10.0  # seconds during which only the server that stored an outage may move clocks
_ADMIT = 3.0  # seconds after which players are admitted even if some clocks have not been moved yet


class Heart:
    """The heartbeat of this process, and the clocks that it postpones after an outage."""

    def __init__(self) -> None:
        self._beating = Repeated("heartbeat", self._beat, EVERY)
        self._moving = Repeated("clocks", self._move_clocks, EVERY, goes_on=lambda: self._must_move)
        self._must_move = False  # whether there are clocks that an outage has stopped
        self._gap = RESTART
        self._began = time.monotonic()
        self._first: asyncio.Future[None] | None = None
        # Functions that are called when clocks have been moved.
        self.listeners: list[Callable[[], None]] = []

    async def beats(self) -> None:
        """Start the heartbeat of this process, and wait until players can be admitted.

        Players can be admitted after the first heartbeat, as soon as all clocks have been moved or
        `_ADMIT` seconds have passed.
        """
        if self._first is None:
            become_server()
            self._first = asyncio.get_running_loop().create_future()
            self._began = time.monotonic()
            self._beating.start()
        if not self._first.done():
            await asyncio.shield(self._first)

    async def _beat(self) -> None:
        try:
            outages = await in_db(store_beat, self._gap)
            self._gap = OUTAGE
            if outages:
                self._must_move = True
                self._moving.start()
        finally:
            # Each command moves the clocks of its own match, so nobody needs to wait for all of
            # them.
            may_admit = not self._must_move or time.monotonic() - self._began > _ADMIT
            if may_admit and self._first is not None and not self._first.done():
                self._first.set_result(None)

    async def _move_clocks(self) -> None:
        """Postpone the running clocks by the outages, in batches.

        The server that stored the outage begins immediately. Others begin after `_PATIENCE`, in
        case that server has died.
        """
        patience = time.monotonic() + (0 if must_move_clocks_first() else _PATIENCE)
        while outages := await in_db(list_outages):
            if time.monotonic() < patience:
                await asyncio.sleep(0.1)
                continue
            outage, moved = outages[0], 0
            ids = await in_db_for_reading(list_stopped_matches, outage)
            for i in range(0, len(ids), SOME):
                moved += await in_db(move_clocks, outage, ids[i : i + SOME])
            await in_db(delete_outage, outage)
            log.info("outage", seconds=outage.length.total_seconds(), clocks_moved=moved)
        note_clocks_moved()
        self._must_move = False
        self._beating.call()  # admits the sockets that are waiting
        for tell in self.listeners:
            tell()


heart = PerLoop(Heart)
"""The heartbeat of the running event loop."""
