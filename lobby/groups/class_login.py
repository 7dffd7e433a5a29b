"""Class logins with cards or pictures instead of passwords, which organisers open and close.

A card has a long random code. A picture password is short, so it also requires the code of the
class, which is shown in the classroom and changes with each opening, and only a few wrong attempts
are allowed. Changes to the account still require its password.

Transactions lock rows in the order player, group, `ClassLogin`, `MemberLogin`.
"""

from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import pgettext_lazy
from limits import RateLimitItemPerMinute

from games.messages.refusal import Refused
from games.runtime.addresses import get_client_network
from games.runtime.limiter import limiter
from games.store.suspensions import get_suspension
from games.store.visibility import find_hidden_players
from lobby.groups.codes import create_code, normalize_code
from lobby.groups.membership import can_manage, list_with_class_password
from lobby.models import ClassLogin, Group, Member, MemberLogin, Player

CODE_LETTERS = 8  # letters in the code of a class, which give 39 bits
CARD_LETTERS = 20  # letters in the code of a card, which give 99 bits
PICTURES: Final = {
    "apple": pgettext_lazy("picture", "Apple"),
    "ball": pgettext_lazy("picture", "Ball"),
    "boat": pgettext_lazy("picture", "Boat"),
    "cup": pgettext_lazy("picture", "Cup"),
    "fish": pgettext_lazy("picture", "Fish"),
    "flower": pgettext_lazy("picture", "Flower"),
    "heart": pgettext_lazy("picture", "Heart"),
    "house": pgettext_lazy("picture", "House"),
    "key": pgettext_lazy("picture", "Key"),
    "leaf": pgettext_lazy("picture", "Leaf"),
    "moon": pgettext_lazy("picture", "Moon"),
    "star": pgettext_lazy("picture", "Star"),
    "sun": pgettext_lazy("picture", "Sun"),
    "tree": pgettext_lazy("picture", "Tree"),
    "umbrella": pgettext_lazy("picture", "Umbrella"),
}
"""The pictures of picture passwords with their names, in the order on the page."""
PICTURES_EACH = 3  # pictures in a password


# -- opening and closing


def open_login(group: Group, organiser: Player, hours: int) -> ClassLogin:
    """Open the login of the class with a new code, and allow new attempts with pictures.

    It stays open for `hours`, but for at least one hour and at most `CLASS_LOGIN_HOURS`. Raise
    `Refused` if the organiser cannot manage the group.
    """
    hours = min(max(hours, 1), settings.CLASS_LOGIN_HOURS)
    with transaction.atomic():
        lock_managed(group, organiser)
        opened, _created = ClassLogin.objects.update_or_create(
            group=group,
            defaults={
                "code": create_code(CODE_LETTERS),
                "open_until": timezone.now() + timedelta(hours=hours),
                "wrong_pictures": 0,
            },
        )
        MemberLogin.objects.filter(member__group=group).update(wrong_pictures=0)
    return opened


def close_login(group: Group, organiser: Player) -> None:
    """Close the login. Sessions that have begun continue.

    Raise `Refused` if the organiser cannot manage the group.
    """
    with transaction.atomic():
        lock_managed(group, organiser)
        ClassLogin.objects.filter(group=group).delete()


def get_open_login(group_id: str) -> ClassLogin | None:
    """Return the login of a class if it is open now, or None."""
    found = ClassLogin.objects.select_related("group__organiser").filter(group=group_id).first()
    return found if found is not None and _is_open(found) else None


def find_open_login(typed: str) -> ClassLogin | None:
    """Return the open login with this code, or None."""
    code = normalize_code(typed)
    found = ClassLogin.objects.select_related("group__organiser").filter(code=code).first()
    return found if found is not None and _is_open(found) else None


def has_code(opened: ClassLogin, code: str) -> bool:
    """Return whether this is the code of the current opening."""
    return constant_time_compare(opened.code, code)


def _is_open(found: ClassLogin) -> bool:
    """Return whether the login is open and its organiser could still open it."""
    organiser = found.group.organiser
    return (
        found.open_until > timezone.now()
        and organiser is not None
        and organiser.is_active
        and can_manage(organiser, found.group)
        and get_suspension(organiser.pk) is None
    )


def lock_managed(group: Group, organiser: Player) -> None:
    """Lock the group. Raise `Refused` if the organiser can no longer manage it."""
    locked = Group.objects.select_for_update().filter(pk=group.pk).first()
    if locked is None or not can_manage(organiser, locked):
        raise Refused("not-allowed")


# -- cards, pictures and attempts


def hash_card(code: str) -> str:
    """Return the hash of a card's code. With 99 random bits, a fast hash is enough."""
    return sha256(code.encode()).hexdigest()


