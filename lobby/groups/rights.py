"""Who may run groups: the organisers, a group of Django's as the moderators' are."""

from typing import Any

from django.apps import AppConfig
from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import Group as Right
from django.contrib.auth.models import Permission

from lobby.models import Player

ORGANISERS = "organiser"
_RIGHT = "organise"


def give_rights(sender: AppConfig, using: str, **kwargs: Any) -> None:
    """Make the organisers' group if it is missing, with its right. Called after migrations."""
    create_permissions(sender, verbosity=0, using=using)  # Django may do so only after this
    group, _ = Right.objects.using(using).get_or_create(name=ORGANISERS)
    rights = Permission.objects.using(using).filter(
        content_type__app_label="lobby", codename=_RIGHT
    )
    group.permissions.add(*rights)


def may_organise(player: Player) -> bool:
    """Whether the player may make groups, and run those that they made."""
    return not player.is_guest and player.has_perm(f"lobby.{_RIGHT}")
