"""The loop that makes the steps of tournaments when they are due. Any number of processes have one.

A step's rows are read and stored on a thread of their own, and the pairs of a round are computed in
a process of their own: no move waits for either.
"""

import asyncio
import subprocess  # nosec B404  # our own module, by our own interpreter
import sys
from contextlib import suppress
from functools import partial

from django.conf import settings

from games.journal.batch import journal
from games.journal.requests import Request
from games.runtime.db import in_db_for_people
from games.runtime.tasks import KeyedJobs
from games.store.heartbeat import is_up
from lobby.models import Tournament
from lobby.tournaments import lifecycle
from lobby.tournaments.field import Asked as RoundRequest
from lobby.tournaments.field import pairs_of
from lobby.tournaments.lifecycle import Asked
from lobby.tournaments.pairing import process
from lobby.tournaments.pairing.field import CannotPair, Pair
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


_PATIENCE = 120.0  # seconds
_MODULE = "lobby.tournaments.pairing"


class PairingFailedError(Exception):
    """The process died, took too long, or gave no answer. The step is tried again later."""


async def compute(asked: RoundRequest) -> tuple[Pair, ...]:
    """The pairs of a round. Raises CannotPair and PairingFailedError."""
    if asked.kind != Tournament.Kind.SWISS:
        return await asyncio.to_thread(pairs_of, asked)
    wanted = process.request(asked.entrants, asked.games, asked.number, asked.rounds, asked.absent)
    return process.pairs_of(await _answer(wanted))


async def _answer(wanted: bytes) -> bytes:
    running = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", _MODULE),
        cwd=settings.BASE_DIR,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(_PATIENCE):
            answer, fault = await running.communicate(wanted)
    except TimeoutError as error:
        raise PairingFailedError("it took too long") from error
    finally:
        with suppress(ProcessLookupError):  # it has ended, as it should
            if running.returncode is None:
                running.kill()
    if running.returncode != 0:
        raise PairingFailedError(fault.decode(errors="replace")[-500:])
    return answer
