"""Hands on the events of matches, in this process: at once when it is called, else now and then."""

from collections.abc import Sequence

from games.journal import events
from games.journal.batch import journal
from games.match.state import Row
from games.runtime.db import at_housekeeping
from games.runtime.pubsub import hints
from games.runtime.tasks import Repeated

_EVERY = 0.5  # seconds between two looks, should nobody call


class Delivery:
    """One process's share in handing events on. Any number of processes may do so."""

    def __init__(self) -> None:
        self._loop = Repeated("events", self._round, _EVERY)
        journal().listeners.append(self._listen)
        hints().hear(events.GROUP, lambda _: self._loop.call())

    async def run(self) -> None:
        """Go on until cancelled."""
        await self._loop.run()

    def _listen(self, changed: Sequence[Row]) -> None:
        if any(not row.is_live for row in changed):
            self._loop.call()

    async def _round(self) -> None:
        while await at_housekeeping(events.deliver):
            pass
