"""The one writer of matches.

What waits when the journal turns around (one command, or hundreds for different matches) is read,
carried out by `games.match.conduct` and committed in one transaction; then it is answered and
published.
The cost of a commit is shared under load, and nothing is added when idle.

The database decides every race. The rows are locked while they are read (on SQLite by the
transaction, which is the only writer; on PostgreSQL row by row), a row is written only if its
version is still the one that was read, and (match, ply) is unique among the moves.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

import structlog
from django.conf import settings
from django.db import (
    DatabaseError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    connection,
    transaction,
)
from django.utils import timezone
from msgspec import Struct
from msgspec.structs import asdict, astuple, replace

from games import events
from games.making import lock, must_be_allowed, note_caller, persons
from games.match.commands import Command, PlayerCommand, Rematch, Resume, Sweep, WithdrawRematch
from games.match.conduct import begin, conduct
from games.match.refusal import Refused
from games.match.setup import Setup
from games.match.state import Change, Circumstances, Limits, NewMove, Row
from games.models import Match, Move
from games.rules import GAMES
from games.runtime.db import Unavailable, at_desk
from games.runtime.metrics import BATCH, COMMANDS, COMMIT
from games.runtime.per_loop import PerLoop
from games.runtime.turntaking import SITE, Asker, Line
from games.store import heartbeat as pulse
from games.store.digests import begun, carried
from games.store.outages import Outage
from games.store.presence import last_seen
from games.store.suspensions import suspended

log = structlog.get_logger(__name__)

FIELDS = Row.__struct_fields__
_FIXED = {
    *("id", "game", "clock", "options", "rated", "created_at"),
    *("first_id", "second_id", "first_level", "second_level"),
}
_WRITTEN = tuple(index for index, name in enumerate(FIELDS) if name not in _FIXED)
_BATCH = 500  # the most commands in one transaction
_EACH = 50  # of one household, so that what a stranger asks meanwhile does not wait for all of them


class Request(Struct, frozen=True):
    """A command of a player (None: of nobody known) for a match.

    `lag_ms` is the delay of the player's connection as the server measured it. `known` is the row
    as the asker last saw it committed: what is built upon it is stored only if it is so still.
    """

    match_id: str
    player_id: int | None
    command: Command
    lag_ms: int = 0
    known: Row | None = None
    asker: Asker = SITE


class Answer(Struct, frozen=True):
    """What became of a request: the row as committed, and why it was refused, if it was.

    `row` is None where there is no such match (or no database).
    """

    row: Row | None
    refused: str | None = None


_UNAVAILABLE = Answer(None, "unavailable")


class _RowMovedError(Exception):
    """Somebody else wrote between our reading and our writing."""


# -- from the sockets


class Journal:
    """Collects what the sockets of one event loop ask, and commits it together."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.listeners: list[Callable[[Sequence[Row]], None]] = []
        self._waiting: Line[tuple[Request, asyncio.Future[Answer]]] = Line()
        self._turning: asyncio.Task[None] | None = None

    async def ask(self, request: Request) -> Answer:
        """The answer to a request, once it is committed."""
        future: asyncio.Future[Answer] = self._loop.create_future()
        self._waiting.put(request.asker, (request, future))
        if self._turning is None:
            self._turning = self._loop.create_task(self._turn())
            self._turning.add_done_callback(self._turned)
        return await future

    async def finished(self) -> None:
        """Return once nothing waits to be committed."""
        while self._turning is not None:
            await asyncio.shield(self._turning)

    def announce(self, changed: Sequence[Row]) -> None:
        """Tell whoever listens of rows that were committed."""
        for tell in self.listeners:
            try:
                tell(changed)
            except Exception:  # a fault in one listener is no reason not to tell the others
                log.exception("listener failed", part="journal")

    async def _turn(self) -> None:
        batch: list[tuple[Request, asyncio.Future[Answer]]] = []
        try:
            while self._waiting:
                each = _EACH if settings.RATE_LIMITS else _BATCH
                batch = self._waiting.take(_BATCH, each)
                await self._commit(batch)
        except Exception:
            log.exception("turn failed", part="journal")
        finally:
            self._end_turn(batch)

    def _turned(self, turning: asyncio.Task[None]) -> None:
        if self._turning is turning:  # cancelled before it began
            self._end_turn([])

    def _end_turn(self, batch: list[tuple[Request, asyncio.Future[Answer]]]) -> None:
        """However a turn ends, even by being cancelled: nobody is left waiting."""
        waiting, self._turning = len(self._waiting), None
        for _, future in [*batch, *self._waiting.take(waiting, waiting)]:
            _give(future, _UNAVAILABLE)

    async def _commit(self, batch: list[tuple[Request, asyncio.Future[Answer]]]) -> None:
        BATCH.observe(len(batch))
        try:
            with COMMIT.time():
                answers, changed = await at_desk(commit, [request for request, _ in batch])
        except Exception as error:  # whatever it is, nobody may be left waiting
            if not isinstance(error, Unavailable):
                log.exception("batch failed", part="journal")
            answers, changed = [_UNAVAILABLE] * len(batch), []
        refused = sum(answer.refused is not None for answer in answers)
        COMMANDS.labels("refused").inc(refused)
        COMMANDS.labels("accepted").inc(len(batch) - refused)
        self.announce(changed)
        for (_, future), answer in zip(batch, answers, strict=True):
            _give(future, answer)


