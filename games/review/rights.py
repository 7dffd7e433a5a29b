"""Moderator groups, created with their permissions after each migration."""

from typing import Any

from django.apps import AppConfig
from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import Group, Permission

_LOOK = ("view_match", "view_move", "view_case", "view_report", "view_decision", "view_sign",
         "view_bulkaction")  # fmt: skip
_APPEALS = ("view_appeal", "change_appeal")
_EVENTS = ("view_tournament", "change_tournament")
RIGHTS = {
    "reviewer": (*_LOOK, *_APPEALS, *_EVENTS, "decide", "handle"),
    "senior reviewer": (
        *(*_LOOK, *_APPEALS, *_EVENTS, "decide", "handle", "reverse"),
        *("view_protectionchange", "change_protection"),
        *("view_erasure", "erase_player"),
    ),
}
"""The permissions of each group. No group can edit stored data, users or settings: `change_appeal`
permits one answer to an appeal, and `change_tournament` all actions of a tournament's organiser."""


def give_rights(sender: AppConfig, using: str, **kwargs: Any) -> None:
    """Create missing groups and add missing permissions, but never remove a permission."""
    # Django's own receiver creates the permissions, but may run after this one.
    create_permissions(sender, verbosity=0, using=using)
    for name, codenames in RIGHTS.items():
        group, _ = Group.objects.using(using).get_or_create(name=name)
        rights = Permission.objects.using(using).filter(
            content_type__app_label__in=("games", "lobby"), codename__in=codenames
        )
        group.permissions.add(*rights)
