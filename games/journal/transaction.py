"""The transaction that carries out requests and stores the changes."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import chain, compress
from operator import attrgetter, is_not
from typing import Any

import structlog
from django.db import (
    DatabaseError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    connection,
    transaction,
)
from django.utils import timezone
from msgspec.structs import astuple, replace

from games.journal import events
from games.journal.limits import get_limits
from games.journal.opening import (
    are_apart,
    get_rematch_players,
    list_people,
    lock_names,
    open_match,
)
from games.journal.postgres_writes import write_changes
from games.journal.requests import UNAVAILABLE, Answer, Request
from games.match.commands import Rematch, Resume, Sweep, WithdrawRematch
from games.match.conduct import apply_command
from games.match.state import Change, Context, MatchState, NewMove
from games.messages.refusal import Refused
from games.models import Match
from games.runtime.db import is_unavailable
from games.runtime.prepared_query import PreparedQuery
from games.store import client_networks, heartbeat
from games.store.client_networks import SeatNetwork
from games.store.digests import update_digests
from games.store.heartbeat import SiteOutage
from games.store.presence import get_last_seen
from games.store.records import FIELDS
from games.store.suspensions import select_suspended_rows

log = structlog.get_logger(__name__)

_get_id = attrgetter("id")


class _ConflictError(Exception):
    """Another connection has changed a match since its state was read."""


def commit_requests(requests: Sequence[Request]) -> tuple[list[Answer], list[MatchState]]:
    """Carry out the requests in order, if possible in one transaction.

    Return an answer to each request, and the changed states. The first attempt starts from the
    states that the requesters know. If the database has newer ones, all matches are read again. If
    another connection changes a match meanwhile, or a match cannot be read or stored, each request
    gets its own transaction, so that only the faulty one is refused. An exception is raised only
    if the database is unavailable.
    """
    for trusting in (True, False):
        try:
            return _transact(requests, trusting)
        except (OperationalError, InterfaceError):
            raise
        except (_ConflictError, IntegrityError):
            continue
        except Exception as error:
            if is_unavailable(error):
                raise
            log.exception("transaction failed", part="journal", commands=len(requests))
            break
    answers: list[Answer] = []
    changed: dict[str, MatchState] = {}
    for request in requests:
        some, states = _alone(replace(request, known=None))
        answers.append(some)
        changed.update((state.id, state) for state in states)
    return answers, list(changed.values())


def _alone(request: Request) -> tuple[Answer, list[MatchState]]:
    """Carry out one request in its own transaction, so that its failure does not affect others.

    Return `UNAVAILABLE` as the answer if that fails, or after three conflicts.
    """
    for _ in range(3):
        try:
            (answer,), changed = _transact([request], trusting=False)
        except (OperationalError, InterfaceError):
            raise
        except (_ConflictError, IntegrityError):
            continue
        except Exception as error:
            if is_unavailable(error):
                raise
            log.exception("command not stored", part="journal", match=request.match_id)
            break
        else:
            return answer, changed
    else:
        log.error("command refused after three conflicts", part="journal", match=request.match_id)
    return UNAVAILABLE, []


def _transact(requests: Sequence[Request], trusting: bool) -> tuple[list[Answer], list[MatchState]]:
    outages = heartbeat.get_outages()
    with transaction.atomic(), connection.cursor() as cursor:
        if rematching := _rematching(requests):
            lock_names(rematching)
        known = {r.match_id: r.known for r in requests if r.known is not None} if trusting else {}
        before = {**known, **_locked({r.match_id for r in requests} - known.keys())}
        now = timezone.now()
        times = _Times()
        suspended = select_suspended_rows(cursor, _players(requests), times[now])
        work = _Work(before, now, suspended, outages)
        answers = [work.carry_out(request) for request in requests]
        # The version of a state is checked only when it is written. A refusal writes nothing, so
        # compare the state with the stored one before refusing.
        doubtful = {match_id for match_id, state in known.items() if work.states[match_id] is state}
        for match_id, state in _locked(doubtful).items():
            known_then = before[match_id]
            if (state.version, state.chain) != (known_then.version, known_then.chain):
                before[match_id] = work.states[match_id] = state
            else:
                doubtful.discard(match_id)
        if doubtful:
            for index, request in enumerate(requests):
                if request.match_id in doubtful:
                    answers[index] = work.carry_out(request)
        changed = [state for state in work.states.values() if state is not before[state.id]]
        _write(before, changed, work.moves, cursor, times)
        client_networks.store_networks(work.networks, work.now)
        events.store_events([(before[state.id], state) for state in changed], work.now)
        return answers, changed


def _locked(match_ids: Collection[str]) -> dict[str, MatchState]:
    """Return the states of these matches, and lock the matches until the transaction ends.

    SQLite needs no locks, because it has only one writer.
    """
    return {values[0]: MatchState(*values) for values in _locked_rows(match_ids)}


# Rows are locked in the order of their ids, so that two servers cannot deadlock.
_locked_rows = PreparedQuery(
    lambda ids: (
        Match.objects.select_for_update(of=("self",))
        .filter(pk__in=ids)
        .order_by("pk")
        .values_list(*FIELDS)
    ),
    of=str,
)


def _rematching(requests: Sequence[Request]) -> set[int]:
    """Return the ids of the people who may get a new match through these requests."""
    found: set[int] = set()
    for request in requests:
        if isinstance(request.command, Rematch):
            state = request.known
            if state is not None:
                found.update(list_people(state.first_id, state.second_id, state.levels))
            found |= request.players
    return found


def _players(requests: Sequence[Request]) -> set[int]:
    """Return the ids in the requests of players, including those in `acts_for`."""
    found: set[int] = set()
    for request in requests:
        if request.player_id is not None:
            found.add(request.player_id)
            found.update(request.acts_for)
    return found


class _Times(dict[datetime, Any]):
    """Timestamps as the database expects them. Most of them are the time of the batch."""

    def __missing__(self, at: datetime) -> Any:
        value = self[at] = connection.ops.adapt_datetimefield_value(at)
        return value


class _Work:
    """The states and new moves of a transaction whose requests are being carried out."""

    def __init__(
        self,
        before: dict[str, MatchState],
        now: datetime,
        suspended: set[int],
        outages: Sequence[SiteOutage],
    ) -> None:
        self.states = dict(before)
        self._suspended = suspended
        self.moves: list[NewMove] = []
        self.networks: list[tuple[SeatNetwork, bool]] = []
        self.now = now
        self._limits = get_limits()
        self._outages = outages

    def carry_out(self, request: Request) -> Answer:
        known = self.states.get(request.match_id)
        if known is None:
            return Answer(None, Refused("not-allowed"))
        state = known
        if isinstance(request.command, Sweep) and heartbeat.seems_down():
            # Nobody loses by being late or absent while the site seems to be down.
            return Answer(state)
        forbidden = self._forbidden(state, request)
        if forbidden is not None:
            return Answer(state, forbidden)

        context = Context(
            now=self.now,
            limits=self._limits,
            recorded=lambda ply: self._recorded(known.id, ply),
            seen=lambda: get_last_seen(known.id, known.resumed_at or known.created_at),
            up_since=heartbeat.get_up_since,
            lag_ms=request.lag_ms,
        )
        try:
            if self._outages:
                state = self.states[state.id] = self._resumed(state, context)
            acts_for = request.acts_for
            change = apply_command(state, request.player_id, request.command, context, acts_for)
            after = self._opened(change, request) if change.rematch else change.state
            if after is not state:
                after = update_digests(after, change.move)
                if change.position is not None:
                    after.know_position(change.position)
        except Refused as refused:
            # Return a copy, because the raised exception keeps all these stack frames alive.
            return Answer(state, Refused(refused.code, **refused.params))
        except DatabaseError:
            raise
        except Exception:  # a fault in one match must not fail the others in the batch
            kind = request.command.__class__.__name__
            log.exception("command failed", command=kind, match=request.match_id)
            return Answer(state, Refused("unavailable"))
        self.states[state.id] = after
        if change.move is not None:
            self.moves.append(change.move)
        if (
            known.rated
            and known.is_live
            and after is not known
            and request.requester.client_network
        ):
            self._note_network(known, after, request)
        return Answer(self.states[state.id], change.refusal)

    def _note_network(self, before: MatchState, after: MatchState, request: Request) -> None:
        for seat in before.seats_of(request.players):
            acted = SeatNetwork(before.id, seat, request.requester.client_network)
            is_first = bool((before.acted ^ after.acted) & 1 << seat)
            self.networks.append((acted, is_first))

    def _forbidden(self, state: MatchState, request: Request) -> Refused | None:
        """Return the refusal of a request that no state of the match would allow, or None.

        Suspended players may only withdraw an offer of a rematch, and players who must not meet get
        no rematch.
        """
        if (
            self._suspended
            and not self._suspended.isdisjoint(request.players)
            and not isinstance(request.command, WithdrawRematch)
        ):
            return Refused("suspended")
        if isinstance(request.command, Rematch):
            people = list_people(state.first_id, state.second_id, state.levels)
            if are_apart(people):
                return Refused("not-allowed")  # the opponent must not see an offer of a rematch
        return None

    def _resumed(self, state: MatchState, context: Context) -> MatchState:
        """Return the state with its clocks postponed by outages, unless that was done already."""
        for outage in self._outages:
            resume = Resume(outage.number, outage.down_from, outage.up_at)
            state = apply_command(state, None, resume, context).state
        return state

    def _recorded(self, match_id: str, ply: int) -> tuple[str, str] | None:
        for move in self.moves:
            if move.match_id == match_id and move.ply == ply:
                return move.role, move.action
        with connection.cursor() as cursor:
            cursor.execute(_SELECT, [match_id, ply])
            stored: tuple[str, str] | None = cursor.fetchone()
            return stored

    def _opened(self, change: Change, request: Request) -> MatchState:
        state = change.state
        first_id, second_id = get_rematch_players(state.second_id, state.first_id)
        rematch = open_match(
            state.setup,
            first_id,
            second_id,
            self.now,
            state.levels[::-1],
            request.requester.client_network,
        )
        return replace(state, rematch_id=rematch.pk)


_SELECT = "SELECT role, action FROM games_move WHERE match_id = %s AND ply = %s"
_INSERT = (
    "INSERT INTO games_move (match_id, ply, role, action, at, spent_ms)"
    " VALUES (%s, %s, %s, %s, %s, %s)"
)


def _write(
    before: dict[str, MatchState],
    changed: Sequence[MatchState],
    moves: Sequence[NewMove],
    cursor: Any,
    times: "_Times",
) -> None:
    """Store the moves and the changed states, if the stored versions and chains are unchanged.

    Raise `_ConflictError` otherwise, `IntegrityError` if a move with the same ply exists, and
    `ValueError` if a column has changed that never should.
    """
    # Grouped by changed columns, because setting a column updates its indexes even if its value
    # stays the same.
    updates: defaultdict[tuple[int, ...], list[list[Any]]] = defaultdict(list)
    for state in sorted(changed, key=_get_id):
        was = before[state.id]
        new = astuple(state)
        columns = tuple(compress(_COLUMNS, map(is_not, new, astuple(was))))
        values = [times[v] if isinstance(v := new[i], datetime) else v for i in columns]
        values += state.id, was.version, was.chain
        updates[columns].append(values)
    if not _FIXED.isdisjoint(chain(*updates)):
        raise ValueError("a command has changed what a match keeps")
    if connection.vendor == "postgresql":
        if not write_changes(updates, moves):
            raise _ConflictError
        return
    for columns, parameters in sorted(updates.items()):
        cursor.executemany(_update(columns), parameters)
        if cursor.rowcount != len(parameters):
            raise _ConflictError
    if moves:
        cursor.executemany(
            _INSERT, [(m.match_id, m.ply, m.role, m.action, times[m.at], m.spent_ms) for m in moves]
        )


_COLUMNS = range(len(FIELDS))
# The columns that never change once a match exists.
_FIXED = {
    FIELDS.index(name)
    for name in (
        *("id", "game", "clock", "options", "rated", "arranged", "created_at"),
        *("first_id", "second_id", "first_level", "second_level"),
    )
}


@lru_cache(maxsize=256)
def _update(columns: tuple[int, ...]) -> str:
    setting = ", ".join(f"{FIELDS[i]} = %s" for i in columns)
    # Also compare the chain: a copy restored from a backup may have reached the same version with
    # other moves.
    return f"UPDATE games_match SET {setting} WHERE id = %s AND version = %s AND chain = %s"  # nosec B608  # noqa: S608  # the columns are constants
