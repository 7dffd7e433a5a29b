"""New passwords for accounts that were created for a group, set by its organiser.

The passwords are derived from the form's token, so a form sent twice gives the same ones.
"""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone
from msgspec import Struct

from games.messages.refusal import Refused
from lobby.accounts.sessions import end_other_sessions
from lobby.accounts.tokens import revoke_all_tokens
from lobby.groups.membership import can_manage
from lobby.groups.passwords import compute_password
from lobby.groups.rights import may_organise
from lobby.models import Group, Making, Member, Player


class New(Struct, frozen=True):
    """A new password of a member."""

    player: Player
    password: str


def create_passwords(group: Group, token: str, player_id: int | None = None) -> list[New]:
    """Return new passwords for one member, or for all whose accounts were created here, by name.

    They are valid only after `store_passwords`. Raise `Refused` if no such account was created for
    this group or the account has gained rights since.
    """
    players = _list_created_here(group)
    if player_id is not None:
        players = [each for each in players if each.pk == player_id]
    if not players:
        raise Refused("not-made-here")
    return [New(each, compute_password(token, f"{each.pk} {each.username}")) for each in players]


def store_passwords(group: Group, organiser: Player, hashes: Sequence[tuple[Player, str]]) -> None:
    """Set these passwords, all or none, and end the players' sessions and tokens.

    Raise `Refused` if one of the players or the organiser has lost the required role.
    """
    ids = {player.pk for player, _ in hashes}
    with transaction.atomic():
        # Lock rows in the same order as `membership.remove`.
        rows = Player.objects.select_for_update(no_key=True).filter(pk__in=ids)
        list(rows.order_by("pk").values_list("pk"))
        if not can_manage(organiser, Group.objects.get(pk=group.pk)):
            raise Refused("not-allowed")
        if not ids <= {player.pk for player in _list_created_here(group)}:
            raise Refused("not-made-here")
        for player, hashed in hashes:
            Player.objects.filter(pk=player.pk).update(password=hashed)
            revoke_all_tokens(player)
        # The sheet from their creation is no longer valid.
        Making.objects.filter(members__player__in=ids).update(shown_until=timezone.now())
    for player, _ in hashes:
        end_other_sessions(None, player)


def _list_created_here(group: Group) -> list[Player]:
    """Return the players whose passwords the organiser may set: never staff or organisers."""
    members = Member.objects.filter(group=group, player__is_active=True).exclude(making=None)
    found = members.filter(player__is_staff=False, player__is_superuser=False)
    players = [each.player for each in found.select_related("player").order_by("player__username")]
    return [player for player in players if not may_organise(player)]
