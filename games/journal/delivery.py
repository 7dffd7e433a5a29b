"""Delivers the events of matches in this process, as soon as one is reported."""

import asyncio

from games.journal import events
from games.journal.publisher import publisher
from games.runtime.db import in_db_for_chores
from games.runtime.tasks import Repeated

_EVERY = 0.5  # seconds between two rounds, if none is reported
# After each round, so that under load a round delivers many: each costs two transactions, and on
# SQLite those hold up the moves.
_COLLECTING = 0.3


class Delivery:
    """One process's deliverer. Any number of processes may have one."""

    def __init__(self) -> None:
        self._loop = Repeated("events", self._round, _EVERY)
        publisher().listen_for_events(self._loop.call)

    def start(self) -> None:
        """Hand events on until the event loop ends."""
        self._loop.start()

    async def _round(self) -> None:
        if await in_db_for_chores(events.deliver):
            await asyncio.sleep(_COLLECTING)
            self._loop.call()  # there may be more
