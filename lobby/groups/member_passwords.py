"""New passwords of accounts that were made for a group, by who runs it.

A form that is sent twice gives the same ones: they follow from its token.
"""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone
from msgspec import Struct

from games.messages.refusal import Refused
from lobby.accounts.sessions import end_other_sessions
from lobby.accounts.tokens import revoke_all_tokens
from lobby.groups.membership import can_manage
from lobby.groups.passwords import password_of
from lobby.groups.rights import may_organise
from lobby.models import Group, Making, Member, Player


class New(Struct, frozen=True):
    """A password for a member."""

    player: Player
    password: str


def new_passwords(group: Group, token: str, player_id: int | None = None) -> list[New]:
    """New passwords for a member, or for all whose accounts were made here, by name. They hold only
    once they are stored.

    Raises `Refused` if there is nobody: an account was not made for this group, or has become more
    than a member's.
    """
    players = _made_here(group)
    if player_id is not None:
        players = [each for each in players if each.pk == player_id]
    if not players:
        raise Refused("not-made-here")
    return [New(each, password_of(token, f"{each.pk} {each.username}")) for each in players]


def store(group: Group, organiser: Player, hashes: Sequence[tuple[Player, str]]) -> None:
    """Give the players these passwords, all of them or none. Their sessions and tokens end.

    Raises `Refused` if one of them, or the organiser, is no longer what they were.
    """
    ids = {player.pk for player, _ in hashes}
    with transaction.atomic():
        # As who takes somebody out of the group does, before they look at it.
        rows = Player.objects.select_for_update(no_key=True).filter(pk__in=ids)
        list(rows.order_by("pk").values_list("pk"))
        if not can_manage(organiser, Group.objects.get(pk=group.pk)):
            raise Refused("not-allowed")
        if not ids <= {player.pk for player in _made_here(group)}:
            raise Refused("not-made-here")
        for player, hashed in hashes:
            Player.objects.filter(pk=player.pk).update(password=hashed)
            revoke_all_tokens(player)
        # The sheet of their making is no longer true.
        Making.objects.filter(members__player__in=ids).update(shown_until=timezone.now())
    for player, _ in hashes:
        end_other_sessions(None, player)


def _made_here(group: Group) -> list[Player]:
    """Whose password the organiser may change. Never that of staff, or of another organiser."""
    members = Member.objects.filter(group=group, player__is_active=True).exclude(making=None)
    found = members.filter(player__is_staff=False, player__is_superuser=False)
    players = [each.player for each in found.select_related("player").order_by("player__username")]
    return [player for player in players if not may_organise(player)]
