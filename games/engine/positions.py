"""The queue of single positions that people ask the computer to evaluate, and the results."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from msgspec import Struct

from games.boards import BOARDS
from games.bots import has_bot
from games.messages import Message, build_message
from games.messages.refusal import Refused
from games.models import PositionLook
from games.rules import GAMES, Position
from games.runtime.db import atomic_without_fsync
from games.runtime.leases import Lease
from games.runtime.limiter import is_within_limit

_LEASE = Lease("due_at", timedelta(seconds=30))


class EvaluationTask(Struct, frozen=True):
    """A position to evaluate."""

    game: str
    notation: str
    action: str  # any legal action, because an evaluation needs a position and an action


def can_be_evaluated(game: str, position: Position) -> bool:
    """Return whether the computer can evaluate the position."""
    return has_bot(game) and not position.is_over


def request_evaluation(game: str, position: Position, client_network: str) -> None:
    """Request the evaluation of a position, unless it is stored or queued already.

    Raise `Refused` with "not-allowed" if the computer cannot evaluate the position, or with
    "too-fast" if the network requests too many evaluations or too many positions are waiting.
    """
    if not can_be_evaluated(game, position):
        raise Refused("not-allowed")
    if get_evaluation(game, position) is not None:
        return
    waiting = PositionLook.objects.filter(due_at__isnull=False).count()
    if settings.RATE_LIMITS and waiting >= settings.MAX_QUEUED_EVALUATIONS:
        raise Refused("too-fast")
    if not is_within_limit(settings.EVALUATIONS_PER_MINUTE, "look", client_network):
        raise Refused("too-fast")
    now = timezone.now()
    PositionLook.objects.get_or_create(
        game=game, notation=position.notation, defaults={"asked_at": now, "due_at": now}
    )


def get_evaluation(game: str, position: Position) -> PositionLook | None:
    """Return the evaluation of the position, finished or not, or None if it was not requested."""
    return PositionLook.objects.filter(game=game, notation=position.notation).first()


def serialize_evaluation(game: str, position: Position) -> dict[str, Any]:
    """Return the evaluation for a page.

    `state` is "none", "waiting", "failed" or "ready". If it is "failed" or "ready", `words` has the
    sentences. If it is "ready", `better` has the elements of the best action.
    """
    known = get_evaluation(game, position)
    if known is None:
        return {"state": "none"}
    if known.due_at is not None:
        return {"state": "waiting"}
    if not known.look:
        return {"state": "failed", "words": [build_message("verdict.none")]}
    board, best = BOARDS[game], str(known.look["best"])
    sure = "certain" if known.look["proved"] else "estimate"
    said: list[Message] = [
        build_message(f"look.best.{sure}", best=board.say(best)),
        build_message("look.value", count=round(known.look["value"])),
    ]
    return {"state": "ready", "words": said, "better": board.own(best)}


def has_due_position() -> bool:
    """Return whether any position is waiting for its evaluation."""
    return _LEASE.due(PositionLook.objects.all(), timezone.now()).exists()


def lease_position() -> EvaluationTask | None:
    """Lease the position that has been due longest. Return None if no position could be leased."""
    for row in _LEASE.due(PositionLook.objects.all(), timezone.now()).order_by("due_at")[:5]:
        if _LEASE.take(PositionLook.objects.filter(pk=row.pk), row.due_at):
            position = GAMES[row.game].read(row.notation)
            return EvaluationTask(row.game, row.notation, position.legal()[0])
    return None


def store_evaluation(wanted: EvaluationTask, look: dict[str, Any]) -> None:
    """Store the result of an evaluation, {} if it failed."""
    with atomic_without_fsync():
        _LEASE.end(_get_leased(wanted), look=look)


def _get_leased(wanted: EvaluationTask) -> QuerySet[PositionLook]:
    return PositionLook.objects.filter(game=wanted.game, notation=wanted.notation)
