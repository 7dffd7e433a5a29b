"""New passwords for members' accounts, set by the organiser of their group.

The passwords are derived from the form's token, so a form that is sent twice gives the same
passwords.
"""

import hmac
import secrets
from collections.abc import Sequence
from hashlib import blake2b
from itertools import count

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from msgspec import Struct

from games.messages.guest_names import FRIENDS, SHADES
from games.messages.refusal import Refused
from lobby.accounts.sessions import end_other_sessions
from lobby.accounts.tokens import revoke_all_tokens
from lobby.groups.membership import can_manage, list_with_class_password
from lobby.models import Group, Making, Player

_LONGEST = 6  # letters in a word
_FIRST, _SECOND = ([word.lower() for word in some if len(word) <= _LONGEST]
                   for some in (SHADES, FRIENDS))  # fmt: skip


def create_token() -> str:
    """Return a random token for a form, with 192 bits."""
    return secrets.token_urlsafe(24)


def is_token(text: str) -> bool:
    """Return whether the text has the format of a token."""
    return len(text) == 32 and text.isascii() and text.replace("-", "").replace("_", "").isalnum()


def compute_key(token: str, content: str) -> str:
    """Return a key for a submitted form, which depends on its token and content."""
    return blake2b(f"{token}\n{content}".encode(), digest_size=32).hexdigest()


def compute_password(token: str, name: str) -> str:
    """Return the form's password for the account with that name, such as `amber-otter-472`.

    The password has 24 bits, and passes the site's validation for the name.
    """
    for attempt in count():
        number = _compute_number(f"{token} {attempt} {name}")
        number, first = divmod(number, len(_FIRST))
        number, second = divmod(number, len(_SECOND))
        password = f"{_FIRST[first]}-{_SECOND[second]}-{100 + number % 900}"
        try:
            validate_password(password, Player(username=name))
        except ValidationError:
            continue
        return password
    raise AssertionError("count() never ends")


def _compute_number(text: str) -> int:
    key = blake2b(settings.SECRET_KEY.encode(), person=b"class passwords").digest()
    return int.from_bytes(hmac.digest(key, text.encode(), "sha256"), "big")


class New(Struct, frozen=True):
    """A member and the member's new password as text. Only its hash will be stored."""

    player: Player
    password: str


def create_passwords(group: Group, token: str, player_id: int | None = None) -> list[New]:
    """Return new passwords for one member, or for all class accounts, sorted by name.

    `store_passwords` makes them valid. Raise `Refused` if there is nobody whose password the
    organiser may set (see `membership.list_with_class_password`).
    """
    players = [each.player for each in list_with_class_password(group, player_id)]
    if not players:
        raise Refused("not-made-here")
    return [New(each, compute_password(token, f"{each.pk} {each.username}")) for each in players]


def store_passwords(group: Group, organiser: Player, hashes: Sequence[tuple[Player, str]]) -> None:
    """Set these passwords, which are hashes, all or none. End the players' sessions and tokens.

    Raise `Refused` if the organiser can no longer manage the group or set one of the passwords.
    """
    ids = {player.pk for player, _ in hashes}
    with transaction.atomic():
        # Lock rows in the same order as `membership.remove_member`.
        rows = Player.objects.select_for_update(no_key=True).filter(pk__in=ids)
        list(rows.order_by("pk").values_list("pk"))
        if not can_manage(organiser, Group.objects.get(pk=group.pk)):
            raise Refused("not-allowed")
        only = next(iter(ids)) if len(ids) == 1 else None
        if not ids <= {each.player_id for each in list_with_class_password(group, only)}:
            raise Refused("not-made-here")
        for player, hashed in hashes:
            Player.objects.filter(pk=player.pk).update(password=hashed)
            revoke_all_tokens(player)
        # The sheets from which these accounts got their first passwords are no longer valid.
        Making.objects.filter(members__player__in=ids).update(shown_until=timezone.now())
    for player, _ in hashes:
        end_other_sessions(None, player)
