"""A session that changes its key while sessions are checked keeps its sockets."""

import asyncio

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from games.live import sessions
from games.live.frames import CLOSE_LOGGED_OUT
from games.live.sessions import Sessions
from games.runtime.db import close_db_threads, in_db
from games.runtime.tasks import end_loops
from lobby.accounts.guests import new_guest
from lobby.models import Player

pytestmark = pytest.mark.django_db(transaction=True)


class Tab:
    """An open socket of a player's session, and the codes with which it was closed."""

    def __init__(self, key: str, player_id: int) -> None:
        self.session_key, self.player_id, self.household = key, player_id, "h"
        self.acts_as = frozenset({player_id})
        self.codes: list[int] = []

    async def close(self, code: int) -> None:
        self.codes.append(code)


def session_of(player: Player) -> str:
    client = Client()
    client.force_login(player)
    key = client.session.session_key
    assert key
    return key


def test_it_keeps_them_and_one_that_is_over_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "_CHANGING", 0.3)
    guest = new_guest()
    former, new = session_of(guest), session_of(guest)
    tab = Tab(former, guest.pk)

    async def check() -> None:
        found = Sessions()
        found.opened(tab)  # type: ignore[arg-type]  # it has what a check asks for
        found.known(tab)  # type: ignore[arg-type]
        try:
            await in_db(Session.objects.filter(pk=former).delete)
            checking = asyncio.create_task(found._check())
            await asyncio.sleep(0.2)  # it has found the former key gone, and looks once more
            found.moved(former, new)
            await checking
            assert tab.codes == []
            await in_db(Session.objects.filter(pk=new).delete)
            await found._check()
            assert tab.codes == [CLOSE_LOGGED_OUT]
        finally:
            await end_loops()
            await close_db_threads()

    asyncio.run(check())
