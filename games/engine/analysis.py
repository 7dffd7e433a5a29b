"""The queue of analyses of finished matches, and their results.

Live matches are not analysed, and pages show no analysis of them. An analysis belongs to one
version of its match: if staff change the match, the analysis is no longer valid.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import structlog
from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from msgspec import Struct

from games.bots import has_bot
from games.journal.opening import lock_names
from games.match.state import MatchState
from games.messages.refusal import Refused
from games.models import Analysis, Match
from games.runtime.db import atomic_without_fsync
from games.runtime.fair_queue import Requester, RoundRobin
from games.runtime.leases import Lease
from games.store.aliases import get_aliases
from games.store.audit import hash_address
from games.store.client_networks import get_caller_networks, store_caller
from games.store.proof import replay_moves
from games.store.records import get_record

log = structlog.get_logger(__name__)

_LEASE = Lease("due_at", timedelta(seconds=30))
_LOOKED_AT = 500  # the number of due matches among which the next one is chosen
_round_robin = RoundRobin()  # when this process last served each network and player

handlers: list[Callable[[Analysis], None]] = []
"""Functions that are called with each finished analysis, in the transaction that stores it.
`config.wiring` sets them."""


class AnalysisTask(Struct, frozen=True):
    """A match to analyse: the notation before each move, and the move's action."""

    match_id: str
    version: int
    game: str
    steps: tuple[tuple[str, str], ...]


def may_be_asked(state: MatchState) -> bool:
    """Return whether the match can be analysed, now or after its end."""
    return state.is_readable and has_bot(state.game)


def may_ask(state: MatchState) -> bool:
    """Return whether the match can be analysed now."""
    return not state.is_live and state.ply > 0 and may_be_asked(state)


def request_analysis(state: MatchState, player_id: int | None, client_network: str = "") -> None:
    """Request the analysis of this version of a match, unless it was requested before.

    `player_id` is None for requests by the site, which have their own limit (see
    `count_site_requests`). Raise `Refused` with "not-allowed" if the match is live or cannot be
    analysed, or with "too-fast" if the player or the network is waiting for too many analyses.
    """
    if not may_ask(state):
        raise Refused("not-allowed")
    if get_analysis(state) is not None:
        return
    if player_id is None:
        _store_wish(state, None)
        return
    with transaction.atomic():
        # Without this lock, two servers could both store the last allowed request.
        lock_names([player_id, client_network])
        _must_wait_for_few(player_id, client_network)
        _store_wish(state, player_id)
        if client_network:
            store_caller(player_id, client_network, timezone.now())


def count_site_requests() -> int:
    """Return the number of waiting analyses that the site itself requested."""
    return Analysis.objects.filter(due_at__isnull=False, asked_by=None).count()


def _must_wait_for_few(player_id: int, client_network: str) -> None:
    if not settings.RATE_LIMITS:
        return
    waiting = Analysis.objects.filter(due_at__isnull=False)
    if (
        waiting.filter(asked_by__in=get_aliases(player_id)).count()
        >= settings.QUEUED_ANALYSES_PER_PLAYER
    ):
        raise Refused("too-fast")
    there = waiting.filter(asked_by__caller__address=hash_address(client_network))
    if client_network and there.count() >= settings.QUEUED_ANALYSES_PER_ADDRESS:
        raise Refused("too-fast")


def _store_wish(state: MatchState, player_id: int | None) -> None:
    now = timezone.now()
    asked: dict[str, Any] = {
        "version": state.version,
        "asked_by_id": player_id,
        "asked_at": now,
        "due_at": now,
        "looked": 0,
        "looks": [],
    }
    stored, _ = Analysis.objects.get_or_create(match_id=state.id, defaults=asked)
    if stored.version != state.version:
        Analysis.objects.filter(pk=state.id, version=stored.version).update(**asked)


def get_analysis(state: MatchState) -> Analysis | None:
    """Return the analysis of this version of the match, finished or not.

    Return None if the match is live or the analysis has not been requested.
    """
    if state.is_live:
        return None
    return Analysis.objects.filter(pk=state.id, version=state.version).first()


def has_due_analysis() -> bool:
    """Return whether any match is waiting for its analysis."""
    return _LEASE.due(Analysis.objects.all(), timezone.now()).exists()


def lease_analysis() -> AnalysisTask | None:
    """Take a match from the queue, and lease it so that no other process takes it.

    The queue is a round-robin over networks, and over the players within a network. A player's
    oldest request comes first. Return None if no match can be taken.
    """
    waiting = _LEASE.due(Analysis.objects.defer("looks"), timezone.now()).order_by("asked_at")
    for due in _order_by_turn(list(waiting[:_LOOKED_AT]), 5):
        mine = Analysis.objects.filter(pk=due.pk, version=due.version)
        if not _LEASE.take(mine, due.due_at):
            continue
        wanted = _build_task(due)
        if wanted is not None:
            return wanted
        mine.delete()  # the match has changed; a player may request its analysis again
    return None


def _order_by_turn(waiting: list[Analysis], tries: int) -> Iterator[Analysis]:
    known = get_caller_networks({due.asked_by_id for due in waiting if due.asked_by_id is not None})
    left = {
        due.pk: (
            Requester(
                known.get(due.asked_by_id or 0, f"player {due.asked_by_id}"), due.asked_by_id
            ),
            due,
        )
        for due in waiting
    }
    for _ in range(min(tries, len(left))):
        (due,) = _round_robin.choose(left.values(), 1)
        del left[due.pk]
        yield due


def renew_analysis(wanted: AnalysisTask, looked: int) -> bool:
    """Renew the lease and store the progress. Return False if the analysis is no longer needed."""
    if not Match.objects.filter(pk=wanted.match_id, version=wanted.version).exists():
        return False
    with atomic_without_fsync():
        return _LEASE.renew(_get_leased(wanted), looked=looked)


def store_analysis(wanted: AnalysisTask, looks: list[dict[str, Any]]) -> None:
    """Store the result for each move, and call the `handlers`.

    The analysis is stored even if a handler fails, unless the database is unavailable.
    """
    with transaction.atomic():
        _LEASE.end(_get_leased(wanted), looked=len(looks), looks=looks)
        done = _get_leased(wanted).filter(due_at=None).first()
        if done is not None:
            _notify_listeners(done)


def _notify_listeners(done: Analysis) -> None:
    for listener in handlers:
        try:
            with transaction.atomic():
                listener(done)
        except (OperationalError, InterfaceError):
            raise  # the database is unavailable, so nothing can be stored
        except Exception:
            log.exception("analysis not heard of", match=done.match_id)


def _get_leased(wanted: AnalysisTask) -> QuerySet[Analysis]:
    return Analysis.objects.filter(pk=wanted.match_id, version=wanted.version)


def _build_task(due: Analysis) -> AnalysisTask | None:
    stored = get_record(due.match_id)
    if stored is None or stored.state.version != due.version or not may_ask(stored.state):
        return None
    positions = replay_moves(stored.state, stored.moves).positions
    steps = zip(positions[:-1], stored.moves, strict=False)
    return AnalysisTask(
        due.match_id,
        due.version,
        stored.state.game,
        tuple((position.notation, move.action) for position, move in steps),
    )
