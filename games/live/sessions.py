"""The closing of sockets when their session ends, or when their player is suspended.

Sockets of a guest who logs in to an account are closed too, a moment later, so that their clients
connect again. Hints make every server close its sockets. Because a hint may be lost, each server
also reads the newest suspensions every few seconds, and checks the sessions and accounts of all its
sockets. This also finds sessions that expired, passwords that were changed, and closed accounts.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from asgiref.sync import async_to_sync
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.utils import timezone
from msgspec import Struct

from games.live.admission import Applicant, look_up_applicants
from games.live.frames import CLOSE_LOGGED_OUT, CLOSE_RECONNECT, CLOSE_SUSPENDED, encode_error
from games.messages.refusal import Refused
from games.runtime.db import in_db, in_db_for_reading
from games.runtime.per_loop import PerLoop
from games.runtime.pubsub import pubsub
from games.runtime.tasks import Repeated
from games.store.aliases import get_aliases_of, get_person, get_persons
from games.store.sessions import get_players_by_key
from games.store.suspensions import Suspension, get_suspensions, list_newly_suspended

# A session's key, the id of the player admitted with it, and the ids that were the same person's
# then.
OpenSession = tuple[str, int, frozenset[int]]
# The stored data of a session, and the stored hash of its player's password.
Proof = tuple[str, str]


class InvalidSessions(Struct, frozen=True):
    """The sessions and players whose sockets must be closed."""

    sessions: list[str]  # keys of sessions that have ended
    players: list[int]  # ids of players whose account was closed
    anew: list[int]  # ids of players who logged in to another account, or got another alias


def find_invalid(held: Sequence[OpenSession], proofs: dict[OpenSession, Proof]) -> InvalidSessions:
    """Return the sessions and players that are no longer valid.

    `proofs` has the data that each session had when it was last found valid, so that only sessions
    that have changed are checked in full. This function updates it.
    """
    stored = Session.objects.filter(
        session_key__in={key for key, _, _ in held}, expire_date__gt=timezone.now()
    )
    sessions = dict(stored.values_list("session_key", "session_data"))
    sessions |= dict.fromkeys(get_players_by_key({key for key, _, _ in held}), "")
    players = {pk for _, pk, _ in held}
    aliases = {pk for pk, person in get_persons(players).items() if pk != person}
    rows = get_aliases_of(players)
    anew = {pk for _, pk, acts_as in held if pk in aliases or not rows[pk] <= acts_as}
    held = [each for each in held if each[1] not in anew]
    active = get_user_model().objects.filter(pk__in=players - anew, is_active=True)
    passwords = dict(active.values_list("pk", "password"))
    over = [key for key, _, _ in held if key not in sessions]
    closed = [pk for key, pk, _ in held if key in sessions and pk not in passwords]
    now = {
        each: (sessions[each[0]], passwords[each[1]])
        for each in held
        if each[0] in sessions and each[1] in passwords
    }
    changed = [each for each, proof in now.items() if proofs.get(each) != proof]
    admitted = look_up_applicants([Applicant(key) for key, _, _ in changed])
    for each, who in zip(changed, admitted, strict=True):
        if who.player_id == each[1]:
            proofs[each] = now[each]
        else:
            over.append(each[0])
    return InvalidSessions(over, closed, sorted(anew))


_GROUP = "sessions"
# Seconds between two checks of all sessions, so that a socket survives its session by less than
# 10 s.
_CHECK_EVERY = 5.0
_SESSIONS_PER_QUERY = 100
_CHANGING = 3.0  # seconds for the sockets of a session whose key changes to get the new key
_COOKIE = 2.0  # seconds for a browser to receive the cookie of a login


class SessionSocket(Protocol):
    """The attributes of an open socket (`games.live.sockets`) that this module uses."""

    session_key: str  # "" if there is no session
    player_id: int | None  # None for a visitor, or before the player is looked up
    acts_as: frozenset[int]  # the ids of the same person: the player and the aliases
    client_network: str  # the network of the client's address

    def send_text(self, text: str) -> None:
        """Send a frame's JSON text."""
        ...

    def suspend(self, held: Suspension) -> None:
        """Notify the client of the suspension, and close the socket."""
        ...

    def close(self, code: int) -> None:
        """Close the socket with one of the codes in `games.live.frames`."""
        ...


