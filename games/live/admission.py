"""Who comes in by a socket, and to what: the session, its player, the match.

Those who come at the same time are looked up together, as the journal does with what they then
send; so a server that starts again under many clients is not held up by them.
"""

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any

import structlog
from django.conf import settings
from django.contrib.auth import (
    BACKEND_SESSION_KEY,
    HASH_SESSION_KEY,
    SESSION_KEY,
    get_user_model,
)
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.sessions.models import Session
from django.db import connection
from django.http.cookie import parse_cookie
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from msgspec import Struct

from games.match.state import Row
from games.models import Match
from games.runtime.db import Unavailable, at_desk, at_reading_desk, lightly
from games.runtime.per_loop import PerLoop
from games.runtime.pubsub import SERVER
from games.runtime.turntaking import Asker, Line
from games.store.epoch import current_epoch
from games.store.matches import FIELDS
from games.store.presence import later
from games.store.sessions import SessionStore, is_key
from games.store.suspensions import Suspension, suspensions

log = structlog.get_logger(__name__)

_BATCH = 100  # who is looked up together
_EACH = 20  # of one household


class Entrant(Struct, frozen=True):
    """What a socket brings: its session's key ("" for none), and the match it is for."""

    session_key: str
    match_id: str | None = None


class Entered(Struct, frozen=True):
    """Who it is (None: nobody known), and what they came for.

    `row` is None where there is no such match, or none was asked for; `epoch` is the history that
    it was read from.
    """

    player_id: int | None = None
    player_name: str | None = None
    held: Suspension | None = None
    row: Row | None = None
    names: tuple[str, str] = ("", "")
    epoch: str = ""


class Entrance:
    """Collects who comes in by the sockets of one event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting: Line[tuple[Entrant, asyncio.Future[Entered]]] = Line()
        self._turning: asyncio.Task[None] | None = None

    async def admit(self, entrant: Entrant, household: str = "") -> Entered:
        """Who that is. Raises `Unavailable` when the database is away. Households take turns."""
        future: asyncio.Future[Entered] = self._loop.create_future()
        self._waiting.put(Asker(household, entrant.session_key), (entrant, future))
        if self._turning is None:
            self._turning = self._loop.create_task(self._turn())
        return await future

    async def _turn(self) -> None:
        try:
            while self._waiting:
                each = _EACH if settings.RATE_LIMITS else _BATCH
                await self._look(self._waiting.take(_BATCH, each))
        finally:
            self._turning = None

    async def _look(self, batch: list[tuple[Entrant, asyncio.Future[Entered]]]) -> None:
        found: list[Entered] = []
        failure: Exception | None = None
        try:
            found = await at_reading_desk(look_up, [entrant for entrant, _ in batch])
            # Players of live matches are here: noted before they are let in, so that nobody can
            # claim from then on that they are gone.
            if seated := [place for each in found if (place := _seat(each)) is not None]:
                # Where nothing can be written, nothing can be claimed either.
                with contextlib.suppress(Unavailable):
                    await at_desk(_note, seated)
        except Exception as error:  # whatever it is, nobody may be left waiting
            if not isinstance(error, Unavailable):
                if len(batch) > 1:  # one of them is to blame, and shall fail alone
                    for each in batch:
                        await self._look([each])
                    return
                log.exception("admission failed")
            failure = Unavailable()
        for index, (_, future) in enumerate(batch):
            if future.done():
                continue
            if failure is None:
                future.set_result(found[index])
            else:
                future.set_exception(failure)


entrance = PerLoop(Entrance)
"""The entrance of the running event loop."""


def session_key(headers: Sequence[tuple[bytes, bytes]]) -> str:
    """The session's key among a request's cookies; "" where there is none that could be one."""
    for name, value in headers:
        if name == b"cookie":
            key = parse_cookie(value.decode("latin1")).get(settings.SESSION_COOKIE_NAME, "")
            return key if is_key(key) else ""
    return ""


def look_up(entrants: Sequence[Entrant]) -> list[Entered]:
    """Who each of them is, and the match that they come for."""
    players = _players({entrant.session_key for entrant in entrants} - {""})
    people = [players.get(entrant.session_key) for entrant in entrants]
    held = suspensions({who.pk for who in people if who is not None})
    wanted = {e.match_id for e in entrants if e.match_id is not None}
    epoch = current_epoch() if wanted else ""  # first: what is read after it is no older
    matches = _matches(wanted)
    found = []
    for entrant, who in zip(entrants, people, strict=True):
        player_id = None if who is None else who.pk
        row, names = matches.get(entrant.match_id or "", (None, ("", "")))
        found.append(
            Entered(
                player_id,
                None if who is None else who.get_username(),
                None if player_id is None else held.get(player_id),
                row,
                names,
                epoch,
            )
        )
    return found


def _seat(who: Entered) -> tuple[str, int] | None:
    """The live match, and the seat in it, of one who may play there."""
    if who.row is None or not who.row.is_live or who.held is not None:
        return None
    seat = who.row.seat_of(who.player_id)
    return None if seat is None else (who.row.id, seat)


def _players(keys: set[str]) -> dict[str, Any]:
    """The player of each of these sessions, as Django's own login would find them: the session is
    not over, the player may log in, and the password is the one that they logged in with."""
    ids: dict[str, tuple[str, str]] = {}
    alive = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    for key, data in alive.values_list("session_key", "session_data"):
        values = SessionStore(key).decode(data)
        if values.get(BACKEND_SESSION_KEY) in settings.AUTHENTICATION_BACKENDS:
            ids[key] = values[SESSION_KEY], values.get(HASH_SESSION_KEY, "")
    users = get_user_model().objects.filter(is_active=True).in_bulk({pk for pk, _ in ids.values()})
    players = {}
    for key, (pk, proof) in ids.items():
        user = users.get(int(pk))
        if user is not None and _proves(proof, user):
            players[key] = user
    return players


def _proves(proof: str, user: AbstractBaseUser) -> bool:
    hashes = (user.get_session_auth_hash(), *user.get_session_auth_fallback_hash())
    return any(constant_time_compare(proof, known) for known in hashes)


def _matches(match_ids: set[str]) -> dict[str, tuple[Row, tuple[str, str]]]:
    found: dict[str, tuple[Row, tuple[str, str]]] = {}
    if not match_ids:
        return found
    columns = (*FIELDS, "first__username", "second__username")
    for values in Match.objects.filter(pk__in=match_ids).values_list(*columns):
        row = Row(*values[:-2])
        if row.is_readable:
            found[row.id] = (row, (values[-2], values[-1]))
    return found


_HERE = """
    INSERT INTO games_attendance (match_id, server, {seat}_at, watchers, seen_at)
    VALUES (%s, %s, %s, 0, %s)
    ON CONFLICT (match_id, server) DO UPDATE SET {seat}_at = {later}
"""


def _note(seated: Sequence[tuple[str, int]]) -> None:
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    with lightly(), connection.cursor() as cursor:
        for seat, name in enumerate(("first", "second")):
            rows = [(match_id, SERVER, now, now) for match_id, s in sorted(seated) if s == seat]
            if rows:
                cursor.executemany(_HERE.format(seat=name, later=later(name)), rows)
