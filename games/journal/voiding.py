"""Ends matches whose players turn out to be one person, or may no longer meet."""

from collections.abc import Collection, Sequence

import structlog
from asgiref.sync import async_to_sync
from django.db import transaction

from games.journal.publisher import publisher
from games.journal.requests import Request
from games.journal.transaction import commit_requests
from games.match.commands import Cancel, Void
from games.match.state import MatchState
from games.models import Match

log = structlog.get_logger(__name__)

_SOME = 100  # matches that are voided in one go


def void_between(rows: Collection[int], others: Collection[int]) -> list[str]:
    """Void every match between one of these players and one of the others, live or over; give their
    ids. Part of the caller's transaction; after it, all who look on are told.

    A match is locked before it is voided, so whoever opens its rematch at the same time either has
    done so, and that is found in the next round, or waits and learns that the two are one.
    """
    voided: list[str] = []
    tried: set[str] = set()
    while found := _between(rows, others, tried):
        tried |= found.keys()
        voided += _carry_out([Request(pk, None, Void(seat)) for pk, seat in sorted(found.items())])
    return voided


def cancel_matches(match_ids: Collection[str]) -> list[str]:
    """End these live matches without a result; return the ids of those that were live. Part of the
    caller's transaction; after it, everybody who watches them is notified."""
    return _carry_out([Request(pk, None, Cancel()) for pk in sorted(match_ids)])


def _carry_out(requests: Sequence[Request]) -> list[str]:
    """Commit the requests, and return the ids of the matches that changed."""
    if not requests:
        return []
    answers, states = commit_requests(requests)
    for request, answer in zip(requests, answers, strict=True):
        # Between the query and the commit a match may have ended by itself.
        if answer.refusal is not None and answer.refused != "not-live":
            log.error("not ended", match=request.match_id, refused=answer.refused)
    _tell_later(states)
    return [state.id for state in states]


def _between(
    rows: Collection[int], others: Collection[int], tried: Collection[str]
) -> dict[str, int]:
    """Some of the matches that count, each with the seat that one of `rows` has."""
    counted = Match.objects.exclude(ended__in=("voided", "aborted")).exclude(pk__in=tried)
    found: dict[str, int] = {}
    for seat, players in enumerate(((rows, others), (others, rows))):
        both = counted.filter(first__in=players[0], second__in=players[1])
        found.update((pk, seat) for pk in both.values_list("pk", flat=True)[:_SOME])
    return found


def _tell_later(states: Sequence[MatchState]) -> None:
    async def tell() -> None:
        publisher().publish(states)

    transaction.on_commit(async_to_sync(tell))