def _give(future: asyncio.Future[Answer], answer: Answer) -> None:
    if not future.done():
        future.set_result(answer)


journal = PerLoop(Journal)
"""The journal of the running event loop."""


# -- to the database


def open_match(
    setup: Setup,
    first_id: int,
    second_id: int,
    now: datetime | None = None,
    levels: tuple[int | None, int | None] = (None, None),
    household: str = "",
) -> Match:
    """Store a new live match, within a transaction. The players take the game's roles in this
    order.

    `levels` are those of the computer, where it takes a seat; then `household` is where it is
    called from. Raises `Refused` where somebody has begun too many matches.
    """
    now = now or timezone.now()
    people, with_computer = persons(first_id, second_id, levels), levels != (None, None)
    must_be_allowed(people, with_computer, household)
    if with_computer and household:
        for player_id in people:
            note_caller(player_id, household, now)
    match = Match(
        **asdict(setup),
        first_id=first_id,
        second_id=second_id,
        notation=GAMES[setup.game].start.notation,
        first_level=levels[0],
        second_level=levels[1],
        created_at=now,
        acted_at=now,
    )
    row = begin(Row(*(getattr(match, name) for name in FIELDS)), limits())
    match.first_ms, match.second_ms = row.first_ms, row.second_ms
    match.deadline, match.bot_at = row.deadline, row.bot_at
    match.chain = begun(row)
    with transaction.atomic():
        match.save(force_insert=True)
        events.write([(None, row)], now)
    return match


def limits() -> Limits:
    """How long things may take, from the settings."""
    return Limits(
        start_within=timedelta(seconds=settings.START_SECONDS),
        lag_ms=settings.LAG_ALLOWANCE_MS,
        lag_budget_ms=settings.LAG_BUDGET_MS,
        lag_refill_ms=settings.LAG_REFILL_MS,
        # Who is shown as here has not left, however short the settings are.
        gone_timed=timedelta(seconds=max(settings.ABANDONED_SECONDS, settings.GONE_SECONDS)),
        gone_untimed=max(
            timedelta(days=settings.ABANDONED_DAYS), timedelta(seconds=settings.GONE_SECONDS)
        ),
        stalled=timedelta(days=settings.STALLED_DAYS),
    )


def read(match_ids: Iterable[str]) -> dict[str, Row]:
    """The rows of these matches, by id, as they are committed now."""
    found = Match.objects.filter(pk__in=list(match_ids)).values_list(*FIELDS)
    return {values[0]: Row(*values) for values in found}


