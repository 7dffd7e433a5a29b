"""Inserting deliveries, one for each webhook and event.

For a match, they are inserted in the transaction that handles its event, and for a tournament, in
the transaction of the change.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec
from django.conf import settings

from games.models import Event, Match
from games.runtime.prepared_query import PreparedQuery
from games.store.aliases import get_persons
from lobby.models import Delivery, Tournament, Webhook
from lobby.models.webhook import new_delivery


def notify_of_games(events: Sequence[Event]) -> None:
    """Insert the deliveries of match events to the webhooks of the players in these matches."""
    rows = _matches([event.match_id for event in events])
    matches = {pk: (game, seats) for pk, game, *seats in rows}
    people = get_persons({pk for _, seats in matches.values() for pk in seats})
    theirs: dict[int, list[int]] = {}
    for hook_id, player_id in _hooks(set(people.values())):
        theirs.setdefault(player_id, []).append(hook_id)
    if not theirs:
        return
    made = []
    for event in events:
        game, seats = matches[event.match_id]
        players = {people[pk] for pk in seats if pk in people}
        hook_ids = sorted(hook for player_id in players for hook in theirs.get(player_id, ()))
        place = {
            "id": event.match_id,
            "game": game,
            "version": event.version,
            "url": f"{settings.ALLOWED_ORIGINS[0]}/match/{event.match_id}/",
        }
        key, kind = f"match.{event.match_id}.{event.version}", f"match.{event.kind}"
        made += _build_deliveries(hook_ids, key, kind, event.at, match=place)
    _insert_deliveries(made)


_matches = PreparedQuery(
    lambda ids: Match.objects.filter(pk__in=ids).values_list("pk", "game", "first", "second"),
    of=str,
)
_hooks = PreparedQuery(
    lambda players: (
        Webhook.objects.filter(player__in=players, of_games=True, off_at=None)
        .order_by()
        .values_list("pk", "player")
    )
)


def notify_of_tournament(
    tournament: Tournament, kind: str, now: datetime, round_number: int | None = None
) -> None:
    """Insert the deliveries of a tournament event to the webhooks of the organiser.

    `kind` is "began", "round", "over" or "called-off"; only "round" has a `round_number`. The rows
    are inserted in the transaction that locks the tournament.
    """
    if tournament.organiser_id is None:
        return
    hooks = Webhook.objects.filter(player=tournament.organiser_id, of_tournaments=True, off_at=None)
    place: dict[str, Any] = {
        "id": tournament.pk,
        "name": tournament.name,
        "url": f"{settings.ALLOWED_ORIGINS[0]}{tournament.get_absolute_url()}",
    }
    key = f"tournament.{tournament.pk}.{kind}"
    if round_number is not None:
        place["round"] = round_number
        key += f".{round_number}"
    ids = list(hooks.values_list("pk", flat=True))
    _insert_deliveries(_build_deliveries(ids, key, f"tournament.{kind}", now, tournament=place))


def _build_deliveries(
    hook_ids: Iterable[int], key: str, kind: str, at: datetime, **about: Any
) -> list[Delivery]:
    made = []
    for hook_id in hook_ids:
        pk = new_delivery()
        told = {"id": pk, "kind": kind, "time": at.isoformat(timespec="milliseconds"), **about}
        made.append(
            Delivery(
                id=pk,
                hook_id=hook_id,
                event=key,
                kind=kind,
                body=msgspec.json.encode(told).decode(),
                at=at,
                due_at=at,
            )
        )
    return made


def _insert_deliveries(made: list[Delivery]) -> None:
    """Insert deliveries, except those that already exist."""
    Delivery.objects.bulk_create(made, ignore_conflicts=True, batch_size=100)
