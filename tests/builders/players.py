"""Players, and their sessions in the test's own process."""

from functools import cache
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group
from django.test import Client

from games.messages.names import compute_name_key
from games.store.sessions import SessionStore
from lobby.models import Player
from lobby.players.bots import upgrade_to_bot
from tests.builders.second_factors import give_factor

PASSWORD = "correct horse 7"
NEW_PASSWORD = "another horse 8"


@cache
def _hash_password() -> str:
    return make_password(PASSWORD)


def create_player(name: str, group: str = "", **more: Any) -> Player:
    """Create an account with `PASSWORD`. Members of a group are staff with a second factor.

    The name is neither checked nor changed, as `Player.objects.create_user` would do.
    """
    player = Player(
        username=name,
        name_key=compute_name_key(name) or None,
        password=_hash_password(),
        **{"is_staff": bool(group), **more},
    )
    player.save_base(force_insert=True)
    player._stored_name = name
    if group:
        player.groups.add(Group.objects.get(name=group))
        give_factor(player)
    return player


def create_staff(name: str, **more: Any) -> Player:
    """Create staff with a second factor and without a group."""
    player = create_player(name, is_staff=True, **more)
    give_factor(player)
    return player


def create_players(count: int) -> list[Player]:
    return [create_player(f"Player {number:02}") for number in range(1, count + 1)]


def create_bot(name: str) -> Player:
    """Create an account that is marked as a bot."""
    player = create_player(name)
    upgrade_to_bot(player.pk)
    player.refresh_from_db()
    return player


def create_organiser(name: str = "Olga Brook") -> Player:
    """Create a player who can run groups and tournaments."""
    player = create_player(name)
    player.groups.add(Group.objects.get(name="organiser"))
    return Player.objects.get(pk=player.pk)  # without cached permissions


def client_for(player: Player | None) -> Client:
    """Return a client with a session of the player, or an anonymous client.

    What else a login does has not happened. `log_in` and `Client.force_login` do it.
    """
    client = Client()
    if player is not None:
        session = SessionStore()
        session[SESSION_KEY] = str(player.pk)
        session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        session[HASH_SESSION_KEY] = player.get_session_auth_hash()
        session.save()
        client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key or ""
    return client


def log_in(
    name: str, password: str = PASSWORD, client: Client | None = None, **more: Any
) -> Client:
    """Send the login form. Return the client, even if the form was rejected."""
    client = client or Client()
    client.post("/accounts/login/", {"login": name, "password": password, **more})
    return client


def is_logged_in(client: Client) -> bool:
    return client.get("/accounts/").status_code == 200


def confirm_password(client: Client, password: str = PASSWORD) -> None:
    """Confirm the password, which is required before changes to an account."""
    response = client.post("/accounts/reauthenticate/", {"password": password})
    assert response.status_code == 302, response.content.decode()
