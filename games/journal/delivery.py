"""Delivers the events of matches in this process, as soon as one is reported."""

from games.journal import events
from games.journal.publisher import publisher
from games.runtime.db import in_db_for_chores
from games.runtime.tasks import Repeated

_EVERY = 0.5  # seconds between two rounds, if none is reported


class Delivery:
    """One process's deliverer. Any number of processes may have one."""

    def __init__(self) -> None:
        self._loop = Repeated("events", self._round, _EVERY)
        publisher().listen_for_events(self._loop.call)

    def start(self) -> None:
        """Hand events on until the event loop ends."""
        self._loop.start()

    async def _round(self) -> None:
        while await in_db_for_chores(events.deliver):
            pass
