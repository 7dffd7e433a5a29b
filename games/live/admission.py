"""Admission of clients: look up the session, its player and the match.

Clients are admitted when they open a socket or a stream, and for each API request about a match.
Those that arrive at the same time are looked up together, so that many clients can reconnect
quickly to a restarted server.
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
from msgspec.structs import replace

from games.match.state import MatchState
from games.runtime.batcher import Batcher
from games.runtime.db import Unavailable, in_db, in_db_for_reading
from games.runtime.fair_queue import Requester
from games.runtime.per_loop import PerLoop
from games.runtime.prepared_query import PreparedQuery
from games.store.aliases import get_aliases_of
from games.store.epoch import get_epoch
from games.store.presence import note_players
from games.store.records import read_with_pairs
from games.store.seats import get_held_seats, get_holders
from games.store.sessions import SessionStore, get_players_by_key, is_key
from games.store.suspensions import Suspension, get_suspensions
from games.store.visibility import PUBLIC, Privacy, get_names_for_each, get_privacy

log = structlog.get_logger(__name__)

_BATCH_SIZE = 100
_BATCH_SIZE_PER_NETWORK = 20  # so that other client networks wait less


class Applicant(Struct, frozen=True):
    """A client to be admitted to a match, or only to the site if `match_id` is None.

    `session_key` is the key of the session, another key that admits a player
    (`games.store.sessions.key_sources`), or "".
    """

    session_key: str
    match_id: str | None = None


class Admitted(Struct, frozen=True):
    """The player behind an applicant (None: a visitor), and the requested match.

    `state` is None if no match was requested, if it does not exist, or if the player may not see
    it. `epoch` is the epoch of the database (`games.store.epoch`) at that time, if a match was
    requested. `seats` are the seats for which the player may act.
    """

    player_id: int | None = None
    player_name: str | None = None
    acts_as: frozenset[int] = frozenset()  # the ids of the same person (`games.store.aliases`)
    held: Suspension | None = None
    state: MatchState | None = None
    names: tuple[str, str] = ("", "")
    privacy: Privacy = PUBLIC
    epoch: str = ""
    seats: tuple[int, ...] = ()


class Admission:
    """The admission of clients on one event loop."""

    def __init__(self) -> None:
        self._batcher: Batcher[Applicant, Admitted] = Batcher(
            "admission",
            self._admit,
            lost=Unavailable,
            most=_BATCH_SIZE,
            each=_BATCH_SIZE_PER_NETWORK,
            skips_gone=True,
        )

    def admit(self, applicant: Applicant, client_network: str = "") -> asyncio.Future[Admitted]:
        """Look up an applicant. Networks are served round-robin.

        The result is a future, which raises `Unavailable` if the applicant cannot be looked up.
        """
        return self._batcher.ask(applicant, Requester(client_network, applicant.session_key))

    async def _admit(self, applicants: list[Applicant]) -> list[Admitted | Exception]:
        try:
            return [*await self._look_up(applicants)]
        except Unavailable as error:  # the failure was counted and logged where it was raised
            return [error] * len(applicants)
        except Exception:
            if len(applicants) > 1:  # retry each alone, so that only the faulty one fails
                return [(await self._admit([one]))[0] for one in applicants]
            log.exception("admission failed")
            return [Unavailable()]

    async def _look_up(self, applicants: list[Applicant]) -> list[Admitted]:
        admitted = await in_db_for_reading(look_up_applicants, applicants)
        # Store presence before the player is admitted, so that the opponent cannot claim a win
        # because of the player's absence. Without a database, nobody can claim a win either.
        if seated := [seat for each in admitted for seat in _seats(each)]:
            with contextlib.suppress(Unavailable):
                await in_db(note_players, seated)
        return admitted


admission = PerLoop(Admission)
"""The admission of the running event loop."""


def parse_session_key(headers: Sequence[tuple[bytes, bytes]]) -> str:
    """Return the session's key from a request's cookies, or "" if there is no valid one."""
    for name, value in headers:
        if name == b"cookie":
            key = parse_cookie(value.decode("latin1")).get(settings.SESSION_COOKIE_NAME, "")
            return key if is_key(key) else ""
    return ""


def look_up_applicants(applicants: Sequence[Applicant]) -> list[Admitted]:
    """Return the player and the match of each applicant."""
    players = _players({applicant.session_key for applicant in applicants} - {""})
    people = [players.get(applicant.session_key) for applicant in applicants]
    known = {who.pk for who in people if who is not None}
    held, acts_as = get_suspensions(known), get_aliases_of(known)
    wanted = {e.match_id for e in applicants if e.match_id is not None}
    # Read the epoch first, so that the states are at least as new as the epoch.
    epoch = get_epoch() if wanted else ""
    matches = read_with_pairs(wanted)
    held_by = get_holders({pk for _, pair in matches.values() for pk in pair.ids})
    privacy = get_privacy({pk: pair for pk, (_, pair) in matches.items()})
    shown = get_names_for_each(
        {
            (None if who is None else who.pk, applicant.match_id): matches[applicant.match_id][1]
            for applicant, who in zip(applicants, people, strict=True)
            if applicant.match_id in matches
        }
    )
    found = []
    for applicant, who in zip(applicants, people, strict=True):
        player_id = None if who is None else who.pk
        admitted = Admitted(
            player_id,
            None if who is None else who.name,
            frozenset() if player_id is None else acts_as[player_id],
            None if player_id is None else held.get(player_id),
            epoch=epoch,
        )
        match_id = applicant.match_id or ""
        if (player_id, match_id) in shown:
            state, pair = matches[match_id]
            admitted = replace(
                admitted,
                state=state,
                names=pair.names,
                privacy=privacy[match_id],
                seats=get_held_seats(state, player_id, held_by),
            )
        found.append(admitted)
    return found


def _seats(who: Admitted) -> list[tuple[str, int]]:
    """Return (match id, seat) for each seat of a live match that this player may act for now."""
    if who.state is None or not who.state.is_live or who.held is not None:
        return []
    return [(who.state.id, seat) for seat in who.seats]


def _players(keys: set[str]) -> dict[str, Any]:
    """Return a dictionary that maps each valid key to the player whom it admits.

    A session key is checked as in `django.contrib.auth.get_user`: the session has not expired, and
    the password has not changed since the login. Other keys are checked by their source
    (`games.store.sessions.key_sources`). The account must be active in both cases.
    """
    ids: dict[str, tuple[str, str]] = {}
    now = timezone.now()
    for key, data, expires_at in _sessions(keys):
        if expires_at <= now:
            continue
        values = SessionStore(key).decode(data)
        if values.get(BACKEND_SESSION_KEY) in settings.AUTHENTICATION_BACKENDS:
            ids[key] = values[SESSION_KEY], values.get(HASH_SESSION_KEY, "")
    others = get_players_by_key(keys)
    wanted = {int(pk) for pk, _ in ids.values()} | set(others.values())
    model = get_user_model()
    columns = [field.attname for field in model._meta.concrete_fields]
    rows = [model.from_db(connection.alias, columns, values) for values in _users(wanted)]
    users = {user.pk: user for user in rows}
    players = {key: users[pk] for key, pk in others.items() if pk in users}
    for key, (pk, proof) in ids.items():
        user = users.get(int(pk))
        if user is not None and _proves(proof, user):
            players[key] = user
    return players


_sessions = PreparedQuery(
    lambda keys: Session.objects.filter(session_key__in=keys).values_list(
        "session_key", "session_data", "expire_date"
    ),
    of=str,
)
_users = PreparedQuery(
    lambda ids: (
        get_user_model()
        .objects.filter(pk__in=ids, is_active=True)
        .values_list(*(field.attname for field in get_user_model()._meta.concrete_fields))
    )
)


def _proves(proof: str, user: AbstractBaseUser) -> bool:
    hashes = (user.get_session_auth_hash(), *user.get_session_auth_fallback_hash())
    return any(constant_time_compare(proof, known) for known in hashes)
