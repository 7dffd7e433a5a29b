"""The real names of members, as noted by the organiser of their group.

Only the organiser of the group sees them. The data export of a member leaves them out, because the
school that keeps the list is responsible for it.
"""

from collections.abc import Mapping

from django.db import transaction

from games.messages.refusal import Refused
from lobby.groups.class_login import lock_managed
from lobby.groups.membership import can_manage
from lobby.models import Group, Member, Player, RealName
from lobby.models.group import LONGEST_REAL_NAME


def get_real_names(group: Group, viewer: Player) -> dict[int, str]:
    """Return a dictionary that maps the ids of members to their real names.

    It is empty for a viewer who cannot manage the group.
    """
    if not can_manage(viewer, group):
        return {}
    rows = RealName.objects.filter(member__group=group)
    return dict(rows.values_list("member__player", "name"))


def store_real_names(group: Group, organiser: Player, names: Mapping[int, str]) -> None:
    """Store these real names by player id, all or none. An empty name deletes the stored one.

    Ids of players who are not members are ignored. Raise `Refused` if the organiser cannot manage
    the group, or if a name is too long or unprintable.
    """
    cleaned = {player_id: _clean(name) for player_id, name in names.items()}
    with transaction.atomic():
        lock_managed(group, organiser)
        members = Member.objects.filter(group=group, player__in=cleaned)
        for member_id, player_id in members.values_list("pk", "player"):
            if cleaned[player_id]:
                RealName.objects.update_or_create(
                    member_id=member_id, defaults={"name": cleaned[player_id]}
                )
            else:
                RealName.objects.filter(member=member_id).delete()


def _clean(name: str) -> str:
    name = " ".join(name.split())
    if len(name) > LONGEST_REAL_NAME or not name.isprintable():
        raise Refused("real-name", name=name[:LONGEST_REAL_NAME], most=LONGEST_REAL_NAME)
    return name
