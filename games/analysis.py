"""Which finished matches are to be looked through, and by whom; what was found, once it is there.

A match that is live is never looked through, and nothing of it is shown, to anyone: what was found
is of one version of the match, so it is void as soon as the staff let the match go on.
"""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone
from msgspec import Struct

from games.bots import has_bot
from games.desk import lightly
from games.models import Analysis, Match
from games.proof import replay
from games.records import record
from games.row import Refused, Row

_LEASE = timedelta(seconds=30)  # without a sign of life for so long, another takes over


class Wanted(Struct, frozen=True):
    """A match to look through: the notation before each move, and the move's action."""

    match_id: str
    version: int
    game: str
    steps: tuple[tuple[str, str], ...]


def may_ask(row: Row) -> bool:
    """Whether the match is one that can be looked through."""
    return not row.is_live and row.is_readable and row.ply > 0 and has_bot(row.game)


def ask(row: Row, player_id: int) -> None:
    """Have a match looked through, unless that is done or under way.

    Raises `Refused`: "not-allowed" for a match that is live or that nobody can look through,
    "too-fast" for a player who waits for several others.
    """
    if not may_ask(row):
        raise Refused("not-allowed")
    if found(row) is not None:
        return
    waiting = Analysis.objects.filter(asked_by=player_id, due_at__isnull=False)
    if settings.RATE_LIMITS and waiting.count() >= settings.ANALYSES_WAITING:
        raise Refused("too-fast")
    now = timezone.now()
    asked = {
        "version": row.version,
        "asked_by_id": player_id,
        "asked_at": now,
        "due_at": now,
        "looked": 0,
        "looks": [],
    }
    stored, _ = Analysis.objects.get_or_create(match_id=row.id, defaults=asked)
    if stored.version != row.version:
        Analysis.objects.filter(pk=row.id, version=stored.version).update(**asked)


def found(row: Row) -> Analysis | None:
    """What was asked for of this match as it is now, done or not; None of a live one."""
    if row.is_live:
        return None
    return Analysis.objects.filter(pk=row.id, version=row.version).first()


def is_due() -> bool:
    """Whether any match waits to be looked through."""
    return Analysis.objects.filter(due_at__lte=timezone.now()).exists()


def take() -> Wanted | None:
    """Take the match that has waited longest; it goes to one who asks."""
    now = timezone.now()
    for due in Analysis.objects.filter(due_at__lte=now).order_by("asked_at")[:5]:
        mine = Analysis.objects.filter(pk=due.pk, version=due.version, due_at=due.due_at)
        if not mine.update(due_at=now + _LEASE):
            continue
        wanted = _wanted(due)
        if wanted is not None:
            return wanted
        mine = Analysis.objects.filter(pk=due.pk, version=due.version)
        mine.delete()  # the match goes on, or is another by now: whoever cares asks again
    return None


def keep(wanted: Wanted, looked: int) -> bool:
    """Say how far it has come. False where nobody waits for it any more."""
    if not Match.objects.filter(pk=wanted.match_id, version=wanted.version).exists():
        return False
    mine = Analysis.objects.filter(pk=wanted.match_id, version=wanted.version, due_at__isnull=False)
    with lightly():
        return bool(mine.update(due_at=timezone.now() + _LEASE, looked=looked))


def store(wanted: Wanted, looks: list[dict[str, Any]]) -> None:
    """Store what was found of each move."""
    mine = Analysis.objects.filter(pk=wanted.match_id, version=wanted.version)
    mine.update(due_at=None, looked=len(looks), looks=looks)


def _wanted(due: Analysis) -> Wanted | None:
    stored = record(due.match_id)
    if stored is None or stored.row.version != due.version or not may_ask(stored.row):
        return None
    positions = replay(stored.row, stored.moves).positions
    steps = zip(positions[:-1], stored.moves, strict=False)
    return Wanted(
        due.match_id,
        due.version,
        stored.row.game,
        tuple((position.notation, move.action) for position, move in steps),
    )
