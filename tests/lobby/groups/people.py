"""Organisers and their groups, for the tests beside this."""

from typing import Any

from django.contrib.auth.models import Group as Right
from django.test import Client

from lobby.groups import membership
from lobby.groups.passwords import new_token
from lobby.models import Group, Player
from tests.games.review.conftest import player


def organiser(name: str = "Olga Brook") -> Player:
    made: Player = player(name)
    made.groups.add(Right.objects.get(name="organiser"))
    return Player.objects.get(pk=made.pk)


def club(run_by: Player, *members: Player, for_minors: bool = False) -> Group:
    made = membership.make_group(run_by, "7b", for_minors)
    for each in members:
        membership.join(each, made.code or "")
    return made


def seen_by(who: Any) -> Client:
    client = Client()
    if who is not None:
        client.force_login(who)
    return client


def send(client: Client, group: Group, **form: Any) -> Any:
    """Send the form for accounts; the answer."""
    form.setdefault("token", new_token())
    return client.post(f"/groups/{group.pk}/accounts/", form)


def text_of(answer: Any) -> str:
    """The whole page, also where it comes in pieces."""
    whole = b"".join(answer) if answer.streaming else answer.content
    return " ".join(whole.decode().split())
