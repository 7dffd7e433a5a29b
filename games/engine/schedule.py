"""Plays for the computer: takes the turns that are due, has worker processes choose the actions,
and sends them to the journal as any player would. Any number of schedulers may run side by side.

It also analyses finished matches, where a player has asked for that.
"""

import asyncio
import time
from contextlib import suppress
from typing import Any

import structlog
from django.conf import settings

from games.bots import has_bot
from games.engine import analysis, turns
from games.engine.draws import draw_command
from games.engine.turns import Turn
from games.engine.workers import WorkerFailed, Workers
from games.journal.batch import journal
from games.journal.publisher import publisher
from games.journal.requests import Request
from games.match.commands import Play
from games.rules import GAMES
from games.runtime.db import Unavailable, in_db, in_db_for_reading
from games.runtime.metrics import THINKING, THOUGHT
from games.runtime.tasks import Repeated

log = structlog.get_logger(__name__)

_EVERY = 0.25  # seconds between two rounds, if no turn is reported
_KEEP_EVERY = 1.0  # seconds
_GIVES_WAY = 2.0  # seconds for which the analysis of one ply waits while turns are due
_ANALYSE_EVERY = 1.0  # seconds between two queries for a match to analyse


class Thinker:
    """The part of one process in playing for the computer."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        # Not one of those for turns: it keeps what it found of a match, and no turn waits for it.
        self._reviewer = Workers(1)
        self._thinking: dict[asyncio.Task[None], Turn] = {}
        self._held: dict[asyncio.Task[None] | None, Turn] = {}  # those whose worker is still busy
        self._analysing: asyncio.Task[None] | None = None
        self._loop = Repeated("bots", self._round, _EVERY, at_end=self._end)
        self._warming: asyncio.Task[None] | None = None
        self._kept_at = self._analyse_at = 0.0
        publisher().listen_for_turns(self._loop.call)

    def start(self) -> None:
        """Play until the event loop ends, or until `stop`."""
        if self._loop.start():
            self._warming = asyncio.get_running_loop().create_task(self._warm())

    async def stop(self) -> None:
        """End it, with its processes."""
        await self._loop.stop()

    def _end(self) -> None:
        for task in (self._warming, self._analysing, *self._thinking):
            if task is not None:
                task.cancel()
        self._workers.end()
        self._reviewer.end()

    async def _round(self) -> None:
        now = time.monotonic()
        if self._thinking and now - self._kept_at >= _KEEP_EVERY:
            self._kept_at = now
            await in_db(turns.keep, list(self._thinking.values()))
        most = self._workers.free
        if most > 0 and await in_db_for_reading(turns.are_due):
            held = list(self._held.values())
            for turn in await in_db(turns.take, most, held, self._workers.count):
                task = asyncio.ensure_future(self._act(turn))
                self._thinking[task] = self._held[task] = turn
                THINKING.set(len(self._thinking))
                task.add_done_callback(self._acted)
        if self._may_analyse(now):
            due = await in_db_for_reading(analysis.is_due)
            if due and (wanted := await in_db(analysis.take)):
                self._analysing = asyncio.ensure_future(self._analyse(wanted))

    def _may_analyse(self, now: float) -> bool:
        """Whether to look for a match to analyse: one at a time, and less often than for turns."""
        if now < self._analyse_at or (self._analysing and not self._analysing.done()):
            return False
        self._analyse_at = now + _ANALYSE_EVERY
        return True

    def _acted(self, task: asyncio.Task[None]) -> None:
        self._thinking.pop(task, None)
        self._held.pop(task, None)
        THINKING.set(len(self._thinking))
        self._loop.call()
        error = None if task.cancelled() else task.exception()
        # Its lease is not renewed any more, so the turn will be due again.
        if error is not None and not isinstance(error, Unavailable):
            log.error("turn failed", part="bots", why=repr(error))

    async def _act(self, turn: Turn) -> None:
        if await self._is_drawn(turn):
            return
        began = time.monotonic()
        action = await self._chosen(turn)
        self._held.pop(asyncio.current_task(), None)
        THOUGHT.labels(turn.state.game, turn.level).observe(time.monotonic() - began)
        await asyncio.sleep(turn.pause)
        answer = await journal().ask(
            Request(turn.state.id, turn.player_id, Play(turn.state.ply, action))
        )
        if answer.state is None:
            raise Unavailable

    async def _is_drawn(self, turn: Turn) -> bool:
        """Whether the computer has ended the match instead of acting; an offer ends nothing."""
        command = draw_command(turn.state, turn.state.seat_of(turn.player_id) or 0)
        if command is None:
            return False
        answer = await journal().ask(Request(turn.state.id, turn.player_id, command))
        if answer.state is None:
            raise Unavailable
        return not answer.state.is_live

    async def _chosen(self, turn: Turn) -> str:
        """An action. A worker that fails is replaced, and the next one gets an easier job."""
        state = turn.state
        for level, budget in ((turn.level, turn.budget), (turn.level, turn.budget / 4), (1, 0.1)):
            with suppress(WorkerFailed):
                answer = await self._workers.do(
                    game=state.game,
                    notation=state.notation,
                    level=level,
                    budget=budget,
                    seed=turn.seed,
                )
                return str(answer["action"])
        raise WorkerFailed("three times in a row")

    async def _analyse(self, wanted: analysis.Wanted) -> None:
        """Analyse one match. If that fails, it is due again once its lease has run out."""
        try:
            await self._look_through(wanted)
            self._reviewer.end()  # it holds a hundred megabytes, and the next match may be far off
        except Unavailable:
            pass  # counted and logged where it was raised
        except Exception:
            log.exception("analysis failed", part="bots")

    async def _look_through(self, wanted: analysis.Wanted) -> None:
        """Analyse each ply as a job of its own, so that turns can go first."""
        looks: list[dict[str, Any]] = []
        kept_at = time.monotonic()
        for position, action in reversed(wanted.steps):
            await self._give_way()
            try:
                look = await self._reviewer.do(
                    game=wanted.game,
                    notation=position,
                    action=action,
                    budget=settings.ANALYSIS_MS / 1000,
                    review=wanted.match_id,
                )
            except WorkerFailed:
                look = {}
            looks.append(look)
            if time.monotonic() - kept_at >= _KEEP_EVERY:
                kept_at = time.monotonic()
                if not await in_db(analysis.keep, wanted, len(looks)):
                    return  # the match has changed, or another process has taken it
        await in_db(analysis.store, wanted, looks)
        self._analyse_at = 0.0  # there may be another one
        self._loop.call()

    async def _give_way(self) -> None:
        """Let turns go first, as their players wait for them; but only for so long, so that matches
        are analysed on a busy evening too."""
        until = time.monotonic() + _GIVES_WAY
        # Only the database knows what is due: there is no event to wait for.
        while await in_db_for_reading(turns.are_due) and time.monotonic() < until:  # noqa: ASYNC110
            await asyncio.sleep(0.05)

    async def _warm(self) -> None:
        """Have a worker load each game before the first player needs it."""
        for slug in GAMES:
            if has_bot(slug):
                with suppress(WorkerFailed):
                    await self._workers.do(game=slug)