def hash_pictures(member_id: int, pictures: Sequence[str]) -> str:
    """Return the hash of a picture password.

    The hash is keyed, because otherwise somebody with a copy of the database could try all picture
    passwords. A new `SECRET_KEY` invalidates all of them.
    """
    text = " ".join([str(member_id), *pictures])
    return salted_hmac(f"{__name__}.pictures", text, algorithm="sha256").hexdigest()


# -- logging in


def is_within_error_limit(address: str) -> bool:
    """Return whether the address may try another code, card or picture password."""
    where = get_client_network(address)
    return not settings.RATE_LIMITS or not limiter().was_hit(_get_limit(), "class login", where)


def count_error(address: str) -> None:
    """Count a wrong code, card or picture password from the address."""
    if settings.RATE_LIMITS:
        limiter().hit(_get_limit(), "class login", get_client_network(address))


def list_picture_members(group: Group) -> list[Member]:
    """Return the members with a picture password whom the organiser may see, sorted by name.

    Devices that know the code of the class show these names to all their users.
    """
    found = Member.objects.filter(group=group, player__is_active=True)
    found = found.exclude(login=None).exclude(login__pictures_hash="")
    members = found.select_related("player")[: settings.MEMBERS_PER_GROUP]
    hidden = find_hidden_players(group.organiser_id, [each.player_id for each in members])
    shown = [each for each in members if each.player_id not in hidden]
    return sorted(shown, key=lambda each: each.player.name.casefold())


def lock_card_owner(group_id: str, typed: str) -> Player | Refused:
    """Return the owner of a card of this class, after locking the rows of the player and the card.

    The caller's transaction logs the owner in, so that no session outlives the revocation of the
    card. Return `Refused` if no member who can have a card has this one, and raise `Refused` if the
    login is closed.
    """
    hashed = hash_card(normalize_code(typed))
    rows = MemberLogin.objects.filter(card_hash=hashed, member__group=group_id)
    member_id, player_id = rows.values_list("member", "member__player").first() or (None, None)
    player = None if player_id is None else _lock_player(group_id, player_id)
    _lock_opened(group_id)
    login = MemberLogin.objects.select_for_update().filter(pk=member_id, card_hash=hashed).first()
    return Refused("wrong-card") if player is None or login is None else player


def check_pictures(group_id: str, player_id: int, pictures: Sequence[str]) -> Player | Refused:
    """Lock the rows, and return the player if the pictures are right, or `Refused` otherwise.

    The caller's transaction logs the player in. A wrong attempt is counted, and the refusal is
    returned and not raised, so that the transaction commits the count. Raise `Refused` if the login
    is closed.
    """
    player = _lock_player(group_id, player_id)
    opened = _lock_opened(group_id)
    members = Member.objects.filter(group=group_id, player=player_id).values("pk")
    login = MemberLogin.objects.select_for_update().filter(pk__in=members).first()
    if player is None or login is None or not login.pictures_hash:
        return Refused("wrong-pictures")
    if (
        login.wrong_pictures >= settings.PICTURE_ERRORS_PER_ACCOUNT
        or opened.wrong_pictures >= settings.PICTURE_ERRORS_PER_CLASS
    ):
        return Refused("pictures-locked")
    if not constant_time_compare(login.pictures_hash, hash_pictures(login.member_id, pictures)):
        for row in (opened, login):
            row.wrong_pictures = F("wrong_pictures") + 1
            row.save(update_fields=["wrong_pictures"])
        return Refused("wrong-pictures")
    # Reset the count, because the errors of a child would otherwise add up over the day.
    MemberLogin.objects.filter(pk=login.pk).update(wrong_pictures=0)
    return player


def _lock_player(group_id: str, player_id: int) -> Player | None:
    """Lock and return a member whose password the organiser may set, or return None."""
    player = Player.objects.select_for_update(no_key=True).filter(pk=player_id).first()
    group = Group.objects.filter(pk=group_id).first()
    if player is None or group is None:
        return None
    return player if list_with_class_password(group, player_id) else None


def _lock_opened(group_id: str) -> ClassLogin:
    """Lock and return the open login of the class. Raise `Refused` if it is closed."""
    list(ClassLogin.objects.select_for_update().filter(group=group_id).values_list("pk"))
    opened = get_open_login(group_id)
    if opened is None:
        raise Refused("class-login-closed")
    return opened


def _get_limit() -> RateLimitItemPerMinute:
    return RateLimitItemPerMinute(
        settings.CLASS_LOGIN_ERRORS_PER_ADDRESS, settings.LOGIN_WINDOW_MINUTES
    )
