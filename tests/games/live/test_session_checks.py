"""The check of all sessions closes the sockets of invalid sessions, and no others."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.sessions.models import Session
from django.test import Client

from games.live import sessions as checks
from games.live.frames import CLOSE_LOGGED_OUT
from games.live.sessions import Sessions, find_invalid
from games.runtime.db import close_db_threads, in_db, in_db_for_reading
from games.store.sessions import SessionStore
from games.store.suspensions import Suspension
from lobby.accounts.guests import new_guest
from lobby.models import Player

pytestmark = pytest.mark.django_db(transaction=True)


class Socket:
    """An open socket that remembers with which codes it was closed."""

    def __init__(self, session_key: str, player_id: int) -> None:
        self.session_key = session_key
        self.player_id: int | None = player_id
        self.acts_as = frozenset({player_id})
        self.client_network = "network"
        self.codes: list[int] = []

    def send_text(self, text: str) -> None:
        raise AssertionError(text)

    def suspend(self, held: Suspension) -> None:
        raise AssertionError(held)

    def close(self, code: int) -> None:
        self.codes.append(code)


@pytest.fixture
def player() -> Player:
    return new_guest()


@pytest.fixture
def session(player: Player) -> SessionStore:
    client = Client()
    client.force_login(player)
    return client.session  # type: ignore[return-value]


@pytest.fixture(autouse=True)
def at_the_end() -> Iterator[None]:
    yield
    close_db_threads()


def checked(socket: Socket, in_between: Callable[[Sessions], Awaitable[None]]) -> None:
    """Check all sessions; while the second look is awaited, do something."""

    async def check() -> None:
        open_sockets = Sessions()
        open_sockets._sockets[socket.session_key].add(socket)
        assert socket.player_id is not None
        open_sockets._players[socket.player_id].add(socket)
        checking = asyncio.create_task(open_sockets._check())
        await in_between(open_sockets)
        await checking

    asyncio.run(check())


async def nothing(open_sockets: Sessions) -> None:
    pass


def test_a_valid_session_keeps_its_sockets(player: Player, session: SessionStore) -> None:
    socket = Socket(str(session.session_key), player.pk)
    checked(socket, nothing)
    assert socket.codes == []


def test_a_session_that_is_over_loses_its_sockets(player: Player, session: SessionStore) -> None:
    socket = Socket(str(session.session_key), player.pk)
    Session.objects.all().delete()
    checked(socket, nothing)
    assert socket.codes == [CLOSE_LOGGED_OUT]


def test_logging_out_closes_the_sockets_of_the_session_at_once(player: Player) -> None:
    """Not only once all sessions are checked."""
    client = Client()
    client.force_login(player)
    socket, other = (Socket(str(key), player.pk) for key in (client.session.session_key, "other"))

    async def log_out() -> None:
        for each in (socket, other):
            checks.sessions().opened(each)
        await sync_to_async(client.logout)()

    asyncio.run(log_out())
    assert (socket.codes, other.codes) == ([CLOSE_LOGGED_OUT], [])


def test_a_session_that_is_changing_its_key_keeps_its_sockets(
    player: Player, session: SessionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stored key has changed, and the server does not know yet."""
    socket = Socket(str(session.session_key), player.pk)
    former = session.session_key
    data = Session.objects.get(pk=former)
    key = str(former)[::-1]
    Session.objects.create(
        session_key=key, session_data=data.session_data, expire_date=data.expire_date
    )
    data.delete()
    looked = asyncio.Event()

    async def look(*args: Any) -> Any:
        found = await in_db_for_reading(*args)
        looked.set()
        return found

    monkeypatch.setattr(checks, "in_db_for_reading", look)

    async def told(open_sockets: Sessions) -> None:
        await looked.wait()
        await asyncio.sleep(0.1)  # the first look has closed what it would
        open_sockets.moved(str(former), key)

    checked(socket, told)
    assert socket.session_key == key
    assert socket.codes == []
    assert asyncio.run(still_valid(socket)) == []


async def still_valid(socket: Socket) -> list[str]:
    held = (socket.session_key, socket.player_id, socket.acts_as)
    assert socket.player_id is not None
    return (await in_db(find_invalid, [held], {})).sessions
