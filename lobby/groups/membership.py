"""Groups and their members.

Functions that write to the database run in one transaction, either of their own or, if so
described, of the caller. Joining and leaving lock the player's row first, as pairing does, and then
the group's row. Players are therefore not paired in the lobby of a group that they have left.
"""

from collections.abc import Collection
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.apps import AppConfig
from django.conf import settings
from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import Group as Right
from django.contrib.auth.models import Permission
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from games.messages.refusal import Refused
from games.store.suspensions import get_suspension
from games.store.visibility import find_hidden_players
from lobby.groups.codes import create_code, normalize_code
from lobby.models import Group, Member, Player, Seek, Transfer
from lobby.models.group import LONGEST_NAME
from lobby.privacy.protection import lock_for_protection, protect_players, separate_players

ORGANISERS = "organiser"
_RIGHT = "organise"


def give_rights(sender: AppConfig, using: str, **kwargs: Any) -> None:
    """Create the organisers' Django group with its permission, after each migration."""
    # Otherwise, Django might create the permissions only after this function has run.
    create_permissions(sender, verbosity=0, using=using)
    group, _ = Right.objects.using(using).get_or_create(name=ORGANISERS)
    rights = Permission.objects.using(using).filter(
        content_type__app_label="lobby", codename=_RIGHT
    )
    group.permissions.add(*rights)


def may_organise(player: Player) -> bool:
    """Return whether the player may create groups, and manage the groups that they organise."""
    return not player.is_guest and player.has_perm(f"lobby.{_RIGHT}")


def set_organiser(player_id: int, may: bool) -> None:
    """Grant or revoke the permission to create and manage groups.

    Raise `Refused` if a guest, a minor or an inactive account would get it.
    """
    with transaction.atomic():
        player = Player.objects.select_for_update().get(pk=player_id)
        right = Right.objects.get(name=ORGANISERS)
        if may and (player.is_guest or player.is_protected or not player.is_active):
            raise Refused("not-allowed")
        if may:
            player.groups.add(right)
        else:
            player.groups.remove(right)


Ended = dict[str, int]
"""A dictionary that maps the id of each seek that has ended to the id of its player."""


# -- queries


def list_groups(player_id: int | None) -> list[Group]:
    """Return the player's groups, sorted by name, with the closed ones last.

    The number of groups is limited, so old closed ones can be missing.
    """
    if player_id is None:
        return []
    mine = Member.objects.filter(player=player_id).select_related("group")
    newest = mine.order_by(F("group__closed_at").desc(nulls_first=True), "-group__made_at")
    found = [each.group for each in newest[: 2 * settings.GROUPS_PER_PLAYER]]
    found.sort(key=lambda group: (group.closed_at is not None, group.name.casefold(), group.pk))
    return found


def get_group(player_id: int | None, group_id: str) -> Group | None:
    """Return the group if the player is a member, or None. Others do not learn that it exists."""
    mine = Member.objects.filter(player=player_id, group=group_id).select_related("group")
    found = mine.first() if player_id is not None else None
    return None if found is None else found.group


def list_members(group: Group) -> list[Member]:
    """Return the members, the organiser first and then by name."""
    found = group.members.select_related("player")[: settings.MEMBERS_PER_GROUP]
    return sorted(
        found, key=lambda each: (each.player_id != group.organiser_id, each.player.name.casefold())
    )


def list_visible_members(group: Group, viewer_id: int | None) -> list[Member]:
    """Return the members whom the viewer may see, in the order of `list_members`.

    For the organiser, the result includes hidden members, without names, so that the organiser can
    remove them. Each member then also has attributes for what the organiser may do.
    """
    members = list_members(group)
    hidden = find_hidden_players(viewer_id, [each.player_id for each in members])
    for each in members:
        each.is_hidden = each.player_id in hidden
    if viewer_id != group.organiser_id:
        return [each for each in members if not each.is_hidden]
    _note_care(group, members)
    return members


