"""The loop that makes the steps of tournaments when they are due. Any number of processes have one.

A step's rows are read and stored on a thread of their own, and the pairs of a round are computed in
a process of their own: no move waits for either.
"""

import asyncio
from functools import partial

from games.journal.batch import journal
from games.journal.requests import Request
from games.runtime.db import in_db_for_people
from games.runtime.tasks import KeyedJobs
from games.store.heartbeat import is_up
from lobby.tournaments import lifecycle
from lobby.tournaments.lifecycle import Asked
from lobby.tournaments.pairing.field import CannotPair, Pair
from lobby.tournaments.pairing_process import compute
from lobby.tournaments.plan import PairRound

EVERY = 0.5  # seconds between two looks at what is due
_TURN = 0.02  # seconds after each step, or part of one, in which moves have their turn


class Stepping:
    """One process's part: a tournament is not held up by the steps of others."""

    def __init__(self) -> None:
        self._steps: KeyedJobs[str] = KeyedJobs("tournaments")

    async def __call__(self) -> None:
        if not await in_db_for_people(is_up):
            return  # nobody can come, or play: no time of a tournament passes
        # What is being stepped here is taken by its own work: a second lease would be nobody's.
        for taken in await in_db_for_people(lifecycle.take_due, None, self._steps.keys):
            self._steps.start(taken.id, partial(self._step, taken.id))

    async def _step(self, tournament_id: str) -> None:
        """One step, and those that are due at once after it."""
        while True:
            asked = await step(tournament_id)
            await asyncio.gather(
                *(journal().ask(Request(match_id, None, command)) for match_id, command in asked)
            )
            await asyncio.sleep(_TURN)
            if not await in_db_for_people(lifecycle.take, tournament_id):
                return


async def step(tournament_id: str) -> Asked:
    """One step of a tournament; what the journal is to be asked after it."""
    snapshot = await in_db_for_people(lifecycle.read, tournament_id)
    computed: tuple[Pair, ...] | CannotPair | None = None
    if isinstance(snapshot.plan, PairRound):
        try:
            computed = await compute(lifecycle.question(snapshot))
        except CannotPair as cannot:
            computed = cannot
    asked = await in_db_for_people(lifecycle.store, snapshot, computed)
    while snapshot.wave:
        await asyncio.sleep(_TURN)
        asked += await in_db_for_people(lifecycle.store, snapshot, computed)
    return asked
