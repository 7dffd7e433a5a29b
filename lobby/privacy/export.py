"""Exporting the stored data about a person as one JSON file.

The file is streamed in pages of rows, each read by a separate query, so that memory use does not
depend on the number of games.
"""

from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

import msgspec
from django.db.models import QuerySet

from games.models import ClientNetwork, Connection, Match
from games.runtime.db import in_db_for_chores
from games.store.aliases import get_aliases, match_players_filter
from games.store.records import list_records, serialize_record
from games.store.visibility import PAIR, build_pair, get_names_for
from lobby.models import Player

Row = dict[str, Any]
Query = Callable[[frozenset[int]], QuerySet[Any, Any]]

queries: dict[str, Query] = {}
"""A dictionary that maps each key of the file to the query for its rows (see `personal_data`).
`config.wiring` sets it."""

_ROWS_PER_PAGE = 200
# More than a player can have: a connection is stored at most every few seconds.
_CONNECTIONS_PER_MATCH = 10_000
_MATCHES_PER_PAGE = 20  # matches on a page, each with its moves


async def stream_export(player: Player) -> AsyncIterator[bytes]:
    """Yield the JSON file in pieces of encoded text."""
    rows = await in_db_for_chores(get_aliases, player.pk)
    yield b'{"account":' + msgspec.json.encode(_get_account(player))
    for part, query in queries.items():
        yield f',\n"{part}":['.encode()
        last, before = None, b""
        while found := await in_db_for_chores(_get_page_after, query, rows, last):
            last = found[-1]["pk"]
            for row in found:
                yield before + msgspec.json.encode({k: v for k, v in row.items() if k != "pk"})
                before = b",\n"
        yield b"]"
    yield b',\n"matches":['
    last, before = None, b""
    while matches := await in_db_for_chores(_list_matches, player.pk, rows, last):
        last = matches[-1]["match"]
        for match in matches:
            yield before + msgspec.json.encode(match)
            before = b",\n"
    yield b"]}\n"


def _get_account(player: Player) -> Row:
    return {
        "name": player.username,
        "is_guest": player.is_guest,
        "email": player.email,
        "since": player.date_joined,
        "language": player.language,
        "last_login": player.last_login,
        "name_chosen_at": player.named_at,
        "closes_at": player.closing_at,
    }


def _get_page_after(query: Query, rows: frozenset[int], last: Any) -> list[Row]:
    found = query(rows).order_by("pk")
    return list((found if last is None else found.filter(pk__gt=last))[:_ROWS_PER_PAGE])


def _list_matches(player_id: int, rows: frozenset[int], last: str | None) -> list[Row]:
    """Return a page of the person's matches, each with the person's connections and networks."""
    mine = Match.objects.filter(match_players_filter(rows)).order_by("pk")
    page = mine if last is None else mine.filter(pk__gt=last)
    known = {
        pk: build_pair(values) for pk, *values in page.values_list("pk", *PAIR)[:_MATCHES_PER_PAGE]
    }
    names = get_names_for(player_id, known)
    return [
        {
            **serialize_record(each, names[each.state.id]),
            "connections": list(_list_connections(each.state, rows)),
            "networks": list(_list_networks(each.state, rows)),
        }
        for each in list_records(list(names))
    ]


def _list_connections(state: Any, rows: frozenset[int]) -> Iterable[Any]:
    own = Connection.objects.filter(match=state.id, seat__in=state.seats_of(rows))
    return own.values("opened_at", "seen_at", "closed_at", "address")[:_CONNECTIONS_PER_MATCH]


def _list_networks(state: Any, rows: frozenset[int]) -> Iterable[Any]:
    own = ClientNetwork.objects.filter(match=state.id, seat__in=state.seats_of(rows))
    return own.values("network", "at")[:_CONNECTIONS_PER_MATCH]
