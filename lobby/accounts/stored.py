"""What is stored about a person, as one JSON file that is made piece by piece.

A piece is a page of rows, each read by a query of its own: however much somebody has played, only a
little of it is in memory at any time.
"""

from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

import msgspec
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db.models import Q, QuerySet

from games.models import Caller, ClientNetwork, Connection, Decision, Match, Notice, Report
from games.runtime.db import in_db_for_chores
from games.store.aliases import acting_as, seated
from games.store.records import as_json, records
from games.store.visibility import PAIR, names_for, pair_of
from lobby.models import Appeal, Device, FormerName, Player, Seek, SignIn

Row = dict[str, Any]
Rows = Callable[[frozenset[int]], QuerySet[Any, Any]]

_ROWS = 200  # in one piece
_MATCHES = 20  # in one piece, each with its moves
_parts: dict[str, Rows] = {}


def stored(part: str) -> Callable[[Rows], Rows]:
    """Decorator: the function gives the rows of that part about these players, who are one person.
    The rows are values, with their key as `pk`."""

    def keep(rows: Rows) -> Rows:
        _parts[part] = rows
        return rows

    return keep


async def stream(player: Player) -> AsyncIterator[bytes]:
    """The file's text, in pieces."""
    rows = await in_db_for_chores(acting_as, player.pk)
    yield b'{"account":' + msgspec.json.encode(_account(player))
    for part, asked in _parts.items():
        yield f',\n"{part}":['.encode()
        last, before = None, b""
        while found := await in_db_for_chores(_after, asked, rows, last):
            last = found[-1]["pk"]
            for row in found:
                yield before + msgspec.json.encode({k: v for k, v in row.items() if k != "pk"})
                before = b",\n"
        yield b"]"
    yield b',\n"matches":['
    last, before = None, b""
    while matches := await in_db_for_chores(_matches, player.pk, rows, last):
        last = matches[-1]["match"]
        for match in matches:
            yield before + msgspec.json.encode(match)
            before = b",\n"
    yield b"]}\n"


def _account(player: Player) -> Row:
    return {
        "name": player.username,
        "is_guest": player.is_guest,
        "email": player.email,
        "since": player.date_joined,
        "last_login": player.last_login,
        "name_chosen_at": player.named_at,
        "closes_at": player.closing_at,
    }


def _after(asked: Rows, rows: frozenset[int], last: Any) -> list[Row]:
    found = asked(rows).order_by("pk")
    return list((found if last is None else found.filter(pk__gt=last))[:_ROWS])


def _matches(player_id: int, rows: frozenset[int], last: str | None) -> list[Row]:
    """Some matches of the person, each whole, with the notes about their own connections to it."""
    mine = Match.objects.filter(seated(rows)).order_by("pk")
    page = mine if last is None else mine.filter(pk__gt=last)
    known = {pk: pair_of(values) for pk, *values in page.values_list("pk", *PAIR)[:_MATCHES]}
    names = names_for(player_id, known)
    return [
        {
            **as_json(each, names[each.state.id]),
            "connections": list(_connections(each.state, rows)),
            "networks": list(_networks(each.state, rows)),
        }
        for each in records(list(names))
    ]


def _connections(state: Any, rows: frozenset[int]) -> Iterable[Any]:
    own = Connection.objects.filter(match=state.id, seat__in=state.seats_of(rows))
    return own.values("opened_at", "seen_at", "closed_at", "address")[:_ROWS]


def _networks(state: Any, rows: frozenset[int]) -> Iterable[Any]:
    own = ClientNetwork.objects.filter(match=state.id, seat__in=state.seats_of(rows))
    return own.values("network", "at")[:_ROWS]


@stored("guest_names")
def _guest_names(rows: frozenset[int]) -> QuerySet[Any, Any]:
    """Of the guests who turned out to be this person."""
    aliases = Player.objects.filter(pk__in=rows, alias_of__isnull=False)
    return aliases.exclude(username__startswith="~").values("pk", "username", "date_joined")


@stored("former_names")
def _former_names(rows: frozenset[int]) -> QuerySet[Any, Any]:
    return FormerName.objects.filter(player__in=rows).values("pk", "name", "until")


@stored("addresses")
def _addresses(rows: frozenset[int]) -> QuerySet[Any, Any]:
    return EmailAddress.objects.filter(user__in=rows).values("pk", "email", "verified")


@stored("factors")
def _factors(rows: frozenset[int]) -> QuerySet[Any, Any]:
    """Never their secrets."""
    own = Authenticator.objects.filter(user__in=rows)
    return own.values("pk", "type", "created_at", "last_used_at")


@stored("sessions")
def _sessions(rows: frozenset[int]) -> QuerySet[Any, Any]:
    own = UserSession.objects.filter(user__in=rows)
    return own.values("pk", "created_at", "last_seen_at", "user_agent")


@stored("sign_ins_by_new_devices")
def _sign_ins(rows: frozenset[int]) -> QuerySet[Any, Any]:
    return SignIn.objects.filter(player__in=rows).values("pk", "device", "at", "seen_at")


@stored("devices")
def _devices(rows: frozenset[int]) -> QuerySet[Any, Any]:
    """Browsers by which the account was used: when last."""
    return Device.objects.filter(player__in=rows).values("pk", "seen_at")


@stored("seeks")
def _seeks(rows: frozenset[int]) -> QuerySet[Any, Any]:
    own = Seek.objects.filter(player__in=rows)
    setup = "game", "clock", "options", "rated", "lowest", "highest"
    return own.values("pk", *setup, "created_at", "match")


@stored("household")
def _household(rows: frozenset[int]) -> QuerySet[Any, Any]:
    """From where the computer was last called: a keyed hash."""
    return Caller.objects.filter(player__in=rows).values("pk", "address", "at")


@stored("notices")
def _notices(rows: frozenset[int]) -> QuerySet[Any, Any]:
    own = Notice.objects.filter(player__in=rows)
    return own.values("pk", "words", "match", "at", "seen_at")


@stored("reports_by_me")
def _reports(rows: frozenset[int]) -> QuerySet[Any, Any]:
    own = Report.objects.filter(by__in=rows)
    return own.values("pk", "case__match", "reason", "words", "at")


@stored("decisions_about_me")
def _decisions(rows: frozenset[int]) -> QuerySet[Any, Any]:
    concerned = Decision.objects.filter(Q(player__in=rows))
    return concerned.values("pk", "kind", "match", "reason", "at", "until", "name")


@stored("appeals")
def _appeals(rows: frozenset[int]) -> QuerySet[Any, Any]:
    own = Appeal.objects.filter(player__in=rows)
    return own.values("pk", "words", "at", "answer", "answered_at")
