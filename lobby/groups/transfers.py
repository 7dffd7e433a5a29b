"""Transfers of members between groups.

The organiser of the old group offers a transfer, and the organiser of the new group accepts it.
Until then, the member stays in the old group. If both groups have the same organiser, the transfer
takes effect immediately. Class accounts are still class accounts in the new group, so its organiser
can set their passwords. Protection belongs to the account and stays; it begins if the new group is
for minors.
"""

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from games.messages import Message, build_message
from games.messages.refusal import Refused
from games.review.notices import notify_player
from lobby.groups.codes import create_code
from lobby.groups.member_passwords import compute_key
from lobby.groups.membership import (
    Ended,
    can_manage,
    end_membership,
    get_reason,
    is_adult,
    lock_players,
    may_organise,
)
from lobby.models import Group, Making, Member, Player, Transfer
from lobby.privacy.protection import lock_for_protection, protect_players

KEPT = timedelta(days=30)
"""How long an offer is open."""


def list_offers_to(group: Group) -> list[Transfer]:
    """Return the open offers to move members to this group, oldest first.

    They contain names, so show them only to the group's organiser, to whom the organiser of the
    other group has disclosed them.
    """
    found = Transfer.objects.filter(target=group, at__gt=timezone.now() - KEPT)
    rows = found.select_related("player", "source", "by").order_by("at")
    return list(rows[: settings.MEMBERS_PER_GROUP])


def get_offers_from(group: Group) -> dict[int, Transfer]:
    """Return a dictionary that maps the ids of players to the open offers to move them."""
    found = Transfer.objects.filter(source=group, at__gt=timezone.now() - KEPT)
    rows = found.select_related("target")[: settings.MEMBERS_PER_GROUP]
    return {each.player_id: each for each in rows}


def list_own_targets(organiser: Player, group: Group) -> list[Group]:
    """Return the organiser's other open groups that can take members of this one.

    They are sorted by name.
    """
    mine = Member.objects.filter(
        player=organiser, group__organiser=organiser, group__closed_at=None
    )
    found = (
        mine.exclude(group=group)
        .filter(group__closed_at=None)
        .select_related("group")[: settings.GROUPS_PER_PLAYER]
    )
    takes = [each.group for each in found if each.group.for_minors >= group.for_minors]
    return sorted(takes, key=lambda each: (each.name.casefold(), each.pk))


def offer_transfer(
    organiser: Player, source_id: str, player_id: int, target_id: str
) -> tuple[Transfer | None, Ended]:
    """Offer a member to another group. Return the offer and the seeks that have ended.

    An offer to a group of the same organiser takes effect immediately. None is then returned
    instead of the offer. Otherwise, no seeks end. A later offer replaces an earlier one. Raise
    `Refused` if the organiser cannot offer the member, or if the other group cannot accept the
    member.
    """
    with transaction.atomic():
        lock_for_protection([player_id])
        lock_players([player_id])
        source, target = _lock_groups(source_id, target_id)
        member = _get_member(organiser, source, player_id)
        _must_take(target, member)
        offer, _ = Transfer.objects.update_or_create(
            source=source,
            player_id=player_id,
            defaults={"target": target, "by": organiser, "at": timezone.now()},
        )
        if target.organiser_id == organiser.pk:
            return None, _carry_out(offer, member, source, target)
        assert target.organiser_id is not None  # `_must_take` has checked this
        _notify(target.organiser_id, "notice.class-offered", source, target)
    return offer, {}


def accept_transfer(organiser: Player, target_id: str, transfer_id: int) -> tuple[Transfer, Ended]:
    """Accept an offer to this group. Return the offer and the seeks that have ended.

    Raise `Refused` if the offer is no longer valid, if the organiser cannot manage the group, or if
    the group cannot accept the member.
    """
    found = Transfer.objects.filter(pk=transfer_id, target=target_id).first()
    if found is None:
        raise Refused("transfer-over")
    with transaction.atomic():
        lock_for_protection([found.player_id])
        lock_players([found.player_id])
        source, target = _lock_groups(found.source_id, target_id)
        offer = Transfer.objects.select_related("by", "player").filter(pk=found.pk).first()
        is_open = offer is not None and offer.target_id == target_id
        if offer is None or not is_open or offer.at <= timezone.now() - KEPT:
            raise Refused("transfer-over")
        if not can_manage(organiser, target):
            raise Refused("not-allowed")
        try:
            member = _get_member(offer.by, source, offer.player_id)
        except Refused:
            raise Refused("transfer-over") from None
        _must_take(target, member)
        ended = _carry_out(offer, member, source, target)
        _notify(offer.by_id, "notice.class-accepted", source, target)
    return offer, ended


