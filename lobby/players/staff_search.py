"""The moderators' search for players by former names, classes, and browsers."""

from collections.abc import Iterator

from django.utils.translation import gettext

from games.messages.names import isolate_name
from games.review.player_search import MOST, parse_key
from lobby.models import Device, FormerName, Group, Member

_GROUPS = 20  # the maximum number of classes and clubs whose members are listed
_KEYS = 10  # the maximum number of browsers that are listed for a player


def find_by_former_name(text: str) -> Iterator[tuple[int, str]]:
    """Yield players with a former name that contains the text.

    Each result is a player's id and the reason to display.
    """
    known = FormerName.objects.filter(name__icontains=text).order_by("-until")
    for player_id, name in known.values_list("player", "name")[:MOST]:
        yield player_id, gettext("former name %(name)s") % {"name": isolate_name(name)}


def find_by_group(text: str) -> Iterator[tuple[int, str]]:
    """Yield the members of classes and clubs whose name contains the text.

    Each result is a player's id and the reason to display.
    """
    named = Group.objects.filter(name__icontains=text).order_by("-made_at", "id")
    groups = dict(named.values_list("pk", "name")[:_GROUPS])
    members = Member.objects.filter(group__in=groups).order_by("pk")
    for player_id, group_id in members.values_list("player", "group")[:MOST]:
        yield player_id, gettext("member of %(name)s") % {"name": isolate_name(groups[group_id])}


def find_by_browser(text: str) -> Iterator[tuple[int, str]]:
    """Yield accounts that were used in browsers whose key begins with the text.

    Each result is a player's id and the reason to display.
    """
    key = parse_key(text)
    if key:
        # Use a range, because `startswith` does not use the index on every database.
        found = Device.objects.filter(token__gte=key, token__lt=f"{key}g").order_by("token")
        for player_id, token in found.values_list("player", "token")[:MOST]:
            yield player_id, gettext("browser %(key)s") % {"key": token[:6]}


def list_browser_keys(player_id: int) -> list[str]:
    """Return the keys of the browsers in which an account was used, the most recent first."""
    found = Device.objects.filter(player=player_id).order_by("-seen_at")
    return list(found.values_list("token", flat=True)[:_KEYS])
