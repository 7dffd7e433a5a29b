"""Members with cards and picture passwords, and classes whose log-in is open."""

from typing import Any

from django.test import Client

from lobby.groups.class_login import open_login
from lobby.groups.member_logins import NewLogin, create_form_token, create_logins
from lobby.models import ClassLogin, Group, Making, Member, Player
from tests.builders.groups import create_group
from tests.builders.players import create_organiser


def create_class(*pupils: Player, organiser: Player | None = None) -> Group:
    """Create a class for minors that created the accounts of these pupils."""
    group = create_group(organiser or create_organiser(), *pupils, for_minors=True)
    making = Making.objects.create(group=group, key=f"class {group.pk}", shown_until=group.made_at)
    Member.objects.filter(group=group, player__in=pupils).update(making=making)
    return group


def give_logins(group: Group, *pupils: Player, token: str = "", **kinds: bool) -> list[NewLogin]:
    """Give these pupils new cards and pictures, unless `kinds` say otherwise."""
    assert group.organiser
    wanted = {"with_card": True, "with_pictures": True, **kinds}
    ids = [each.pk for each in pupils]
    return create_logins(group, group.organiser, token or create_form_token(), ids, **wanted)


def open_class(group: Group, hours: int = 1) -> ClassLogin:
    assert group.organiser
    return open_login(group, group.organiser, hours)


def scan_card(group: Group, card: str, client: Client | None = None) -> Any:
    """Send the code of a card, as the page's script does. Return the response."""
    return (client or Client()).post(f"/groups/{group.pk}/login/", {"code": card})


def enter_class_code(code: str, client: Client | None = None) -> Client:
    """Enter the class's code on a device, and return the device's client."""
    device = client or Client()
    device.post("/class/", {"code": code})
    return device


def choose_pictures(device: Client, group: Group, pupil: Player, pictures: Any) -> Any:
    """Send three pictures for a pupil. Return the response."""
    form = {f"picture{number}": name for number, name in enumerate(pictures, 1)}
    return device.post(f"/groups/{group.pk}/login/{pupil.pk}/", form)
