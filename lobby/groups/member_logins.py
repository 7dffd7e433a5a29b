"""Cards, picture passwords and real names of members, managed by the organiser of their group.

The secrets are derived from the form's token, so a form that is sent twice gives the same secrets.
The token contains the time at which the form was rendered. A form cannot change a secret that has
changed since then, because otherwise a page in the browser's history could restore a revoked card.

Only the organiser of the group sees the real names. The data export of a member leaves them out,
because the school that keeps the list is responsible for it.
"""

import hmac
import secrets
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import blake2b

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.utils import timezone
from msgspec import Struct

from games.messages.refusal import Refused
from games.store.visibility import find_hidden_players
from lobby.accounts.sessions import end_other_sessions
from lobby.groups.class_login import (
    CARD_LETTERS,
    PICTURES,
    PICTURES_EACH,
    hash_card,
    hash_pictures,
    lock_managed,
)
from lobby.groups.codes import LETTERS
from lobby.groups.membership import can_manage, list_with_class_password
from lobby.models import Group, Member, MemberLogin, Player, RealName
from lobby.models.group import LONGEST_REAL_NAME

_SALT = "member logins"


class NewLogin(Struct, frozen=True):
    """The new secrets of a member, of which only hashes are stored.

    A secret that was not requested is empty.
    """

    member: Member
    card: str
    pictures: tuple[str, ...]

    def __repr__(self) -> str:
        """Return a text without the secrets, so that logs never contain them."""
        return f"NewLogin(member={self.member.pk})"


def create_form_token() -> str:
    """Return a token for a form that is rendered now."""
    now = int(timezone.now().timestamp() * 1e6)
    return signing.dumps([secrets.token_urlsafe(24), now], salt=_SALT)


def list_logins(group: Group) -> list[tuple[Member, MemberLogin | None]]:
    """Return the members who can have a card, sorted by name, each with a `MemberLogin` or None."""
    members = _list_members(group)
    rows = {each.member_id: each for each in MemberLogin.objects.filter(member__in=members)}
    return [(each, rows.get(each.pk)) for each in members]


def create_logins(
    group: Group,
    organiser: Player,
    token: str,
    player_ids: Collection[int],
    with_card: bool,
    with_pictures: bool,
) -> list[NewLogin]:
    """Give these members new cards and picture passwords, all or none, and revoke the old ones.

    Members whose card or picture password is replaced are logged out everywhere. Raise `Refused` if
    the form is outdated, if the organiser cannot manage the group, or if one of the members cannot
    have a card.
    """
    made_at = _read_time(token)
    with transaction.atomic():
        logins = _lock_logins(group, organiser, player_ids)
        new, replaced = [], []
        for member, login in logins:
            card = compute_card(token, member.pk) if with_card else ""
            pictures = compute_pictures(token, member.pk) if with_pictures else ()
            hashes = {}
            if with_card:
                hashes["card_hash"] = hash_card(card)
            if with_pictures:
                hashes["pictures_hash"] = hash_pictures(member.pk, pictures)
            is_repeat = all(getattr(login, name) == value for name, value in hashes.items())
            if not is_repeat and login.changed_at > made_at:
                raise Refused("login-form-outdated")
            if not is_repeat:
                if any(getattr(login, name) for name in hashes):
                    replaced.append(member.player)
                _update_login(login, **hashes)
            new.append(NewLogin(member, card, pictures))
    for player in replaced:
        end_other_sessions(None, player)
    return new


def revoke_logins(group: Group, organiser: Player, player_ids: Collection[int]) -> list[Player]:
    """Revoke the cards and picture passwords of these members.

    Return the members who had a card or a picture password. Their sessions end. Raise `Refused` if
    the organiser cannot manage the group, or if one of the members cannot have a card.
    """
    revoked = []
    with transaction.atomic():
        for member, login in _lock_logins(group, organiser, player_ids):
            if login.card_hash or login.pictures_hash:
                _update_login(login, card_hash=None, pictures_hash="")
                revoked.append(member.player)
    for player in revoked:
        end_other_sessions(None, player)
    return revoked


