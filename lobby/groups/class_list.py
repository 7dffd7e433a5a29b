"""The parsing and checking of the names of a new class, with an error for each invalid line."""

from collections.abc import Sequence

from django.conf import settings
from django.db.models import Q
from django.utils import timezone
from msgspec import Struct

from games.messages import Message, build_message
from games.messages.names import check_name, compute_name_key
from games.messages.refusal import Refused
from lobby.models import FormerName, Player
from lobby.models.player import imitated

_SHOWN = 40  # the maximum number of characters of a line that are displayed with its fault


class ListFault(Struct, frozen=True):
    """A line that is not a valid name, and the reason.

    `line` counts from 1; 0 stands for the whole list.
    """

    line: int
    text: str
    why: Message


class BadListError(Exception):
    """The list has at least one fault, so no account is created."""

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
    """Return the keys that are reserved for former owners, or that imitate staff or leaders."""
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
