"""Finding an account by a name as people type it."""

import unicodedata

from django.db.models import Q

from games.messages.names import compute_name_key
from lobby.models import Player

_LONGEST = 200  # characters that are looked at


def find_stored_name(typed: str) -> str | None:
    """The name as it is stored: case, width and spaces around it do not count. None for nobody."""
    wanted = _folded(typed[:_LONGEST])
    alike = Q(username=typed[:_LONGEST]) | Q(name_key=compute_name_key(wanted) or None)
    for name in Player.objects.filter(alike).values_list("username", flat=True)[:3]:
        if _folded(name) == wanted:
            return name
    return None


def find_account(typed: str) -> Player | None:
    """The account of that name, and no guest."""
    name = find_stored_name(typed)
    return Player.objects.filter(username=name, is_guest=False).first() if name else None


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
