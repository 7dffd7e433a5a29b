"""What is stored about a person and groups: it goes when the account is closed, and is in the
download of all that is stored."""

from typing import Any

from django.db.models import QuerySet

from lobby.accounts.closing import forgets
from lobby.accounts.stored import stored
from lobby.models import Group, Member, Player, ProtectionChange


@forgets
def _forget(player: Player) -> None:
    """Groups stay for their members; one that has lost its organiser is joined by nobody until the
    staff give it to another one."""
    Member.objects.filter(player=player).delete()
    Group.objects.filter(organiser=player).update(organiser=None, code=None)


@stored("groups")
def _groups(rows: frozenset[int]) -> QuerySet[Any, Any]:
    mine = Member.objects.filter(player__in=rows)
    return mine.values("pk", "group", "group__name", "group__for_minors", "listed_as", "joined_at")


@stored("protection")
def _protection(rows: frozenset[int]) -> QuerySet[Any, Any]:
    mine = ProtectionChange.objects.filter(player__in=rows)
    return mine.values("pk", "is_protected", "reason", "at")


@stored("groups_that_i_run")
def _run(rows: frozenset[int]) -> QuerySet[Any, Any]:
    mine = Group.objects.filter(organiser__in=rows)
    return mine.values("pk", "name", "for_minors", "code", "made_at")