def compute_card(token: str, member_id: int) -> str:
    """Return the code of the member's card that the form with this token creates."""
    number, letters = _compute_number(f"card {member_id} {token}"), ""
    for _ in range(CARD_LETTERS):
        number, place = divmod(number, len(LETTERS))
        letters += LETTERS[place]
    return letters


def compute_pictures(token: str, member_id: int) -> tuple[str, ...]:
    """Return the member's picture password that the form with this token creates.

    A picture can occur more than once.
    """
    number, pictures, found = _compute_number(f"pictures {member_id} {token}"), list(PICTURES), []
    for _ in range(PICTURES_EACH):
        number, place = divmod(number, len(pictures))
        found.append(pictures[place])
    return tuple(found)


def _compute_number(text: str) -> int:
    key = blake2b(settings.SECRET_KEY.encode(), person=b"member logins").digest()
    return int.from_bytes(hmac.digest(key, text.encode(), "sha256"), "big")


def _read_time(token: str) -> datetime:
    """Return when the form was rendered. Raise `Refused` for an invalid token."""
    try:
        _, made_at = signing.loads(token[:300], salt=_SALT)
    except signing.BadSignature:
        raise Refused("login-form-outdated") from None
    return datetime.fromtimestamp(made_at / 1e6, UTC)


def _lock_logins(
    group: Group, organiser: Player, player_ids: Collection[int]
) -> Sequence[tuple[Member, MemberLogin]]:
    """Return these members with their `MemberLogin` rows, which are locked, and created if needed.

    Raise `Refused` if no members are given, if the organiser cannot manage the group, or if one of
    the members cannot have a card.
    """
    if not player_ids:
        raise Refused("no-card")
    lock_managed(group, organiser)
    members = [each for each in _list_members(group) if each.player_id in player_ids]
    if {each.player_id for each in members} != set(player_ids):
        raise Refused("not-made-here")
    never = datetime.fromtimestamp(0, UTC)
    MemberLogin.objects.bulk_create(
        (MemberLogin(member=each, changed_at=never) for each in members), ignore_conflicts=True
    )
    rows = MemberLogin.objects.select_for_update().filter(member__in=members).order_by("pk")
    logins = {each.member_id: each for each in rows}
    return [(each, logins[each.pk]) for each in members if each.pk in logins]


def _list_members(group: Group) -> list[Member]:
    """Return the members whose passwords the organiser may set and whom the organiser may see."""
    members = list_with_class_password(group)
    hidden = find_hidden_players(group.organiser_id, [each.player_id for each in members])
    return [each for each in members if each.player_id not in hidden]


def _update_login(login: MemberLogin, **hashes: str | None) -> None:
    for name, value in {**hashes, "wrong_pictures": 0, "changed_at": timezone.now()}.items():
        setattr(login, name, value)
    login.save(update_fields=[*hashes, "wrong_pictures", "changed_at"])


def get_real_names(group: Group, viewer: Player) -> dict[int, str]:
    """Return a dictionary that maps members' player ids to their real names.

    It is empty if the viewer cannot manage the group.
    """
    if not can_manage(viewer, group):
        return {}
    rows = RealName.objects.filter(member__group=group)
    return dict(rows.values_list("member__player", "name"))


def store_real_names(group: Group, organiser: Player, names: Mapping[int, str]) -> None:
    """Store the real names of these players, all or none. An empty name deletes the stored one.

    `names` maps the players' ids to their names. Players who are not members are ignored. Raise
    `Refused` if the organiser cannot manage the group, or if a name is too long or unprintable.
    """
    cleaned = {player_id: _clean(name) for player_id, name in names.items()}
    with transaction.atomic():
        lock_managed(group, organiser)
        members = Member.objects.filter(group=group, player__in=cleaned)
        for member_id, player_id in members.values_list("pk", "player"):
            if cleaned[player_id]:
                RealName.objects.update_or_create(
                    member_id=member_id, defaults={"name": cleaned[player_id]}
                )
            else:
                RealName.objects.filter(member=member_id).delete()


def _clean(name: str) -> str:
    name = " ".join(name.split())
    if len(name) > LONGEST_REAL_NAME or not name.isprintable():
        raise Refused("real-name", name=name[:LONGEST_REAL_NAME], most=LONGEST_REAL_NAME)
    return name
