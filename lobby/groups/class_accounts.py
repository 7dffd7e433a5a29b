"""The creation of a class's accounts, all or none, and only once per form.

The password hashes take seconds, and are computed before the transaction (see
`lobby.views.classes`).
"""

from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.messages import build_message
from games.messages.names import compute_name_key
from games.messages.refusal import Refused
from lobby.groups.class_list import BadListError, ListFault, find_reserved, find_taken
from lobby.groups.member_passwords import compute_password
from lobby.groups.membership import can_manage
from lobby.models import Group, Making, Member, Player, ProtectionChange

_SHEET_LIFETIME = timedelta(minutes=10)  # until then, a form that is sent again gets the same sheet

Sheet = list[tuple[str, str]]
"""Pairs of a name and a password."""


def get_created_sheet(group: Group, key: str, token: str) -> Sheet | None:
    """Return the sheet of a form that has already created its accounts, or None.

    Raise `Refused` if the accounts were created too long ago or in another group, or if one of them
    has a new password.
    """
    found = Making.objects.filter(key=key).first()
    if found is None:
        return None
    if found.group_id != group.pk or found.shown_until <= timezone.now():
        raise Refused("made-already")
    mine = found.members.order_by("pk").values_list("listed_as", flat=True)
    return [(name, compute_password(token, name)) for name in mine]


def must_have_room_for(group: Group, many: int) -> None:
    """Raise `Refused` if the group has no room for `many` more members."""
    left = settings.MEMBERS_PER_GROUP - group.members.count()
    if many > left:
        raise Refused("group-no-room", left=max(0, left), most=settings.MEMBERS_PER_GROUP)


def create_accounts(
    group: Group, organiser: Player, key: str, hashes: Sequence[tuple[str, str]]
) -> bool:
    """Create accounts with these names and password hashes as members of the group.

    Return False if the form with that key has already created them. Raise `Refused` if the
    organiser cannot manage the group or the group has no room, and `BadListError` if a name is
    taken or reserved.
    """
    try:
        with transaction.atomic():
            _create_accounts(group, organiser, key, hashes)
            return True
    except IntegrityError:
        if Making.objects.filter(key=key).exists():
            return False
        raise _build_taken_error([name for name, _ in hashes]) from None


def _create_accounts(
    group: Group, organiser: Player, key: str, hashes: Sequence[tuple[str, str]]
) -> None:
    held = Group.objects.select_for_update().filter(pk=group.pk).first()
    if held is None or not can_manage(organiser, held):
        raise Refused("not-allowed")
    now = timezone.now()
    making = Making.objects.create(group=held, key=key, shown_until=now + _SHEET_LIFETIME)
    must_have_room_for(held, len(hashes))
    names = [name for name, _ in hashes]
    made = Player.objects.bulk_create(
        Player(
            username=name,
            name_key=compute_name_key(name) or None,
            password=hashed,
            is_protected=held.for_minors,
            is_class_account=True,
        )
        for name, hashed in hashes
    )
    if held.for_minors:
        ProtectionChange.objects.bulk_create(
            ProtectionChange(
                player=player, is_protected=True, reason=f"member of {held.name}", at=now
            )
            for player in made
        )
    # The names are checked after the write: see `lobby.models.player.must_not_be_kept`.
    if find_reserved([compute_name_key(name) for name in names]):
        raise IntegrityError("a name was somebody else's not long ago, or passes for another")
    Member.objects.bulk_create(
        Member(group=held, player=player, making=making, listed_as=player.username, joined_at=now)
        for player in made
    )


def _build_taken_error(names: Sequence[str]) -> BadListError:
    """Return the error for names that were taken or reserved in the meantime."""
    why = build_message("refused.taken-name")
    places = sorted(find_taken(names)) or [0]
    return BadListError([ListFault(place + 1, names[place], why) for place in places])
