"""Rated games between two accounts on one network do not count, however fast they are played."""

import json
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import Client

from games.models import Connection, Match
from games.runtime.db import close_db_threads
from games.runtime.tasks import end_loops
from lobby.accounts import tokens
from lobby.accounts.tokens import SCOPES
from lobby.models import RatedGame
from tests.builders.matches import deliver_events
from tests.builders.players import create_player

pytestmark = pytest.mark.django_db(transaction=True)

HOME, AWAY = "192.0.2.1", "198.51.100.7"
SIX_HOME, SIX_DOOR, SIX_AWAY = "2001:db8:1:2::5", "2001:db8:1:2:ffff::9", "2001:db8:1:3::5"


@pytest.fixture(autouse=True)
def ends_loops() -> Any:
    yield
    async_to_sync(end_loops)()
    close_db_threads()


class Program:
    """An API client at an address, with the token of its own account."""

    def __init__(self, name: str, address: str) -> None:
        self.player = create_player(name)
        self._token = tokens.create_token(self.player.pk, "a test", SCOPES).text
        self._client = Client(REMOTE_ADDR=address)

    def post(self, path: str, **data: Any) -> Any:
        answer = self._client.post(
            f"/api/{path}",
            json.dumps(data),
            content_type="application/json",
            headers={"Authorization": f"Bearer {self._token}"},
        )
        assert answer.status_code < 300, answer.content
        return answer.json()


def play_rated_game(one: str, other: str) -> Match:
    """Play a rated game between accounts at these addresses: challenge, accept, act, resign."""
    alice, bob = Program("alice", one), Program("bob", other)
    clock = {"clock.limit": 180, "clock.increment": 2}
    made = alice.post("challenge/bob", variant="dots-and-boxes", rated=True, **clock)
    bob.post(f"challenge/{made['id']}/accept")
    match = Match.objects.get()
    assert match.rated
    for seat in (alice, bob) if match.first_id == alice.player.pk else (bob, alice):
        match.refresh_from_db()
        action = match.rules.read(match.notation).legal()[0]
        seat.post(f"board/game/{match.pk}/move/{action}")
    bob.post(f"board/game/{match.pk}/resign")
    deliver_events()
    match.refresh_from_db()
    assert match.status == "over" and match.acted == 3
    assert not Connection.objects.exists()  # the log does not contain API clients
    return match


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [(HOME, HOME, 0), (HOME, AWAY, 1), (SIX_HOME, SIX_DOOR, 0), (SIX_HOME, SIX_AWAY, 1)],
)
def test_programs_at_one_network_are_not_rated(one: str, other: str, count: int) -> None:
    play_rated_game(one, other)
    assert RatedGame.objects.count() == count


def test_they_are_where_the_site_says_so(settings: Any) -> None:
    settings.RATED_ON_SAME_NETWORK = True
    play_rated_game(HOME, HOME)
    assert RatedGame.objects.count() == 1
