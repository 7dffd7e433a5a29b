"""Delivers the events of matches in this process, as soon as one is reported."""

from collections.abc import Sequence

from games.journal import events
from games.journal.batch import journal
from games.match.state import Row
from games.runtime.db import at_housekeeping
from games.runtime.pubsub import hints
from games.runtime.tasks import Repeated

_EVERY = 0.5  # seconds between two rounds, if none is reported


class Delivery:
    """One process's deliverer. Any number of processes may have one."""

    def __init__(self) -> None:
        self._loop = Repeated("events", self._round, _EVERY)
        journal().listeners.append(self._listen)
        hints().hear(events.GROUP, lambda _: self._loop.call())

    async def run(self) -> None:
        """Run until cancelled."""
        await self._loop.run()

    def _listen(self, changed: Sequence[Row]) -> None:
        if any(not row.is_live for row in changed):
            self._loop.call()

    async def _round(self) -> None:
        while await at_housekeeping(events.deliver):
            pass
