"""Closes a session's sockets when the session ends, and a player's when the player is suspended, or
when a guest turns out to be somebody who has an account.

That happens at once, and on every server. As a hint may be lost, each server also reads the newest
suspensions every few seconds, and checks the sessions and accounts of all its sockets: a session
may run out, or a password be changed, without a hint."""

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

OpenSession = tuple[
    str, int, frozenset[int]
]  # a session's key, the player who was admitted with it, and the players who that person was
Proof = tuple[str, str]  # a session's stored data, and its player's stored password


class InvalidSessions(Struct, frozen=True):
    """Whose sockets are to be closed."""

    sessions: list[str]  # keys of sessions that are over
    players: list[int]  # whose account is closed
    anew: list[int]  # players who are another now, or more than one


def find_invalid(held: Sequence[OpenSession], proofs: dict[OpenSession, Proof]) -> InvalidSessions:
    """Which of these are no longer valid. `proofs` keeps what each was last found valid by, so that
    only those are checked in full of which something has changed."""
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
_CHECK_EVERY = 5.0  # seconds between two checks of all sessions: none outlives its end by 10 s
_SOME = 100  # sessions checked in one query
_CHANGING = 1.0  # seconds in which a session that changes its key surely has done so
_COOKIE = 2.0  # seconds until a browser surely has the cookie of a login that was just answered


class SessionSocket(Protocol):
    """What is known here of an open socket (`games.live.sockets`)."""

    session_key: str  # "" for none
    player_id: int | None  # None: nobody who is known, or not looked up yet
    acts_as: frozenset[int]  # the players who are this person
    client_network: str  # of its address

    async def send_text(self, text: str) -> None:
        """Send a frame's JSON text."""
        ...

    async def suspend(self, held: Suspension) -> None:
        """Close, and say why and until when."""
        ...

    async def close(self, code: int) -> None:
        """Close with a code of `games.live.frames`."""
        ...


class Sessions:
    """The open sockets of this process by their session."""

    def __init__(self) -> None:
        self._sockets: defaultdict[str, set[SessionSocket]] = defaultdict(set)
        self._players: defaultdict[int, set[SessionSocket]] = defaultdict(set)
        self._at: Counter[str] = Counter()  # sockets by their network
        pause = min(settings.DB_POLL_SECONDS, _CHECK_EVERY / 2)
        self._suspended = Repeated(
            "suspensions", self._look, pause, first=pause, goes_on=self._has_players
        )
        self._standing = Repeated(
            "sessions", self._check, _CHECK_EVERY, first=pause, goes_on=self._has_players
        )
        self._proofs: dict[OpenSession, Proof] = {}

    def is_crowded(self, socket: SessionSocket) -> bool:
        """Whether its address, or its player if known, has more sockets here than allowed."""
        if not settings.RATE_LIMITS:
            return False
        own = len(self._players.get(socket.player_id, ())) if socket.player_id is not None else 0
        return (
            own > settings.SOCKETS_PER_PLAYER
            or self._at[socket.client_network] > settings.SOCKETS_PER_ADDRESS
        )

    def opened(self, socket: SessionSocket) -> None:
        """A socket was opened. Its player has not been looked up yet."""
        self._at[socket.client_network] += 1
        if socket.session_key:
            self._sockets[socket.session_key].add(socket)
            pubsub().subscribe(_GROUP, self._heard)

    def known(self, socket: SessionSocket) -> None:
        """The socket's player has been looked up."""
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
        """A session goes on under another key, and so do its sockets."""
        for socket in self._sockets.pop(former, ()):
            socket.session_key = key
            self._sockets[key].add(socket)

    async def end(self, key: str) -> None:
        """Close the sockets of a session that has ended."""
        for socket in list(self._sockets.get(key, ())):
            await socket.close(CLOSE_LOGGED_OUT)

    async def suspend(self, player_ids: Iterable[int]) -> None:
        """Close the sockets of those of the players who are suspended, and tell them why."""
        here = [player_id for player_id in player_ids if player_id in self._players]
        if not here:
            return
        for player_id, held in (await in_db(get_suspensions, here)).items():
            for socket in list(self._players.get(player_id, ())):
                await socket.suspend(held)

    async def shut_out(self, player_id: int) -> None:
        """Close the sockets of a player whose account is closed, and tell the player why."""
        for socket in list(self._players.get(player_id, ())):
            await socket.send_text(encode_error(Refused("closed")))
            await socket.close(CLOSE_SUSPENDED)

    async def begin_anew(self, player_ids: Iterable[int]) -> None:
        """Close the sockets of these players, who connect again as who they are now."""
        for player_id in player_ids:
            for socket in list(self._players.get(player_id, ())):
                await socket.close(CLOSE_RECONNECT)

    def _has_players(self) -> bool:
        return bool(self._players)

    async def _look(self) -> None:
        """Close the sockets of players who were suspended, should the hint be lost."""
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
        for i in range(0, len(held), _SOME):
            found = await in_db_for_reading(find_invalid, held[i : i + _SOME], self._proofs)
            await self.begin_anew(found.anew)
            for player_id in found.players:
                await self.shut_out(player_id)
            over.update(found.sessions)
        if over:
            await self._end_unless_changing([each for each in held if each[0] in over])

    async def _end_unless_changing(self, held: Sequence[OpenSession]) -> None:
        """Close the sockets of sessions that were found over, if a moment later they still are: one
        whose owner logs in has another key, and its sockets know that only then."""
        await asyncio.sleep(_CHANGING)
        for i in range(0, len(held), _SOME):
            found = await in_db_for_reading(find_invalid, held[i : i + _SOME], {})
            for key in found.sessions:
                await self.end(key)  # nobody's, if it has changed

    def _heard(self, hint: dict[str, Any]) -> None:
        if "anew" in hint:
            pubsub().soon(self.begin_anew(hint["anew"]))
        elif "player" in hint:
            pubsub().soon(self.suspend([hint["player"]]))
        elif "moved" in hint:
            self.moved(*hint["moved"])
        else:
            for key in hint["keys"]:
                pubsub().soon(self.end(key))


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
        async_to_sync(end_everywhere)([key])  # the sockets live on the server's event loop


def follow_key_change(sender: Any, former: str, key: str, **kwargs: Any) -> None:
    """Move the sockets of a session to its new key."""
    async_to_sync(_move_everywhere)(former, key)


async def _move_everywhere(former: str, key: str) -> None:
    sessions().moved(former, key)
    pubsub().publish(_GROUP, moved=(former, key))


async def end_everywhere(keys: Sequence[str]) -> None:
    """Close the sockets of sessions that have ended, on every server."""
    for key in keys:
        await sessions().end(key)
    pubsub().publish(_GROUP, keys=list(keys))


async def suspend_everywhere(player_id: int) -> None:
    """Close a suspended player's sockets on every server, after the decision was committed. The
    sockets are those of the person, whichever of their rows is suspended."""
    who = await in_db(get_person, player_id)
    await sessions().suspend([who])
    pubsub().publish(_GROUP, player=who)


async def reconnect_everywhere(player_ids: list[int]) -> None:
    """Soon close these players' sockets on every server: they connect again as who they are now.

    Until then they act as who they were, which is the same person."""
    pubsub().soon(_begin_anew_later(player_ids))


async def _begin_anew_later(player_ids: list[int]) -> None:
    await asyncio.sleep(_COOKIE)
    await sessions().begin_anew(player_ids)
    pubsub().publish(_GROUP, anew=player_ids)
