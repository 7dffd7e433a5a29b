"""Players, and their sessions in the test's own process."""

from typing import Any

from django.contrib.auth.models import Group
from django.test import Client

from lobby.models import Player
from lobby.players.bots import upgrade_to_bot
from tests.builders.second_factors import give_factor

PASSWORD = "correct horse 7"
NEW_PASSWORD = "another horse 8"


def create_player(name: str, group: str = "", **more: Any) -> Player:
    """Create an account with `PASSWORD`. Members of a group are staff with a second factor."""
    player = Player.objects.create_user(
        username=name, password=PASSWORD, **{"is_staff": bool(group), **more}
    )
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
    """Return a client that is logged in as the player, or an anonymous client."""
    client = Client()
    if player is not None:
        client.force_login(player)
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