def withdraw_transfer(organiser: Player, group_id: str, transfer_id: int) -> bool:
    """Withdraw an offer made by the group, or decline an offer made to it.

    Return False if the offer no longer exists. Raise `Refused` if the organiser cannot manage the
    group, or if the offer is between other groups.
    """
    with transaction.atomic():
        found = Transfer.objects.select_for_update(of=("self",)).filter(pk=transfer_id)
        offer = found.select_related("source", "target").first()
        if offer is None:
            return False
        group = {offer.source_id: offer.source, offer.target_id: offer.target}.get(group_id)
        if group is None or not can_manage(organiser, group):
            raise Refused("not-allowed")
        offer.delete()
        if group_id == offer.target_id:
            _notify(offer.by_id, "notice.class-declined", offer.source, offer.target)
    return True


def _carry_out(offer: Transfer, member: Member, source: Group, target: Group) -> Ended:
    """Move the member, and return the seeks that have ended.

    Measures by the old organiser stay in force, unless the player is already in the new group.
    """
    player, now = member.player, timezone.now()
    making = None
    # Nobody can see a sheet of passwords for this `Making`, because its key belongs to no form.
    if member.making_id is not None:
        key = compute_key(create_code(), f"transfer {offer.pk}")
        making = Making.objects.create(group=target, key=key, shown_until=now)
    carried = {
        name: getattr(member, name)
        for name in ("listed_as", "paused_until", "muted_until", "name_kept_until")
    }
    member.delete()
    moved, is_new = Member.objects.get_or_create(
        group=target, player=player, defaults={"joined_at": now, "making": making, **carried}
    )
    if not is_new and making is not None and moved.making_id is None:
        Member.objects.filter(pk=moved.pk).update(making=making, listed_as=member.listed_as)
    ended = end_membership(source, player.pk)  # this also deletes the offer
    if target.for_minors and not is_adult(player):
        for player_id, seeks in protect_players([player.pk], reason=get_reason(target)).items():
            ended |= dict.fromkeys(seeks, player_id)
    notify_player(player.pk, _build_notice("notice.class-moved", source, target))
    return ended


def _get_member(organiser: Player, source: Group, player_id: int) -> Member:
    """Return the member that the organiser offers.

    Raise `Refused` if the organiser cannot manage the group, or if the player is not a member or is
    the organiser.
    """
    if not can_manage(organiser, source):
        raise Refused("not-allowed")
    if source.organiser_id == player_id:
        raise Refused("organiser-stays")
    found = Member.objects.filter(group=source, player=player_id).select_related("player").first()
    if found is None:
        raise Refused("not-a-member")
    return found


def _must_take(target: Group, member: Member) -> None:
    """Raise `Refused` if the group cannot accept the member."""
    if target.pk == member.group_id:
        raise Refused("transfer-same")
    if target.closed_at is not None:
        raise Refused("transfer-closed")
    if target.organiser is None or not may_organise(target.organiser):
        raise Refused("transfer-no-organiser")
    if member.player.is_protected and not target.for_minors:
        raise Refused("transfer-not-minors")
    others = target.members.exclude(player=member.player_id).count()
    if others >= settings.MEMBERS_PER_GROUP:
        raise Refused("group-full", most=settings.MEMBERS_PER_GROUP)


def _lock_groups(source_id: str, target_id: str) -> tuple[Group, Group]:
    """Return both groups, locked in the order of their ids.

    Raise `Refused` if one of them no longer exists.
    """
    rows = Group.objects.select_for_update().filter(pk__in={source_id, target_id}).order_by("pk")
    found = {each.pk: each for each in rows}
    if source_id not in found or target_id not in found:
        raise Refused("not-a-member")
    return found[source_id], found[target_id]


def _notify(player_id: int, code: str, source: Group, target: Group) -> None:
    notify_player(player_id, _build_notice(code, source, target))


def _build_notice(code: str, source: Group, target: Group) -> Message:
    return build_message(code, source=source.name, target=target.name)
