"""Groups, and the form that creates accounts for their members."""

from typing import Any

from django.test import Client

from lobby.groups import membership
from lobby.groups.member_passwords import create_token
from lobby.models import Group, Player


def create_group(organiser: Player, *members: Player, for_minors: bool = False) -> Group:
    group = membership.create_group(organiser, "7b", for_minors)
    for member in members:
        membership.join_group(member, group.code or "")
    return group


def post_accounts(client: Client, group: Group, **form: Any) -> Any:
    """Send the form that creates accounts for members. Return the response."""
    form.setdefault("token", create_token())
    return client.post(f"/groups/{group.pk}/accounts/", form)
