"""The permission to organise groups, which belongs to a Django group like the moderators'."""

from typing import Any

from django.apps import AppConfig
from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import Group as Right
from django.contrib.auth.models import Permission

from lobby.models import Player

ORGANISERS = "organiser"
_RIGHT = "organise"


def give_rights(sender: AppConfig, using: str, **kwargs: Any) -> None:
    """Create the organisers' Django group with its permission, after migrations."""
    create_permissions(sender, verbosity=0, using=using)  # Django may create them only after this
    group, _ = Right.objects.using(using).get_or_create(name=ORGANISERS)
    rights = Permission.objects.using(using).filter(
        content_type__app_label="lobby", codename=_RIGHT
    )
    group.permissions.add(*rights)


def may_organise(player: Player) -> bool:
    """Return whether the player may create groups and manage the groups that they created."""
    return not player.is_guest and player.has_perm(f"lobby.{_RIGHT}")
