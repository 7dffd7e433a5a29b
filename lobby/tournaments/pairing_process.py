"""Pairs a round where it holds nobody up: a Swiss in a process of its own, as a large one takes
seconds of a core; the others, which take a few milliseconds, on a thread.
"""

import asyncio
import subprocess  # nosec B404  # our own module, by our own interpreter
import sys
from contextlib import suppress

from django.conf import settings

from lobby.models import Tournament
from lobby.tournaments.pairing import process
from lobby.tournaments.pairing.field import Pair
from lobby.tournaments.pairs import Asked, pairs_of

_PATIENCE = 120.0  # seconds
_MODULE = "lobby.tournaments.pairing"


class PairingFailedError(Exception):
    """The process died, took too long, or gave no answer. The step is tried again later."""


async def compute(asked: Asked) -> tuple[Pair, ...]:
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
