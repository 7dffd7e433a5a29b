"""Thinks for the computer: takes the turns that are due, has them thought about by processes of its
own, and asks the journal as any player would. Any number may run side by side.

It also looks through the finished matches whose players asked where they were won and lost.
"""

import asyncio
import time
from contextlib import suppress
from typing import Any

import structlog
from django.conf import settings

from games.bots import has_bot
from games.engine import analysis
from games.engine import leases as turns
from games.engine.draws import draw_command
from games.engine.leases import Turn
from games.engine.workers import WorkerFailed, Workers
from games.journal import Request, journal
from games.live.rooms import CALLS, rooms
from games.match.commands import Play
from games.rules import GAMES
from games.runtime.db import Unavailable, at_desk, at_reading_desk
from games.runtime.metrics import THINKING, THOUGHT
from games.runtime.pubsub import hints

log = structlog.get_logger(__name__)

_EVERY = 0.25  # seconds between two looks, should nobody call
_KEEP_EVERY = 1.0  # seconds
_GIVES_WAY = 2.0  # seconds for which a look at one ply waits while turns are due
_ANALYSE_EVERY = 1.0  # seconds between two looks for a match to look through


class Thinker:
    """One process's share in thinking for the computer."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        # Not one of those for turns: it keeps what it found of a match, and no turn waits for it.
        self._reviewer = Workers(1)
        self._thinking: dict[asyncio.Task[None], Turn] = {}
        self._held: dict[asyncio.Task[None] | None, Turn] = {}  # of those, whose process is busy
        self._analysing: asyncio.Task[None] | None = None
        self._called = asyncio.Event()
        self._kept_at = self._analyse_at = 0.0
        rooms()  # tells the sockets here, and the other servers, of what was played
        journal().listeners.append(self._listen)
        hints().hear(CALLS, lambda _: self._called.set())

    async def think(self) -> None:
        """Go on until cancelled; a database that is away is waited for."""
        warming = asyncio.ensure_future(self._warm())
        try:
            while True:
                try:
                    await self._round()
                except Unavailable:
                    pass  # counted and logged at the desk
                except Exception:
                    log.exception("round failed", part="bots")
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._called.wait(), _EVERY)
                self._called.clear()
        finally:
            warming.cancel()
            self._workers.end()
            self._reviewer.end()

    def _listen(self, changed: Any) -> None:
        if any(row.bot_at is not None for row in changed):
            self._called.set()

    async def _round(self) -> None:
        now = time.monotonic()
        if self._thinking and now - self._kept_at >= _KEEP_EVERY:
            self._kept_at = now
            await at_desk(turns.keep, list(self._thinking.values()))
        most = self._workers.free
        if most > 0 and await at_reading_desk(turns.are_due):
            held = list(self._held.values())
            for turn in await at_desk(turns.take, most, held, self._workers.count):
                task = asyncio.ensure_future(self._act(turn))
                self._thinking[task] = self._held[task] = turn
                THINKING.set(len(self._thinking))
                task.add_done_callback(self._acted)
        if self._may_analyse(now):
            due = await at_reading_desk(analysis.is_due)
            if due and (wanted := await at_desk(analysis.take)):
                self._analysing = asyncio.ensure_future(self._analyse(wanted))

    def _may_analyse(self, now: float) -> bool:
        """One match at a time, and not looked for as often as turns are."""
        if now < self._analyse_at or (self._analysing and not self._analysing.done()):
            return False
        self._analyse_at = now + _ANALYSE_EVERY
        return True

    def _acted(self, task: asyncio.Task[None]) -> None:
        self._thinking.pop(task, None)
        self._held.pop(task, None)
        THINKING.set(len(self._thinking))
        self._called.set()
        error = None if task.cancelled() else task.exception()
        # The turn is due again when nobody keeps it.
        if error is not None and not isinstance(error, Unavailable):
            log.error("turn failed", part="bots", why=repr(error))

    async def _act(self, turn: Turn) -> None:
        if await self._is_drawn(turn):
            return
        began = time.monotonic()
        action = await self._chosen(turn)
        self._held.pop(asyncio.current_task(), None)
        THOUGHT.labels(turn.row.game, turn.level).observe(time.monotonic() - began)
        await asyncio.sleep(turn.pause)
        answer = await journal().ask(
            Request(turn.row.id, turn.player_id, Play(turn.row.ply, action))
        )
        if answer.row is None:
            raise Unavailable

    async def _is_drawn(self, turn: Turn) -> bool:
        """Whether the computer has ended the match instead of acting; an offer ends nothing."""
        command = draw_command(turn.row, turn.row.seat_of(turn.player_id) or 0)
        if command is None:
            return False
        answer = await journal().ask(Request(turn.row.id, turn.player_id, command))
        if answer.row is None:
            raise Unavailable
        return not answer.row.is_live

    async def _chosen(self, turn: Turn) -> str:
        """An action; a process that fails is replaced, and then asked for less."""
        row = turn.row
        for level, budget in ((turn.level, turn.budget), (turn.level, turn.budget / 4), (1, 0.1)):
            with suppress(WorkerFailed):
                answer = await self._workers.do(
                    game=row.game,
                    notation=row.notation,
                    level=level,
                    budget=budget,
                    seed=turn.seed,
                )
                return str(answer["action"])
        raise WorkerFailed("three times in a row")

    async def _analyse(self, wanted: analysis.Wanted) -> None:
        """Look through one match; what fails is due again when nobody keeps it."""
        try:
            await self._look_through(wanted)
            self._reviewer.end()  # it holds a hundred megabytes, and the next match may be far off
        except Unavailable:
            pass  # counted and logged at the desk
        except Exception:
            log.exception("analysis failed", part="bots")

    async def _look_through(self, wanted: analysis.Wanted) -> None:
        """Each ply is a job of its own, so that turns go between: from the last to the first, as
        what is known of a position helps with those before it."""
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
                if not await at_desk(analysis.keep, wanted, len(looks)):
                    return  # the match goes on, or another has it
        await at_desk(analysis.store, wanted, looks[::-1])
        self._analyse_at = 0.0  # another may wait
        self._called.set()

    async def _give_way(self) -> None:
        """Let live matches go first: whoever plays waits for each turn. But not for ever, so that
        matches are looked through on a busy evening too."""
        until = time.monotonic() + _GIVES_WAY
        # Only the database knows what is due: there is no event to wait for.
        while await at_reading_desk(turns.are_due) and time.monotonic() < until:  # noqa: ASYNC110
            await asyncio.sleep(0.05)

    async def _warm(self) -> None:
        """Be ready before the first player comes."""
        for slug in GAMES:
            if has_bot(slug):
                with suppress(WorkerFailed):
                    await self._workers.do(game=slug)
