"""Closing a class at the end of the year, and archiving, anonymising or erasing its accounts.

A closed class is read-only. Its organiser can open it again. If its accounts are to be anonymised
or erased, this is only possible for `ACCOUNT_CLOSING_DAYS`, during which the accounts are hidden
(see `lobby.accounts.erasure`). After that, the referee deletes their data, and deletes the class if
its accounts are erased.
"""

from collections.abc import Sequence
from hashlib import blake2b

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from msgspec import Struct

from games.messages.refusal import Refused
from lobby.accounts.erasure import compute_due_time, hide_players, restore_players
from lobby.groups.membership import can_manage, find_organisers, is_organiser_of
from lobby.models import Erasure, Group, Member, Player, Seek, Tournament
from lobby.models.group import Closing
from lobby.privacy.protection import lock_for_protection, separate_players

log = structlog.get_logger(__name__)

_PER_ROUND = 5  # classes completed in one call of `finish_due_classes`
_LISTED = 5  # the maximum number of unfinished tournaments that are listed
_OVER = (Tournament.State.OVER, Tournament.State.CALLED_OFF)


class ClassAccount(Struct, frozen=True):
    """An account that would be erased or anonymised, and the names of its other open groups."""

    player: Player
    others: tuple[str, ...]


class ClassAccounts(Struct, frozen=True):
    """The accounts that closing would erase or anonymise, sorted by name.

    `others` is the number of other members, without the organiser.
    """

    made: Sequence[ClassAccount]
    others: int

    @property
    def mark(self) -> str:
        """A text that changes with the list, so that nobody confirms a list without seeing it."""
        keys = ",".join(str(pk) for pk in sorted(each.player.pk for each in self.made))
        return blake2b(keys.encode(), digest_size=8).hexdigest()


def list_accounts(group: Group) -> ClassAccounts:
    """Return the members' accounts that a class created, and the number of other members.

    Accounts that another class created, and that were then moved here, are included. Deleted
    accounts, staff and organisers are not.
    """
    members = list(group.members.select_related("player")[: settings.MEMBERS_PER_GROUP])
    people = [each.player for each in members if each.making_id is not None]
    organisers = find_organisers([each.pk for each in people])
    made = [
        each
        for each in people
        if not (each.is_staff or each.is_superuser or each.closed_at or each.pk in organisers)
    ]
    elsewhere: dict[int, list[str]] = {}
    others = Member.objects.filter(player__in=made, group__closed_at=None).exclude(group=group)
    for player_id, name in others.order_by("group__name").values_list("player", "group__name"):
        elsewhere.setdefault(player_id, []).append(name)
    made.sort(key=lambda each: each.name.casefold())
    accounts = [ClassAccount(each, tuple(elsewhere.get(each.pk, ()))) for each in made]
    return ClassAccounts(accounts, len(members) - len(made) - 1)


def list_unfinished_tournaments(group: Group) -> list[Tournament]:
    """Return up to `_LISTED` of the group's tournaments that are not over."""
    found = Tournament.objects.filter(group=group).exclude(state__in=_OVER)
    return list(found.order_by("-starts_at")[:_LISTED])


def close_class(organiser: Player, group_id: str, closing: str, mark: str) -> None:
    """Close a class. `mark` identifies the list of accounts that the organiser saw.

    Raise `Refused` if the organiser cannot manage the class, if it has unfinished tournaments, or
    if its accounts are to be hidden and the list has changed or one of them cannot be erased.
    """
    with transaction.atomic():
        # Lock players before the group, as other functions that change memberships do.
        members = Member.objects.filter(group=group_id).values("player")
        locked = Player.objects.select_for_update().filter(pk__in=members).order_by("pk")
        list(locked.values_list("pk"))
        group = Group.objects.select_for_update().filter(pk=group_id).first()
        if group is None:
            raise Refused("not-a-member")
        if group.closed_at is not None and group.closed_as == closing:
            return  # the request is a repetition
        if not can_manage(organiser, group):
            raise Refused("not-allowed" if group.closed_at is None else "group-closed")
        if list_unfinished_tournaments(group):
            raise Refused("close-tournaments")
        accounts = list_accounts(group)
        if closing != Closing.ARCHIVE:
            if accounts.mark != mark:
                raise Refused("close-changed")
            ids = [each.player.pk for each in accounts.made]
            hide_players(ids, closing, organiser, group=group)
            group.erase_at = compute_due_time()
        group.closed_at, group.closed_as = timezone.now(), closing
        group.save(update_fields=["closed_at", "closed_as", "erase_at"])
        Seek.objects.filter(group=group, match=None).delete()
    log.info("class closed", group=group_id, closing=closing, accounts=len(accounts.made))


def count_hidden_accounts(group: Group) -> int:
    """Return the number of accounts that were hidden with the class and are not erased yet."""
    return Erasure.objects.filter(group=group, done_at=None).count()


def may_reopen(player: Player, group: Group) -> bool:
    """Return whether the player may open the closed group again."""
    if group.closed_at is None or not is_organiser_of(player, group):
        return False
    if group.closed_as == Closing.ARCHIVE:
        return True
    return group.erase_at is not None and group.erase_at > timezone.now()


def reopen_class(organiser: Player, group_id: str) -> None:
    """Open a closed class again, and restore its hidden accounts.

    Raise `Refused` if the player is not the organiser, or if it is too late.
    """
    with transaction.atomic():
        erased = Erasure.objects.filter(group=group_id)
        ids = list(erased.values_list("player", flat=True))
        list(Player.objects.select_for_update().filter(pk__in=ids).order_by("pk").values_list("pk"))
        group = Group.objects.select_for_update().filter(pk=group_id).first()
        if group is None:
            raise Refused("not-a-member")
        if group.closed_at is None:
            return  # the request is a repetition
        if not may_reopen(organiser, group):
            raise Refused("erase-done" if is_organiser_of(organiser, group) else "not-allowed")
        if group.closed_as != Closing.ARCHIVE:
            # Staff may already have restored some of the accounts.
            restore_players(list(erased.values_list("player", flat=True)))
        group.closed_at, group.closed_as, group.erase_at = None, "", None
        group.save(update_fields=["closed_at", "closed_as", "erase_at"])
    log.info("class reopened", group=group_id)


def finish_due_classes() -> None:
    """Finish closing up to `_PER_ROUND` classes whose accounts are all erased or anonymised."""
    waiting = Erasure.objects.filter(group=OuterRef("pk"), done_at=None)
    due = Group.objects.filter(~Exists(waiting), erase_at__lte=timezone.now())
    for group_id in list(due.order_by("erase_at").values_list("pk", flat=True)[:_PER_ROUND]):
        _finish(group_id)


def _finish(group_id: str) -> None:
    with transaction.atomic():
        members = Member.objects.filter(group=group_id)
        players = list(members.values_list("player", flat=True))
        lock_for_protection(players)
        locked = Player.objects.select_for_update(no_key=True).filter(pk__in=players)
        list(locked.order_by("pk").values_list("pk"))
        group = Group.objects.select_for_update().filter(pk=group_id).first()
        if group is None or group.erase_at is None or group.erase_at > timezone.now():
            return
        if group.closed_as == Closing.ERASE:
            group.delete()
            separate_players(players)
        else:
            group.erase_at = None
            group.save(update_fields=["erase_at"])
    log.info("class closed for good", group=group_id, closing=group.closed_as)
