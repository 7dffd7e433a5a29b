"""API tokens of accounts. The text of a token is returned once; only its hash is stored.

A token has 238 random bits, so a plain hash is safe, and tokens can be looked up by their hash.
Streams opened with a token have the session key `token:<id>` (see `games.live.sessions`) and end
with the token.
"""

import re
import secrets
import string
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Literal, get_args

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
from lobby.models import AuthorizationCode, Player, Token
from lobby.privacy.protection import must_be_open_to_programs

Scope = Literal["account:read", "games:read", "games:play", "challenges", "tournaments", "bot"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
"""The scopes. The code of the sentence that describes a scope is `scope.<scope>`, with a hyphen for
the colon."""


def parse_scopes(asked: Iterable[str]) -> tuple[Scope, ...]:
    """Return the requested scopes in the order of `SCOPES`.

    Raise `Refused` if there is none, or if one is unknown.
    """
    wanted = set(asked)
    if not wanted or not wanted.issubset(SCOPES):
        raise Refused("scopes")
    return tuple(scope for scope in SCOPES if scope in wanted)


def get_sentence_code(scope: Scope) -> str:
    """Return the code of the sentence that describes the scope."""
    return f"scope.{scope.replace(':', '-')}"


log = structlog.get_logger(__name__)

PREFIX = "prl_"
_LENGTH = 40
_LETTERS = string.ascii_letters + string.digits
PATTERN = re.compile(rf"{PREFIX}[0-9A-Za-z]{{{_LENGTH}}}(?![0-9A-Za-z])")
"""A pattern that finds tokens within any text."""

LONGEST_NAME = 60
_NOTED_EVERY = timedelta(minutes=10)
_PER_APPLICATION = 10  # tokens per application and account, one for each device
_KEY = "token:"


def create_token(
    player_id: int,
    name: str,
    scopes: Iterable[str],
    expires_at: datetime | None = None,
    application: str = "",
) -> NewSecret:
    """Create a token for an account. `application` is the address of the application that gets it.

    If the application has too many tokens for the account, its oldest ones are revoked.
    Raise `Refused`: "too-many-tokens", "not-allowed" for guests, computer players and inactive
    accounts, or an error about the name, the scopes, or a protected player.
    """
    name, allowed = " ".join(name.split()), parse_scopes(scopes)
    if not 0 < len(name) <= LONGEST_NAME:
        raise Refused("token-name", most=LONGEST_NAME)
    text = PREFIX + "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
    now = timezone.now()
    with transaction.atomic():
        owner = Player.objects.select_for_update(no_key=True).filter(pk=player_id).first()
        if owner is None or owner.is_guest or not owner.is_active or owner.bot_level is not None:
            raise Refused("not-allowed")
        must_be_open_to_programs(owner)
        if application:
            _make_room(owner, name, application)
        if _of_kind(owner.pk, is_own=not application).count() >= settings.TOKENS_PER_ACCOUNT:
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
    """Return the valid token with this text, with its player, or None.

    A use is recorded at most every ten minutes.
    """
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
    """Return a dictionary that maps these texts to their tokens.

    Texts that are not valid tokens are left out. This does not count as a use of the tokens.
    """
    hashes = {hash_token(text): text for text in texts if PATTERN.fullmatch(text)}
    rows = filter_valid(timezone.now()).filter(hash__in=hashes, player__is_active=True)
    return {hashes[each.hash]: each for each in rows.select_related("player")}


def scopes_of(token: Token) -> frozenset[str]:
    return frozenset(token.scopes.split())


def list_own_tokens(player_id: int) -> QuerySet[Token]:
    """Return the valid tokens that the player created, newest first."""
    return _of_kind(player_id, is_own=True)


def list_application_tokens(player_id: int) -> QuerySet[Token]:
    """Return the valid tokens of applications for an account, newest first."""
    return _of_kind(player_id, is_own=False)


def revoke_application(player_id: int, name: str, application: str) -> int:
    """Revoke an application's tokens for an account, and delete the unused codes for its name.

    Return the number of revoked tokens.
    """
    codes = AuthorizationCode.objects.filter(player=player_id, client=name, is_used=False)
    codes.delete()
    mine = Token.objects.filter(player=player_id, name=name, application=application)
    return revoke_tokens(mine.exclude(application=""))


def revoke_tokens(tokens: QuerySet[Token]) -> int:
    """Revoke these tokens, and end their streams on every server.

    Return the number of revoked tokens.
    """
    ids = list(tokens.values_list("pk", "player"))
    if not ids:
        return 0
    Token.objects.filter(pk__in=[pk for pk, _ in ids]).delete()
    for pk, player_id in ids:
        log.info("token revoked", player=player_id, token=pk)
    transaction.on_commit(lambda: async_to_sync(end_everywhere)([get_key(pk) for pk, _ in ids]))
    return len(ids)


def revoke_leaked_tokens(text: str, most: int = 100) -> int:
    """Revoke up to `most` tokens that occur in a text, such as a file on another site.

    Return the number of revoked tokens.
    """
    found = list(dict.fromkeys(PATTERN.findall(text)))[:most]
    return revoke_tokens(Token.objects.filter(hash__in=[hash_token(each) for each in found]))


def get_key(token_id: int) -> str:
    """Return the session key of the streams that are opened with the token."""
    return f"{_KEY}{token_id}"


def hash_token(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def filter_valid(now: datetime) -> QuerySet[Token]:
    return Token.objects.filter(Q(expires_at=None) | Q(expires_at__gt=now))


def has_scope(token: Token, *scopes: Scope) -> bool:
    """Return whether the token has at least one of these scopes, or True if no scope is given."""
    return not scopes or not scopes_of(token).isdisjoint(scopes)


def _of_kind(player_id: int, *, is_own: bool) -> QuerySet[Token]:
    rows = filter_valid(timezone.now()).filter(player=player_id)
    return rows.filter(application="") if is_own else rows.exclude(application="")


def _make_room(owner: Player, name: str, application: str) -> None:
    """Revoke the application's oldest tokens, so that it can have another one."""
    rows = Token.objects.filter(player=owner, name=name, application=application)
    old = list(rows.order_by("-created_at").values_list("pk", flat=True)[_PER_APPLICATION - 1 :])
    revoke_tokens(Token.objects.filter(pk__in=old))


def get_players_by_key(keys: Collection[str]) -> dict[str, int]:
    """Return a dictionary that maps the session keys of valid tokens to the ids of their players.

    Other keys are left out.
    """
    ids = {int(key.removeprefix(_KEY)): key for key in keys if key.startswith(_KEY)}
    rows = filter_valid(timezone.now()).filter(pk__in=ids).values_list("pk", "player")
    return {ids[pk]: player_id for pk, player_id in rows}


def revoke_all_tokens(player: Player) -> None:
    """Revoke all tokens of an account and delete its codes, as after a change of its password."""
    AuthorizationCode.objects.filter(player=player).delete()
    revoke_tokens(Token.objects.filter(player=player))


def revoke_after_password_change(sender: Any, user: Any, **more: Any) -> None:
    revoke_all_tokens(user)
