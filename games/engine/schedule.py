"""The scheduler of the computer player.

It takes the turns that are due, has worker processes choose the actions, and sends these to the
journal like those of any other player. On request, it also evaluates positions and analyses
finished matches. Several schedulers may run at the same time.
"""

import asyncio
import time
from contextlib import suppress
from typing import Any

import structlog
from django.conf import settings

from games.bots import has_bot
from games.engine import analysis, positions, turns
from games.engine.turns import Turn, choose_draw_command
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

_EVERY = 0.25  # seconds between two rounds if no turn is reported
_KEEP_EVERY = 1.0  # seconds between two renewals of the leases
_GIVES_WAY = 2.0  # the maximum time in seconds for which an analysed ply waits for due turns
_ANALYSE_EVERY = 1.0  # seconds between two queries for a match to analyse


class Thinker:
    """The computer player in this process."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        # Analyses have a worker of their own, so that they do not occupy a worker that turns need.
        # It keeps the search tables of the match.
        self._reviewer = Workers(1)
        self._thinking: dict[asyncio.Task[None], Turn] = {}
        # The turns for which a worker is still choosing an action.
        self._held: dict[asyncio.Task[None] | None, Turn] = {}
        self._analysing: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[None] | None = None
        self._loop = Repeated("bots", self._round, _EVERY, at_end=self._end)
        self._warming: asyncio.Task[None] | None = None
        self._kept_at = self._analyse_at = 0.0
        publisher().listen_for_turns(self._loop.call)

    def start(self) -> None:
        """Play until `stop`, or until the event loop ends."""
        if self._loop.start():
            self._warming = asyncio.get_running_loop().create_task(self._warm())

    async def stop(self) -> None:
        """Stop playing, and end the worker processes."""
        await self._loop.stop()

    def _end(self) -> None:
        for task in (self._warming, self._analysing, self._looking, *self._thinking):
            if task is not None:
                task.cancel()
        self._workers.end()
        self._reviewer.end()

    async def _round(self) -> None:
        now = time.monotonic()
        if self._thinking and now - self._kept_at >= _KEEP_EVERY:
            self._kept_at = now
            await in_db(turns.renew_turns, list(self._thinking.values()))
        most = self._workers.free
        if most > 0 and await in_db_for_reading(turns.has_due_turns):
            held = list(self._held.values())
            for turn in await in_db(turns.lease_turns, most, held, self._workers.count):
                task = asyncio.ensure_future(self._act(turn))
                self._thinking[task] = self._held[task] = turn
                THINKING.set(len(self._thinking))
                task.add_done_callback(self._acted)
        await self._look_at_a_position()
        if self._may_analyse(now):
            due = await in_db_for_reading(analysis.has_due_analysis)
            if due and (wanted := await in_db(analysis.lease_analysis)):
                self._analysing = asyncio.ensure_future(self._analyse(wanted))

    def _may_analyse(self, now: float) -> bool:
        """Return whether to query for a match to analyse: only one at a time, and not too often."""
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
        # The turn's lease is no longer renewed, so the turn will be due again.
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
        """Send the computer's draw command, if any, and return whether it ended the match."""
        command = choose_draw_command(turn.state, turn.state.seat_of(turn.player_id) or 0)
        if command is None:
            return False
        answer = await journal().ask(Request(turn.state.id, turn.player_id, command))
        if answer.state is None:
            raise Unavailable
        return not answer.state.is_live

    async def _chosen(self, turn: Turn) -> str:
        """Let a worker choose an action. If it fails, try again with less time, then at level 1.

        Raise `WorkerFailed` if three attempts fail.
        """
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

    async def _look_at_a_position(self) -> None:
        """Start evaluating a requested position if a worker is free, one position at a time."""
        if (self._looking and not self._looking.done()) or self._workers.free < 1:
            return
        if await in_db_for_reading(positions.has_due_position):
            wanted = await in_db(positions.lease_position)
            if wanted is not None:
                self._looking = asyncio.ensure_future(self._look(wanted))

    async def _look(self, wanted: positions.EvaluationTask) -> None:
        """Evaluate a position.

        If the database fails, the position is due again when its lease expires.
        """
        look: dict[str, Any] = {}
        budget = settings.ANALYSIS_MS_PER_MOVE / 1000
        with suppress(WorkerFailed):
            look = await self._workers.do(
                game=wanted.game, notation=wanted.notation, action=wanted.action, budget=budget
            )
        with suppress(Unavailable):
            await in_db(positions.store_evaluation, wanted, look)
        self._loop.call()

    async def _analyse(self, wanted: analysis.AnalysisTask) -> None:
        """Analyse one match. If that fails, the match is due again when its lease expires."""
        try:
            await self._look_through(wanted)
            # The idle process would use 100 MB, and the next request may be a long time away.
            self._reviewer.end()
        except Unavailable:
            pass  # the exception was counted and logged where it was raised
        except Exception:
            log.exception("analysis failed", part="bots")

    async def _look_through(self, wanted: analysis.AnalysisTask) -> None:
        """Analyse a match, and store the result.

        Each ply is a separate job, so that turns take precedence.
        """
        looks: list[dict[str, Any]] = []
        kept_at = time.monotonic()
        for position, action in reversed(wanted.steps):
            await self._give_way()
            try:
                look = await self._reviewer.do(
                    game=wanted.game,
                    notation=position,
                    action=action,
                    budget=settings.ANALYSIS_MS_PER_MOVE / 1000,
                    review=wanted.match_id,
                )
            except WorkerFailed:
                look = {}
            looks.append(look)
            if time.monotonic() - kept_at >= _KEEP_EVERY:
                kept_at = time.monotonic()
                if not await in_db(analysis.renew_analysis, wanted, len(looks)):
                    return  # the match has changed, or another process has finished the analysis
        await in_db(analysis.store_analysis, wanted, looks[::-1])
        self._analyse_at = 0.0  # query for the next match immediately
        self._loop.call()

    async def _give_way(self) -> None:
        """Wait while turns are due, but at most `_GIVES_WAY` seconds.

        Players wait for turns, so these come first. The limit lets analyses progress under load.
        """
        until = time.monotonic() + _GIVES_WAY
        # Only the database knows which turns are due, so there is no event to wait for.
        while await in_db_for_reading(turns.has_due_turns) and time.monotonic() < until:  # noqa: ASYNC110  # see above
            await asyncio.sleep(0.05)

    async def _warm(self) -> None:
        """Make the workers load each game before the first player needs it.

        One worker starts alone, because it may have to compile the games for all of them.
        """
        # All games from rule sheets have the same code, so one of them is enough.
        first_sheet = next((slug for slug in GAMES if GAMES[slug].sheet), "")
        games = [
            slug
            for slug in GAMES
            if has_bot(slug) and (not GAMES[slug].sheet or slug == first_sheet)
        ]
        for jobs in (1, self._workers.count):
            for slug in games:
                await asyncio.gather(*(self._load(slug) for _ in range(jobs)))

    async def _load(self, slug: str) -> None:
        with suppress(WorkerFailed):
            await self._workers.do(game=slug)
