"""The loop that runs the steps of tournaments when they are due, in any number of processes.

The database is used on a separate thread. A Swiss round is paired in a separate process, because a
large one takes seconds of CPU time. Rounds of other kinds take a few milliseconds, and are paired
on a thread. Neither blocks the event loop.
"""

import asyncio
import subprocess  # nosec B404  # it runs only our own module
import sys
from collections.abc import Collection
from contextlib import suppress
from functools import partial

from django.conf import settings
from django.utils import timezone

from games.journal.batch import journal
from games.journal.requests import Request
from games.runtime.db import in_db_for_people
from games.runtime.tasks import KeyedJobs
from games.store.heartbeat import is_up
from lobby.models import Tournament
from lobby.tournaments import lifecycle
from lobby.tournaments.field import PairingInput as RoundRequest
from lobby.tournaments.field import compute_pairs
from lobby.tournaments.lifecycle import MatchCommands
from lobby.tournaments.pairing import process
from lobby.tournaments.pairing.field import CannotPair, Pair
from lobby.tournaments.plan import PairRound

EVERY = 5.0  # seconds between two rounds if no tournament is due
_TURN = 0.02  # seconds to sleep after each part of a step, so that moves are processed in between


class Stepping:
    """The loop of one process. A slow tournament does not delay the others."""

    def __init__(self) -> None:
        self._steps: KeyedJobs[str] = KeyedJobs("tournaments")

    async def __call__(self) -> None:
        # Leave out the tournaments whose steps this process is running.
        for taken in await in_db_for_people(_take_due, self._steps.keys):
            self._steps.start(taken.id, partial(self._step, taken.id))

    async def _step(self, tournament_id: str) -> None:
        """Run the tournament's steps that are due, and send their commands to the journal."""
        while True:
            asked = await step(tournament_id)
            await asyncio.gather(
                *(journal().ask(Request(match_id, None, command)) for match_id, command in asked)
            )
            await asyncio.sleep(_TURN)
            if not await in_db_for_people(lifecycle.lease_tournament, tournament_id):
                return


def is_any_due() -> bool:
    """Return whether a step of a tournament is due. While the site is down, none is."""
    return is_up() and lifecycle.LEASE.is_any_due(Tournament, timezone.now())


def _take_due(but: Collection[str]) -> list[lifecycle.Taken]:
    """Lease due tournaments. While the site is down, they pause until players can reconnect."""
    return lifecycle.lease_due_tournaments(but=but) if is_up() else []


async def step(tournament_id: str) -> MatchCommands:
    """Run a step, and return the commands for the journal with match ids."""
    snapshot = await in_db_for_people(lifecycle.read_snapshot, tournament_id)
    computed: tuple[Pair, ...] | CannotPair | None = None
    if isinstance(snapshot.plan, PairRound):
        try:
            computed = await compute_round(lifecycle.build_pairing_input(snapshot))
        except CannotPair as cannot:
            computed = cannot
    asked = await in_db_for_people(lifecycle.store_step, snapshot, computed)
    while snapshot.wave:
        await asyncio.sleep(_TURN)
        asked += await in_db_for_people(lifecycle.store_step, snapshot, computed)
    return asked


_PATIENCE = 120.0  # the maximum number of seconds for the process that pairs a round
_MODULE = "lobby.tournaments.pairing"


class PairingFailedError(Exception):
    """The pairing process died or took too long. The step is tried again later."""


async def compute_round(asked: RoundRequest) -> tuple[Pair, ...]:
    """Return the pairs of a round.

    Raise `CannotPair` if no valid pairing exists, and `PairingFailedError` if the process fails.
    """
    if asked.kind != Tournament.Kind.SWISS:
        return await asyncio.to_thread(compute_pairs, asked)
    wanted = process.encode_request(
        asked.entrants, asked.games, asked.number, asked.rounds, asked.absent
    )
    return process.decode_answer(await _ask_pairing_process(wanted))


async def _ask_pairing_process(wanted: bytes) -> bytes:
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
        with suppress(ProcessLookupError):  # the process may have ended
            if running.returncode is None:
                running.kill()
    if running.returncode != 0:
        raise PairingFailedError(fault.decode(errors="replace")[-500:])
    return answer
