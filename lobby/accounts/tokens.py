"""Tokens: made for one's own account, shown once, and stored as a hash.

A token is random (238 bits), so a plain hash of it cannot be guessed, and is its index. Whatever is
opened with a token (a stream) has the key `token:<id>` (`games.live.sessions`), and ends with it.
"""

import re
import secrets
import string
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

import structlog
from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from games.live.sessions import end_everywhere
from games.messages.refusal import Refused
from games.runtime.db import optional_write
from lobby.accounts.one_time_secrets import NewSecret
from lobby.accounts.scopes import Scope, parse_scopes
from lobby.models import AuthorizationCode, Player, Token

log = structlog.get_logger(__name__)

PREFIX = "prl_"
_LENGTH = 40
_LETTERS = string.ascii_letters + string.digits
PATTERN = re.compile(rf"{PREFIX}[0-9A-Za-z]{{{_LENGTH}}}(?![0-9A-Za-z])")
"""A token in any text."""

LONGEST_NAME = 60
_NOTED_EVERY = timedelta(minutes=10)
_PER_APPLICATION = 10  # tokens that one application has of one account: its devices
_KEY = "token:"


def create_token(
    player_id: int,
    name: str,
    scopes: Iterable[str],
    expires_at: datetime | None = None,
    application: str = "",
) -> NewSecret:
    """Make a token for an account; `application`: where the one is that gets it.

    Raises `Refused`: the account has as many as one may have ("too-many-tokens"), is a guest or
    closed ("not-allowed"), or the name or the scopes are none."""
    name, allowed = " ".join(name.split()), parse_scopes(scopes)
    if not 0 < len(name) <= LONGEST_NAME:
        raise Refused("token-name", most=LONGEST_NAME)
    text = PREFIX + "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
    now = timezone.now()
    with transaction.atomic():
        owner = Player.objects.select_for_update(no_key=True).filter(pk=player_id).first()
        if owner is None or owner.is_guest or not owner.is_active or owner.bot_level is not None:
            raise Refused("not-allowed")
        if application:
            _make_room(owner, name, application)
        if _of_kind(owner.pk, by_oneself=not application).count() >= settings.TOKENS_PER_ACCOUNT:
            raise Refused("too-many-tokens", most=settings.TOKENS_PER_ACCOUNT)
        made = Token.objects.create(
            player=owner,
            name=name,
            hash=hash_token(text),
            application=application,
            scopes=" ".join(allowed),
            created_at=now,
            expires_at=expires_at,
        )
    log.info("token made", player=player_id, token=made.pk, scopes=made.scopes)
    return NewSecret(made.pk, text)


def get_token(text: str) -> Token | None:
    """The token of that text, with its player, if it is valid now; noted as used now and then."""
    if PATTERN.fullmatch(text) is None:
        return None
    now = timezone.now()
    rows = filter_valid(now).select_related("player").filter(player__is_active=True)
    found = rows.filter(hash=hash_token(text)).first()
    if found is not None and (found.used_at is None or now - found.used_at > _NOTED_EVERY):
        with optional_write():
            Token.objects.filter(pk=found.pk).update(used_at=now)
    return found


def get_tokens(texts: Collection[str]) -> dict[str, Token]:
    """The same for several texts, by text. Nothing is noted."""
    hashes = {hash_token(text): text for text in texts if PATTERN.fullmatch(text)}
    rows = filter_valid(timezone.now()).filter(hash__in=hashes, player__is_active=True)
    return {hashes[each.hash]: each for each in rows.select_related("player")}


def scopes_of(token: Token) -> frozenset[str]:
    return frozenset(token.scopes.split())


def list_own_tokens(player_id: int) -> QuerySet[Token]:
    """The valid tokens that somebody made for themselves, the newest first."""
    return _of_kind(player_id, by_oneself=True)


def list_application_tokens(player_id: int) -> QuerySet[Token]:
    """The valid tokens that applications got for an account, the newest first."""
    return _of_kind(player_id, by_oneself=False)


def revoke_application(player_id: int, name: str, application: str) -> int:
    """Revoke all that an application got for an account, with what it may be about to get."""
    codes = AuthorizationCode.objects.filter(player=player_id, client=name, is_used=False)
    codes.delete()
    mine = Token.objects.filter(player=player_id, name=name, application=application)
    return revoke_tokens(mine.exclude(application=""))


def revoke_tokens(tokens: QuerySet[Token]) -> int:
    """Revoke these tokens, and end what was opened with them, on every server; how many."""
    ids = list(tokens.values_list("pk", "player"))
    if not ids:
        return 0
    Token.objects.filter(pk__in=[pk for pk, _ in ids]).delete()
    for pk, player_id in ids:
        log.info("token revoked", player=player_id, token=pk)
    transaction.on_commit(lambda: async_to_sync(end_everywhere)([get_key(pk) for pk, _ in ids]))
    return len(ids)


def revoke_leaked_tokens(text: str, most: int = 100) -> int:
    """Revoke the tokens that stand in a text which somebody has found; how many there were."""
    found = list(dict.fromkeys(PATTERN.findall(text)))[:most]
    return revoke_tokens(Token.objects.filter(hash__in=[hash_token(each) for each in found]))


def get_key(token_id: int) -> str:
    """The key of what is opened with the token."""
    return f"{_KEY}{token_id}"


def hash_token(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def filter_valid(now: datetime) -> QuerySet[Token]:
    return Token.objects.filter(Q(expires_at=None) | Q(expires_at__gt=now))


def has_scope(token: Token, *scopes: Scope) -> bool:
    """Whether the token has one of these scopes; with none asked, any token will do."""
    return not scopes or not scopes_of(token).isdisjoint(scopes)


def _of_kind(player_id: int, *, by_oneself: bool) -> QuerySet[Token]:
    rows = filter_valid(timezone.now()).filter(player=player_id)
    return rows.filter(application="") if by_oneself else rows.exclude(application="")


def _make_room(owner: Player, name: str, application: str) -> None:
    """The oldest tokens of an application end where it gets another."""
    rows = Token.objects.filter(player=owner, name=name, application=application)
    old = list(rows.order_by("-created_at").values_list("pk", flat=True)[_PER_APPLICATION - 1 :])
    revoke_tokens(Token.objects.filter(pk__in=old))


def get_players_by_key(keys: Collection[str]) -> dict[str, int]:
    """Return the players of those of these keys that are of valid tokens."""
    ids = {int(key.removeprefix(_KEY)): key for key in keys if key.startswith(_KEY)}
    rows = filter_valid(timezone.now()).filter(pk__in=ids).values_list("pk", "player")
    return {ids[pk]: player_id for pk, player_id in rows}


def revoke_all_tokens(player: Player) -> None:
    """Revoke all tokens of an account, and what applications may be about to get: its password has
    changed, by whatever way, and whoever had the former one has nothing left."""
    AuthorizationCode.objects.filter(player=player).delete()
    revoke_tokens(Token.objects.filter(player=player))


def revoke_after_password_change(sender: Any, user: Any, **more: Any) -> None:
    revoke_all_tokens(user)