class Sessions:
    """The open sockets of this process by session and by player."""

    def __init__(self) -> None:
        self._sockets: defaultdict[str, set[SessionSocket]] = defaultdict(set)
        self._players: defaultdict[int, set[SessionSocket]] = defaultdict(set)
        self._at: Counter[str] = Counter()  # the number of sockets by network
        pause = min(settings.DB_POLL_SECONDS, _CHECK_EVERY / 2)
        self._suspended = Repeated(
            "suspensions", self._look, pause, first=pause, goes_on=self._has_players
        )
        self._standing = Repeated(
            "sessions", self._check, _CHECK_EVERY, first=pause, goes_on=self._has_players
        )
        self._proofs: dict[OpenSession, Proof] = {}

    def is_crowded(self, socket: SessionSocket) -> bool:
        """Return whether the socket's network or player has more sockets here than allowed."""
        if not settings.RATE_LIMITS:
            return False
        own = len(self._players.get(socket.player_id, ())) if socket.player_id is not None else 0
        return (
            own > settings.SOCKETS_PER_PLAYER
            or self._at[socket.client_network] > settings.SOCKETS_PER_ADDRESS
        )

    def opened(self, socket: SessionSocket) -> None:
        """Add a new socket whose player has not been looked up yet."""
        self._at[socket.client_network] += 1
        if socket.session_key:
            self._sockets[socket.session_key].add(socket)
            pubsub().subscribe(_GROUP, self._heard)

    def known(self, socket: SessionSocket) -> None:
        """Add a socket whose player has been looked up."""
        if socket.player_id is not None:
            self._players[socket.player_id].add(socket)
            self._suspended.start()
            self._standing.start()

    def shut(self, socket: SessionSocket) -> None:
        self._at[socket.client_network] -= 1
        if not self._at[socket.client_network]:
            del self._at[socket.client_network]
        if socket.session_key:
            _discard(self._sockets, socket.session_key, socket)
        if socket.player_id is not None:
            _discard(self._players, socket.player_id, socket)

    def moved(self, former: str, key: str) -> None:
        """Move the sockets of a session to its new key."""
        for socket in self._sockets.pop(former, ()):
            socket.session_key = key
            self._sockets[key].add(socket)

    def end(self, key: str) -> None:
        """Close the sockets of a session that has ended."""
        for socket in list(self._sockets.get(key, ())):
            socket.close(CLOSE_LOGGED_OUT)

    async def suspend(self, player_ids: Iterable[int]) -> None:
        """Send the reason to those of these players who are suspended, and close their sockets."""
        here = [player_id for player_id in player_ids if player_id in self._players]
        if not here:
            return
        for player_id, held in (await in_db(get_suspensions, here)).items():
            for socket in list(self._players.get(player_id, ())):
                socket.suspend(held)

    def shut_out(self, player_id: int) -> None:
        """Send the reason to a player whose account is closed, and close the player's sockets."""
        for socket in list(self._players.get(player_id, ())):
            socket.send_text(encode_error(Refused("closed")))
            socket.close(CLOSE_SUSPENDED)

    def begin_anew(self, player_ids: Iterable[int]) -> None:
        """Close the sockets of these players, so that their clients connect again."""
        for player_id in player_ids:
            for socket in list(self._players.get(player_id, ())):
                socket.close(CLOSE_RECONNECT)

    def _has_players(self) -> bool:
        return bool(self._players)

    async def _look(self) -> None:
        """Close the sockets of suspended players, in case a hint was lost."""
        await self.suspend(await in_db(list_newly_suspended))

    async def _check(self) -> None:
        """Close the sockets of sessions and accounts that are no longer valid."""
        held = sorted(
            {
                (socket.session_key, player_id, socket.acts_as)
                for player_id, sockets in self._players.items()
                for socket in sockets
            },
            key=lambda each: each[:2],
        )
        self._proofs = {each: self._proofs[each] for each in held if each in self._proofs}
        over: set[str] = set()
        for i in range(0, len(held), _SESSIONS_PER_QUERY):
            found = await in_db_for_reading(
                find_invalid, held[i : i + _SESSIONS_PER_QUERY], self._proofs
            )
            self.begin_anew(found.anew)
            for player_id in found.players:
                self.shut_out(player_id)
            over.update(found.sessions)
        if over:
            await self._end_unless_changing([each for each in held if each[0] in over])

    async def _end_unless_changing(self, held: Sequence[OpenSession]) -> None:
        """Close the sockets of invalid sessions that are still invalid a moment later.

        A login gives the session another key. Its sockets get the new key a moment later.
        """
        await asyncio.sleep(_CHANGING)
        for i in range(0, len(held), _SESSIONS_PER_QUERY):
            found = await in_db_for_reading(find_invalid, held[i : i + _SESSIONS_PER_QUERY], {})
            for key in found.sessions:
                self.end(key)  # no sockets are left under this key if it was changed

    def _heard(self, hint: dict[str, Any]) -> None:
        if "anew" in hint:
            self.begin_anew(hint["anew"])
        elif "player" in hint:
            pubsub().soon(self.suspend([hint["player"]]))
        elif "moved" in hint:
            self.moved(*hint["moved"])
        else:
            for key in hint["keys"]:
                self.end(key)


def _discard(sets: defaultdict[Any, set[SessionSocket]], key: Any, socket: SessionSocket) -> None:
    sets[key].discard(socket)
    if not sets[key]:
        del sets[key]


sessions = PerLoop(Sessions)
"""The sessions of the running event loop."""


def close_after_logout(sender: Any, request: Any, **kwargs: Any) -> None:
    """Close the sockets of the session that ended."""
    key = request.session.session_key if request is not None else None
    if key:
        async_to_sync(end_everywhere)([key])  # the sockets belong to the server's event loop


def follow_key_change(sender: Any, former: str, key: str, **kwargs: Any) -> None:
    """Move the sockets of a session to its new key."""
    async_to_sync(_move_everywhere)(former, key)


async def _move_everywhere(former: str, key: str) -> None:
    sessions().moved(former, key)
    pubsub().publish(_GROUP, moved=(former, key))


async def end_everywhere(keys: Sequence[str]) -> None:
    """Close the sockets of sessions that have ended, on every server."""
    for key in keys:
        sessions().end(key)
    pubsub().publish(_GROUP, keys=list(keys))


async def suspend_everywhere(player_id: int) -> None:
    """Close a suspended player's sockets on every server.

    Call this after the decision has been committed. All sockets of the person are closed, even if
    the decision was about another alias.
    """
    who = await in_db(get_person, player_id)
    await sessions().suspend([who])
    pubsub().publish(_GROUP, player=who)


async def reconnect_everywhere(player_ids: list[int]) -> None:
    """Close these players' sockets on every server soon, so that their clients reconnect.

    Until then, the sockets act under the former id, which belongs to the same person.
    """
    pubsub().soon(_begin_anew_later(player_ids))


async def _begin_anew_later(player_ids: list[int]) -> None:
    await asyncio.sleep(_COOKIE)
    sessions().begin_anew(player_ids)
    pubsub().publish(_GROUP, anew=player_ids)
