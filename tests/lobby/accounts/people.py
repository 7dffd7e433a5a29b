"""People with accounts, for the tests beside this."""

from typing import Any

from django.test import Client

from lobby.models import Player

PASSWORD = "correct horse 7"
NEW = "another horse 8"


def account(name: str, **more: Any) -> Player:
    return Player.objects.create_user(name, password=PASSWORD, **more)


def log_in(
    name: str, password: str = PASSWORD, client: Client | None = None, **more: Any
) -> Client:
    """Log in by the page, as far as that leads; gives the client."""
    client = client or Client()
    client.post("/accounts/login/", {"login": name, "password": password, **more})
    return client


def is_in(client: Client) -> bool:
    """Whether the client's session is still somebody's."""
    return client.get("/accounts/").status_code == 200


def prove(client: Client, password: str = PASSWORD) -> None:
    """Give the password once more, as it is asked for before changes."""
    answer = client.post("/accounts/reauthenticate/", {"password": password})
    assert answer.status_code == 302, answer.content.decode()
