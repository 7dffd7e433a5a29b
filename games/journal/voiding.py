"""The cancellation of matches whose players are one person, or must no longer meet."""

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

_SOME = 100  # the maximum number of matches that one query finds


def void_between(rows: Collection[int], others: Collection[int]) -> list[str]:
    """Void all matches between an account in `rows` and one in `others`, if they still count.

    Return the ids of the matches that were voided. Unexpected refusals are logged.

    This is part of the caller's transaction; viewers are notified after it. Each match is locked
    before it is voided. A concurrent rematch is therefore either found in the next round, or waits
    for the lock and is then refused, because the two are one person.
    """
    voided: list[str] = []
    tried: set[str] = set()
    while found := _between(rows, others, tried):
        tried |= found.keys()
        voided += _carry_out([Request(pk, None, Void(seat)) for pk, seat in sorted(found.items())])
    return voided


def cancel_matches(match_ids: Collection[str]) -> list[str]:
    """End these live matches without a result, and return the ids of those that were live.

    This is part of the caller's transaction; viewers are notified after it.
    """
    return _carry_out([Request(pk, None, Cancel()) for pk in sorted(match_ids)])


def _carry_out(requests: Sequence[Request]) -> list[str]:
    """Commit the requests, and return the ids of the matches that changed."""
    if not requests:
        return []
    answers, states = commit_requests(requests)
    for request, answer in zip(requests, answers, strict=True):
        # A match may end between the query and the commit, which is no error.
        if answer.refusal is not None and answer.refused != "not-live":
            log.error("not ended", match=request.match_id, refused=answer.refused)
    _tell_later(states)
    return [state.id for state in states]


def _between(
    rows: Collection[int], others: Collection[int], tried: Collection[str]
) -> dict[str, int]:
    """Map the ids of some matches that still count to the seat of the account that is in `rows`."""
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
