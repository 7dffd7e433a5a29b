"""Parsing the names of a new class, and creating its accounts: all or none, and once per form.

Computing the password hashes takes seconds, so `lobby.views.classes` does it before the
transaction.
"""

from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from msgspec import Struct

from games.messages import Message, build_message
from games.messages.names import check_name, compute_name_key
from games.messages.refusal import Refused
from lobby.groups.member_passwords import compute_password
from lobby.groups.membership import can_manage
from lobby.models import FormerName, Group, Making, Member, Player, ProtectionChange
from lobby.models.player import imitated

_SHOWN = 40  # the maximum number of characters of a line that are displayed with its fault


class ListFault(Struct, frozen=True):
    """A line whose name is refused, and the reason.

    `line` counts from 1; 0 stands for the whole list.
    """

    line: int
    text: str
    why: Message


class BadListError(Exception):
    """The list of names has at least one fault, so no account is created."""

    def __init__(self, faults: Sequence[ListFault]) -> None:
        super().__init__(f"{len(faults)} bad lines")
        self.faults = faults


def parse_names(text: str) -> list[str]:
    """Return the names in a pasted list, one per line, as stored.

    Raise `BadListError` if a name is invalid, repeated or taken, or if there are none or too many.
    """
    # `splitlines` would also split at some control characters.
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    typed = [(number, line.strip(" ")) for number, line in enumerate(lines, 1) if line.strip(" ")]
    return _check_names(typed)


def build_numbered_names(beginning: str, many: int) -> list[str]:
    """Return the names "class-01" and so on, if `beginning` is "class".

    Raise `BadListError` if a name is invalid or taken, or if `many` is out of range.
    """
    beginning = beginning.strip(" ")
    if not 1 <= many <= settings.ACCOUNTS_PER_CLASS:
        raise BadListError(
            [ListFault(0, "", build_message("class.how-many", most=settings.ACCOUNTS_PER_CLASS))]
        )
    return _check_names([(number, f"{beginning}-{number:02}") for number in range(1, many + 1)])


def find_taken(names: Sequence[str]) -> set[int]:
    """Return the indices of names that are taken, reserved, or too similar to such a name."""
    keys = [compute_name_key(name) for name in names]
    alike = Player.objects.filter(Q(username__in=names) | Q(name_key__in=keys))
    known = {text for row in alike.values_list("username", "name_key") for text in row if text}
    known |= find_reserved(keys)
    return {
        place
        for place, (name, key) in enumerate(zip(names, keys, strict=True))
        if name in known or key in known
    }


def find_reserved(keys: Sequence[str]) -> set[str]:
    """Return the keys that are reserved, or that imitate the names of staff or listed players."""
    kept = FormerName.objects.filter(name_key__in=keys, until__gt=timezone.now())
    return set(kept.values_list("name_key", flat=True)) | imitated(keys)


def _check_names(typed: Sequence[tuple[int, str]]) -> list[str]:
    most = settings.ACCOUNTS_PER_CLASS
    if not typed:
        raise BadListError([ListFault(0, "", build_message("class.empty"))])
    if len(typed) > most:
        raise BadListError(
            [ListFault(0, "", build_message("class.too-many", count=len(typed), most=most))]
        )
    faults: list[ListFault] = []
    good: dict[str, tuple[int, str]] = {}  # the line number and the name, by key
    for number, text in typed:
        try:
            name = check_name(text, in_class=True)
        except Refused as refusal:
            faults.append(_build_fault(number, text, refusal.words))
            continue
        known = good.setdefault(compute_name_key(name), (number, name))
        if known[0] != number:
            code = "class.twice" if known[1].casefold() == name.casefold() else "class.alike"
            faults.append(_build_fault(number, text, build_message(code, line=known[0])))
    names, lines = [name for _, name in good.values()], [line for line, _ in good.values()]
    for place in find_taken(names):
        faults.append(_build_fault(lines[place], names[place], build_message("refused.taken-name")))
    if faults:
        raise BadListError(sorted(faults, key=lambda fault: fault.line))
    return names


def _build_fault(line: int, text: str, why: Message) -> ListFault:
    shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:_SHOWN])
    return ListFault(line, f"{shown}…" if len(text) > _SHOWN else shown, why)


_SHEET_LIFETIME = timedelta(minutes=10)  # how long a form that is sent again gets the same sheet

Sheet = list[tuple[str, str]]
"""Pairs of a name and a password."""


def get_created_sheet(group: Group, key: str, token: str) -> list[tuple[str, str, str]] | None:
    """Return the sheet of a form that has already created its accounts, or None.

    The third part of each row is the hash of the account's current password. Raise `Refused` if the
    accounts were created too long ago or in another group, or if the organiser has since given one
    of them a new password.
    """
    found = Making.objects.filter(key=key).first()
    if found is None:
        return None
    if found.group_id != group.pk or found.shown_until <= timezone.now():
        raise Refused("made-already")
    mine = found.members.order_by("pk").values_list("listed_as", "player__password")
    return [(name, compute_password(token, name), hashed) for name, hashed in mine]


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
