"""Refunds: the rating points that recent opponents of a cheater get back.

A refund is an entry of the ledger like a game, with the date of the decision, and is replayed like
a game. Its points depend only on the ledger: on the games in its period that count now. It
therefore does not matter whether a game is reversed before or after the refund. When a result
changes, the replay computes the refund again. A refund of less than half a point does not count,
but it stays in the ledger, because it may become larger when a reversed game counts again.

Players who get points back are notified. A later refund does not include losses that an earlier one
covered.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from types import MappingProxyType

from django.db.models import Q
from msgspec.structs import replace

from games.messages import build_message
from games.models import Decision
from games.review.notices import notify_player
from games.store.aliases import get_person
from lobby.models import RatedGame
from lobby.ratings import ledger
from lobby.ratings.glicko import VERSION
from lobby.ratings.ledger import Kind, LedgerEntry
from lobby.ratings.rating import NOTHING, append_entries

DAYS = 5  # losses up to this many days before the decision are refunded
MOST_POINTS = 150.0  # the maximum number of points of one refund

_LEAST_POINTS = 0.5  # smaller refunds do not count
_BEGINNING = datetime.min.replace(tzinfo=UTC)


def refund_opponents(decision: Decision) -> int:
    """Refund the recent opponents of the player that the decision is about, and notify them.

    Return the number of opponents who get points back. Call this function in a transaction.
    """
    if decision.player_id is None:
        return 0
    cheater = get_person(decision.player_id)
    ledger.lock_ledger()
    due = [
        compute_refund(_build_entry(decision, cheater, opponent, game))
        for opponent, game in _list_opponents(cheater, decision.at)
    ]
    for entry in due:
        if not entry.counts:
            ledger.add_entries([entry])
            # A later refund may depend on this one.
            ledger.schedule_replay(entry.game, entry.position)
    given = [entry for entry in due if entry.counts]
    append_entries(sorted(given, key=lambda entry: entry.position))
    for entry in given:
        points = round(entry.points or 0.0)
        notify_player(
            entry.first_id,
            build_message("notice.refund", points=points, game=build_message(f"{entry.game}.name")),
        )
    return len({entry.first_id for entry in given})


def compute_refund(
    entry: LedgerEntry, newer: Mapping[str, LedgerEntry] = MappingProxyType({})
) -> LedgerEntry:
    """Return the refund with its points computed from the stored games.

    `newer` maps keys to entries that replace the stored ones. The resulting player ratings are not
    computed here.
    """
    cheater, opponent = parse_cheater(entry), entry.first_id
    since = max(entry.at - timedelta(days=DAYS), _get_refunded_until(entry) or _BEGINNING)
    both = Q(first=cheater, second=opponent) | Q(first=opponent, second=cheater)
    rows = ledger.get_current_revisions(entry.game).filter(both, at__gt=since, at__lte=entry.at)
    lost = 0.0
    for stored in ledger.list_entries(rows.exclude(kind=Kind.REVERSED).order_by("at", "lot")):
        side = newer.get(stored.key, stored).side_of(opponent)
        lost += max(0.0, side.before.rating - side.after.rating)
    points = round(min(lost, MOST_POINTS), 6)
    if points < _LEAST_POINTS:
        return replace(entry, kind=Kind.REVERSED, points=0.0, first=NOTHING)
    return replace(entry, kind=Kind.REFUNDED, points=points)


def parse_cheater(entry: LedgerEntry) -> int:
    """Return the id of the player whose opponent was refunded.

    Raise `ValueError` for an invalid key.
    """
    return int(_parse_key(entry)[1])


def parse_decision(entry: LedgerEntry) -> int:
    """Return the id of the decision that caused the refund.

    Raise `ValueError` for an invalid key.
    """
    return int(_parse_key(entry)[3])


def _parse_key(entry: LedgerEntry) -> list[str]:
    parts = entry.key.split("-", 4)
    if parts[0] != "refund" or parts[2:] != [str(entry.first_id), *parts[3:4], entry.game]:
        raise ValueError(entry.key)
    return parts


def _list_opponents(cheater: int, until: datetime) -> list[tuple[int, str]]:
    """Return the id of each recent opponent of the player, with each game that they played."""
    rows = ledger.get_current_revisions().filter(at__gt=until - timedelta(days=DAYS), at__lte=until)
    met = rows.filter(Q(first=cheater) | Q(second=cheater))
    return sorted(
        {
            (second if first == cheater else first, game)
            for first, second, game in met.values_list("first", "second", "game")
            if second is not None
        }
    )


def _get_refunded_until(entry: LedgerEntry) -> datetime | None:
    """Return the end of the period that the last earlier refund covers, or None.

    Only refunds of the same player's losses against the same cheater in the same game count.
    """
    own = RatedGame.objects.filter(first=entry.first_id, game=entry.game, second=None, revision=0)
    prefix = _build_prefix(parse_cheater(entry), entry.first_id)
    earlier = own.filter(key__startswith=prefix, at__lt=entry.at).order_by("-at")
    return earlier.values_list("at", flat=True).first()


def _build_entry(decision: Decision, cheater: int, opponent: int, game: str) -> LedgerEntry:
    key = f"{_build_prefix(cheater, opponent)}{decision.pk}-{game}"
    return LedgerEntry(
        key=key,
        revision=0,
        kind=Kind.REFUNDED,
        game=game,
        first_id=opponent,
        second_id=None,
        score=None,
        advantage=0.0,
        version=VERSION,
        at=decision.at,
        lot=ledger.draw_lots(key),
        points=0.0,
        first=NOTHING,
        second=None,
    )


def _build_prefix(cheater: int, opponent: int) -> str:
    return f"refund-{cheater}-{opponent}-"