def has_protected_members(group: Group) -> bool:
    return group.members.filter(player__is_protected=True).exists()


def can_manage(player: Player, group: Group) -> bool:
    """Return whether the player is the organiser of the group and the group is not closed."""
    return group.closed_at is None and is_organiser_of(player, group)


def is_organiser_of(player: Player, group: Group) -> bool:
    """Return whether the player is the organiser of the group, even if it is closed."""
    return group.organiser_id == player.pk and may_organise(player)


def list_in_care(group: Group) -> list[Member]:
    """Return the members whom the organiser may pause, mute and rename, sorted by name.

    These are active members whose accounts a class created, and protected members of a group for
    minors, but never staff or organisers.
    """
    mine = Q(making__isnull=False)
    if group.for_minors:
        mine |= Q(player__is_protected=True)
    adults = Q(player__is_staff=True) | Q(player__is_superuser=True)
    found = Member.objects.filter(mine, group=group, player__is_active=True).exclude(adults)
    members = list(found.select_related("player").order_by("player__username"))
    organisers = find_organisers([each.player_id for each in members])
    return [each for each in members if each.player_id not in organisers]


def list_with_class_password(group: Group, player_id: int | None = None) -> list[Member]:
    """Return the members whose passwords the organiser may set.

    These are members in the organiser's care whose accounts a class created, in this group or
    another one. With `player_id`, return only that member, if in the organiser's care. The account
    can then also be the member's own, as long as it has neither a confirmed e-mail address nor a
    second factor.
    """
    members = list_in_care(group)
    if player_id is None:
        return [each for each in members if _is_class_account(each)]
    return [
        each
        for each in members
        if each.player_id == player_id
        and (_is_class_account(each) or not _find_recoverable([player_id]))
    ]


def find_organisers(player_ids: Collection[int]) -> set[int]:
    """Return the ids of the players, among these, who may organise groups, with one query."""
    right = Q(codename=_RIGHT, content_type__app_label="lobby")
    allowed = Permission.objects.filter(right)
    holders = Q(groups__permissions__in=allowed) | Q(user_permissions__in=allowed)
    found = Player.objects.filter(holders | Q(is_superuser=True), pk__in=player_ids)
    return set(found.values_list("pk", flat=True))


def _note_care(group: Group, members: Collection[Member]) -> None:
    cared_for = {each.player_id for each in list_in_care(group)}
    recoverable = _find_recoverable(cared_for)
    for each in members:
        each.is_in_care = each.player_id in cared_for
        is_class_account = _is_class_account(each) or each.player_id not in recoverable
        each.has_class_password = each.is_in_care and is_class_account


def _is_class_account(member: Member) -> bool:
    return member.player.is_class_account or member.making_id is not None


def _find_recoverable(player_ids: Collection[int]) -> set[int]:
    """Return the ids of the players who do not need the group's organiser to recover their account.

    These are the players with a confirmed e-mail address or a second factor.
    """
    addresses = EmailAddress.objects.filter(user__in=player_ids, verified=True)
    factors = Authenticator.objects.filter(user__in=player_ids)
    return {*addresses.values_list("user", flat=True), *factors.values_list("user", flat=True)}


def may_leave(player_id: int, group: Group) -> bool:
    """Return whether the player may leave the group.

    The organiser cannot leave. In a group for minors, members whose accounts a class created cannot
    leave either, but the organiser can remove them.
    """
    made_here = group.members.filter(player=player_id).exclude(making=None)
    return group.organiser_id != player_id and not (group.for_minors and made_here.exists())


def are_all_in(group_id: str | None, player_ids: Collection[int]) -> bool:
    """Return whether all these players are in the group, or True if no group is given."""
    if group_id is None:
        return True
    found = Member.objects.filter(group=group_id, player__in=player_ids).count()
    return found == len(set(player_ids))


def is_closed(group_id: str | None) -> bool:
    """Return whether the group exists and is closed."""
    return (
        group_id is not None and Group.objects.filter(pk=group_id, closed_at__isnull=False).exists()
    )