def commit(requests: Sequence[Request]) -> tuple[list[Answer], list[Row]]:
    """Carry out the requests in their order, in one transaction.

    Gives an answer to each, and the rows that were changed. Rows that the askers know are tried
    first; where the database has moved on, all is read anew, and a race that it then decides
    against us is run again, request by request. So is a batch with a match that cannot be read or
    stored: that one alone is refused. Raises only where the database itself is away.
    """
    for trusting in (True, False):
        try:
            return _transact(requests, trusting)
        except (OperationalError, InterfaceError):
            raise
        except (_RowMovedError, IntegrityError):
            continue
        except Exception:
            log.exception("transaction failed", part="journal", commands=len(requests))
            break
    answers: list[Answer] = []
    changed: dict[str, Row] = {}
    for request in requests:
        some, rows = _alone(replace(request, known=None))
        answers.append(some)
        changed.update((row.id, row) for row in rows)
    return answers, list(changed.values())


def _alone(request: Request) -> tuple[Answer, list[Row]]:
    """Carry out one request in a transaction of its own, whose faults touch no other."""
    for _ in range(3):
        try:
            (answer,), changed = _transact([request], trusting=False)
        except (OperationalError, InterfaceError):
            raise
        except (_RowMovedError, IntegrityError):
            continue
        except Exception:
            log.exception("command not stored", part="journal", match=request.match_id)
            break
        else:
            return answer, changed
    else:
        log.error("a match would not hold still", part="journal", match=request.match_id)
    return _UNAVAILABLE, []


def _transact(requests: Sequence[Request], trusting: bool) -> tuple[list[Answer], list[Row]]:
    outages = pulse.outages()
    with transaction.atomic():
        lock(_rematching(requests))
        known = {r.match_id: r.known for r in requests if r.known is not None} if trusting else {}
        before = {**known, **_locked({r.match_id for r in requests} - known.keys())}
        work = _Work(before, timezone.now(), suspended(_players(requests)), outages)
        answers = [work.carry_out(request) for request in requests]
        # What was not changed was not proved by its version either: nobody is refused, or told
        # that nothing is to be done, by what was merely known.
        doubtful = {match_id for match_id, row in known.items() if work.rows[match_id] is row}
        for match_id, row in _locked(doubtful).items():
            known_then = before[match_id]
            if (row.version, row.chain) != (known_then.version, known_then.chain):
                before[match_id] = work.rows[match_id] = row
            else:
                doubtful.discard(match_id)
        if doubtful:
            for index, request in enumerate(requests):
                if request.match_id in doubtful:
                    answers[index] = work.carry_out(request)
        changed = [row for row in work.rows.values() if row is not before[row.id]]
        _write(before, changed, work.moves)
        events.write([(before[row.id], row) for row in changed], work.now)
        return answers, changed


def _locked(match_ids: Collection[str]) -> dict[str, Row]:
    """The rows, locked until the transaction ends (on SQLite it is the only writer anyway)."""
    if not match_ids:
        return {}
    # In the order of the ids, so that two servers never wait for each other.
    found = Match.objects.select_for_update(of=("self",)).filter(pk__in=match_ids).order_by("pk")
    return {values[0]: Row(*values) for values in found.values_list(*FIELDS)}


def _rematching(requests: Sequence[Request]) -> set[int]:
    """The people for whom a new match may be made."""
    found = set()
    for request in requests:
        if isinstance(request.command, Rematch):
            row = request.known
            if row is not None:
                found.update(persons(row.first_id, row.second_id, row.levels))
            if request.player_id is not None:
                found.add(request.player_id)
    return found


def _players(requests: Sequence[Request]) -> set[int]:
    """The players who act, each for themselves."""
    return {
        request.player_id
        for request in requests
        if request.player_id is not None and isinstance(request.command, PlayerCommand)
    }