def get_memberships(
    group_ids: Collection[str], player_ids: Collection[int]
) -> set[tuple[str, int]]:
    """Return the memberships among these groups and players as pairs of their ids."""
    rows = Member.objects.filter(group__in=group_ids, player__in=player_ids)
    return set(rows.values_list("group", "player"))


def get_group_by_code(typed: str) -> Group | None:
    """Return the group with this code, or None if there is no such group or it is closed."""
    code = normalize_code(typed)
    return Group.objects.filter(code=code, closed_at=None).first() if code else None


# -- management by organisers


def create_group(organiser: Player, name: str, for_minors: bool) -> Group:
    """Create a group with its organiser as the first member.

    Raise `Refused` if the player may not organise groups, is suspended or is in too many groups, or
    if the name is invalid.
    """
    if not may_organise(organiser):
        raise Refused("not-allowed")
    _must_be_free(organiser.pk)
    name = _check_name(name)
    now = timezone.now()
    with transaction.atomic():
        lock_players([organiser.pk])
        _must_have_room(organiser.pk)
        group = Group.objects.create(
            name=name, organiser=organiser, for_minors=for_minors, code=create_code(), made_at=now
        )
        Member.objects.create(group=group, player=organiser, joined_at=now)
    return group


def update_group(group_id: str, name: str, for_minors: bool) -> Ended:
    """Rename the group, and set whether its members are minors.

    If a group becomes one for minors, all members who are not adults become protected; return the
    seeks that have ended. If it no longer is one, its members stay protected, and their matches
    with people whom they may no longer meet end. Raise `Refused` if the name is invalid or the
    group does not exist.
    """
    name = _check_name(name)
    with transaction.atomic():
        known = Member.objects.filter(group=group_id)
        players = list(known.values_list("player", flat=True))
        lock_for_protection(players)
        lock_players(players)
        group = _lock_group(group_id)
        was_for_minors, group.name, group.for_minors = group.for_minors, name, for_minors
        group.save(update_fields=["name", "for_minors"])
        if was_for_minors and not for_minors:
            separate_players(players)
        if not for_minors or was_for_minors:
            return {}
        members = known.exclude(player=group.organiser_id).select_related("player")
        minors = [each.player_id for each in members if not is_adult(each.player)]
        return _flatten(protect_players(minors, reason=get_reason(group)))


def change_group_code(group_id: str, is_open: bool = True) -> None:
    """Replace the group's code with a new one, or remove it if `is_open` is false."""
    Group.objects.filter(pk=group_id).update(code=create_code() if is_open else None)


def delete_group(group_id: str) -> None:
    """Delete a group whose only member is its organiser.

    Raise `Refused` if it has other members or does not exist.
    """
    with transaction.atomic():
        group = _lock_group(group_id)
        if group.members.exclude(player=group.organiser_id).exists():
            raise Refused("group-not-empty")
        group.delete()


def add_organiser(group: Group, organiser: Player) -> None:
    """Add the group's new organiser to its members, in the caller's transaction."""
    Member.objects.get_or_create(
        group=group, player=organiser, defaults={"joined_at": timezone.now()}
    )


# -- joining and leaving


def join_group(player: Player, code: str) -> tuple[Group, Ended]:
    """Join the group with this code. Return the group and the seeks that have ended.

    A player who is already a member stays one. Raise `Refused` for an unknown code, a full group, a
    player who is in too many groups, and for guests, computer players, inactive accounts and
    suspended players.
    """
    if player.is_guest or not player.is_active or player.bot_level is not None:
        raise Refused("not-allowed")
    _must_be_free(player.pk)
    with transaction.atomic():
        lock_for_protection([player.pk])
        lock_players([player.pk])
        group = Group.objects.select_for_update().filter(code=normalize_code(code)).first()
        if group is None or group.closed_at is not None:
            raise Refused("no-such-code")
        if group.members.filter(player=player).exists():
            return group, {}
        _must_have_room(player.pk)
        if group.members.count() >= settings.MEMBERS_PER_GROUP:
            raise Refused("group-full", most=settings.MEMBERS_PER_GROUP)
        Member.objects.create(group=group, player=player, joined_at=timezone.now())
        is_minor = group.for_minors and not is_adult(player)
        ended = protect_players([player.pk], reason=get_reason(group)) if is_minor else {}
    return group, _flatten(ended)


def leave_group(player_id: int, group_id: str) -> Ended:
    """Leave the group. Return the seeks that have ended.

    Raise `Refused` if the player may not leave (see `may_leave`) or is not a member.
    """
    group = Group.objects.filter(pk=group_id).first()
    if group is None:
        raise Refused("not-a-member")
    if group.organiser_id != player_id and not may_leave(player_id, group):
        raise Refused("minors-stay")
    return remove_member(group_id, player_id)


def remove_member(group_id: str, player_id: int) -> Ended:
    """Remove a player from the group. Return the seeks that have ended.

    Raise `Refused` if the player is the organiser or is not a member.
    """
    with transaction.atomic():
        lock_for_protection([player_id])
        lock_players([player_id])
        group = _lock_group(group_id)
        if group.organiser_id == player_id:
            raise Refused("organiser-stays")
        gone, _ = Member.objects.filter(group=group_id, player=player_id).delete()
        if not gone:
            raise Refused("not-a-member")
        return end_membership(group, player_id)


def end_membership(group: Group, player_id: int) -> Ended:
    """End a former member's seeks in the group, and offers to move the member to another group.

    Return the seeks that have ended. In a group for minors, also end the player's matches and
    challenges with people whom the player may no longer meet (see `separate_players`). The caller's
    transaction must have begun with `lock_for_protection`.
    """
    Transfer.objects.filter(source=group, player=player_id).delete()
    searches = Seek.objects.filter(player=player_id, group=group, match=None)
    ended = dict.fromkeys(searches.values_list("pk", flat=True), player_id)
    searches.delete()
    if group.for_minors:
        separate_players([player_id], watched=group.members.values_list("player", flat=True))
    return ended


def is_adult(player: Player) -> bool:
    """Return whether a member of a group for minors counts as an adult: staff, or an organiser."""
    return player.is_staff or may_organise(player)


def get_reason(group: Group) -> str:
    """Return the stored reason for the protection of the group's members."""
    return f"member of {group.name}"


def _check_name(name: str) -> str:
    """Return the name as stored. Raise `Refused` if it is empty, unprintable or too long."""
    name = " ".join(name.split())
    if not name or not name.isprintable():
        raise Refused("group-name")
    if len(name) > LONGEST_NAME:
        raise Refused("group-name-long", most=LONGEST_NAME)
    return name


def _must_be_free(player_id: int) -> None:
    if get_suspension(player_id) is not None:
        raise Refused("suspended-now")


def _must_have_room(player_id: int) -> None:
    open_ones = Member.objects.filter(player=player_id, group__closed_at=None)
    if open_ones.count() >= settings.GROUPS_PER_PLAYER:
        raise Refused("many-groups", most=settings.GROUPS_PER_PLAYER)


def lock_players(player_ids: Collection[int]) -> None:
    """Lock the rows of these players, in the order of their ids."""
    rows = Player.objects.select_for_update(no_key=True).filter(pk__in=player_ids)
    list(rows.order_by("pk").values_list("pk"))


def _lock_group(group_id: str) -> Group:
    """Return the locked group. Raise `Refused` if it does not exist."""
    found = Group.objects.select_for_update().filter(pk=group_id).first()
    if found is None:
        raise Refused("not-a-member")
    return found


def _flatten(ended: dict[int, list[str]]) -> Ended:
    return {seek_id: player_id for player_id, seeks in ended.items() for seek_id in seeks}