class _Work:
    """The rows of one transaction while its requests are carried out, and the moves they make."""

    def __init__(
        self,
        before: dict[str, Row],
        now: datetime,
        suspended: Container[int | None],
        outages: Sequence[Outage],
    ) -> None:
        self.rows = dict(before)
        self._suspended = suspended
        self.moves: list[NewMove] = []
        self.now = now
        self._limits = limits()
        self._outages = outages

    def carry_out(self, request: Request) -> Answer:
        known = self.rows.get(request.match_id)
        if known is None:
            return Answer(None, "not-allowed")
        row = known
        if isinstance(request.command, Sweep) and pulse.seems_down():
            return Answer(row)  # nobody is held to their time
        if request.player_id in self._suspended and not isinstance(
            request.command, WithdrawRematch
        ):
            return Answer(row, "suspended")

        so = Circumstances(
            now=self.now,
            limits=self._limits,
            recorded=lambda ply: self._recorded(known.id, ply),
            seen=lambda: last_seen(known.id, known.resumed_at or known.created_at),
            up_since=pulse.up_since,
            lag_ms=request.lag_ms,
        )
        try:
            if self._outages:
                row = self.rows[row.id] = self._resumed(row, so)
            change = conduct(row, request.player_id, request.command, so)
            after = self._opened(change, request) if change.rematch else change.row
            if after is not row:
                after = carried(after, change.move)
        except Refused as refused:
            return Answer(row, refused.code)
        except DatabaseError:
            raise
        except Exception:  # a fault in one match must not stop the others in the batch
            kind = request.command.__class__.__name__
            log.exception("command failed", command=kind, match=request.match_id)
            return Answer(row, "unavailable")
        self.rows[row.id] = after
        if change.move is not None:
            self.moves.append(change.move)
        return Answer(self.rows[row.id], change.refused)

    def _resumed(self, row: Row, so: Circumstances) -> Row:
        """The row with the time given back that outages took of its clocks, if they are not yet."""
        for outage in self._outages:
            resume = Resume(outage.number, outage.down_from, outage.up_at)
            row = conduct(row, None, resume, so).row
        return row

    def _recorded(self, match_id: str, ply: int) -> tuple[str, str] | None:
        for move in self.moves:
            if move.match_id == match_id and move.ply == ply:
                return move.role, move.action
        return Move.objects.filter(match_id=match_id, ply=ply).values_list("role", "action").first()

    def _opened(self, change: Change, request: Request) -> Row:
        row = change.row
        rematch = open_match(
            row.setup,
            row.second_id,
            row.first_id,
            self.now,
            row.levels[::-1],
            request.asker.household,
        )
        return replace(row, rematch_id=rematch.pk)


_INSERT = (
    "INSERT INTO games_move (match_id, ply, role, action, at, spent_ms)"
    " VALUES (%s, %s, %s, %s, %s, %s)"
)


def _write(before: dict[str, Row], changed: Sequence[Row], moves: Sequence[NewMove]) -> None:
    """Store the rows, each if its version is still the one before, and the moves."""
    if not changed:
        return
    adapt = connection.ops.adapt_datetimefield_value
    # By which columns change: a column that is set costs its indexes, even where it stays the same.
    alike: defaultdict[tuple[int, ...], list[list[Any]]] = defaultdict(list)
    for row in sorted(changed, key=lambda row: row.id):
        old, new = astuple(before[row.id]), astuple(row)
        columns = tuple(i for i in _WRITTEN if new[i] is not old[i])
        values = [adapt(v) if isinstance(v := new[i], datetime) else v for i in columns]
        was = before[row.id]
        alike[columns].append([*values, row.id, was.version, was.chain])
    with connection.cursor() as cursor:
        for columns, rows in sorted(alike.items()):
            cursor.executemany(_update(columns), rows)
            if cursor.rowcount != len(rows):
                raise _RowMovedError
        if moves:
            cursor.executemany(
                _INSERT,
                [(m.match_id, m.ply, m.role, m.action, adapt(m.at), m.spent_ms) for m in moves],
            )


@lru_cache(maxsize=256)
def _update(columns: tuple[int, ...]) -> str:
    setting = ", ".join(f"{FIELDS[i]} = %s" for i in columns)
    # The chain too: an older copy of the database may have come to the same version by other moves.
    return f"UPDATE games_match SET {setting} WHERE id = %s AND version = %s AND chain = %s"  # nosec B608  # noqa: S608  # our own columns
