"""OAuth 2 (RFC 6749, 7636, 9207, 9700): how an application gets a token of an account.

Only the authorization code, only with PKCE's S256. Applications are not registered: whoever has an
https address, or runs on the player's own device, may ask, and is known by that address. So no
answer is sent to an address before the player has seen it and decided. What is issued are our own
tokens (`lobby.accounts.tokens`), which end as those do.
"""

import re
from datetime import timedelta
from ipaddress import IPv6Address
from typing import Any
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit

from django.conf import settings
from django.db import transaction
from django.http import QueryDict
from django.utils import timezone
from msgspec import Struct
from oauthlib.common import add_params_to_uri
from oauthlib.oauth2 import (
    AuthorizationCodeGrant,
    AuthorizationEndpoint,
    BearerToken,
    FatalClientError,
    OAuth2Error,
    RequestValidator,
    TokenEndpoint,
)
from oauthlib.oauth2.rfc6749.errors import (
    AccessDeniedError,
    InvalidGrantError,
    InvalidRequestError,
)

from games.messages.refusal import Refused
from games.store.suspensions import get_suspension
from lobby.accounts import tokens
from lobby.accounts.scopes import SCOPES, Scope, parse_scopes
from lobby.models import AuthorizationCode, Player, Token

CODE_SECONDS = 60
TOKEN_DAYS = 365
RESPONSE, GRANT, METHOD = "code", "authorization_code", "S256"
_CLIENT = re.compile(r"[\x21-\x7e]{1,60}")
_CHALLENGE = re.compile(r"[0-9A-Za-z_-]{43}")
_ADDRESS = re.compile(r"[!$%&'()*+,./0-9:;=?@A-Z_a-z~\[\]-]{1,500}")
_HOST = re.compile(r"[0-9a-z](?:[0-9a-z.-]{0,251}[0-9a-z])?")
_VERIFIER = re.compile(r"[0-9A-Za-z._~-]{43,128}")
_ANSWERED = frozenset({"code", "state", "iss", "error", "error_description", "error_uri"})
"""What we add to an application's address. One that has such a word already could bring in
somebody else's code beside ours."""
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_LONGEST_STATE = 1000


class AuthorizationRequest(Struct, frozen=True):
    """What an application asks for: what it calls itself, where its answer goes, which scopes."""

    client: str
    redirect: str
    scopes: tuple[Scope, ...]
    state: str


def parse_request(query: QueryDict, player: Player, own_host: str) -> AuthorizationRequest:
    """What an application asks of this player. Raises `Refused`: it has no safe address
    ("oauth-address"), or asks for what it cannot have ("oauth-request")."""
    try:
        scopes, info = _authorization.validate_authorization_request(_address(query))
        found = AuthorizationRequest(
            info["client_id"], info["redirect_uri"], parse_scopes(scopes), info["state"] or ""
        )
    except FatalClientError as error:
        raise Refused("oauth-address") from error
    except OAuth2Error as error:
        raise Refused("oauth-request", error=error.error) from error
    if _is_ours(found.redirect, own_host):  # where it would be logged
        raise Refused("oauth-address")
    if "bot" in found.scopes and not player.is_bot:  # it would make a person's account a bot's
        raise Refused("oauth-request", error="invalid_scope")
    return found


def allow_request(query: QueryDict, player: Player, issuer: str) -> str:
    """The address, with a code, to which the player is sent who has allowed what is asked."""
    headers, _, _ = _authorization.create_authorization_response(
        _address(query), credentials={"user": player}
    )
    return str(add_params_to_uri(headers["Location"], [("iss", issuer)]))


def deny_request(found: AuthorizationRequest, issuer: str) -> str:
    """The address to which the player is sent who has not."""
    error = AccessDeniedError(state=found.state or None)
    return str(error.in_uri(str(add_params_to_uri(found.redirect, [("iss", issuer)]))))


def exchange_code(address: str, form: QueryDict) -> tuple[dict[str, str], str, int]:
    """A token for a code: headers, body and status of the answer.

    The code's row is locked until the token is there, so of two uses at once, at whichever
    servers, one gets it; the other, as any later one, ends it.
    """
    with transaction.atomic():
        try:
            headers, body, status = _tokens.create_token_response(address, "POST", _pairs(form), {})
        except OAuth2Error as error:
            return {**_PLAIN, **error.headers}, error.json, error.status_code
    return headers, body, status


def build_malformed_answer(why: str) -> tuple[dict[str, str], str, int]:
    """The answer to what is no form."""
    error = InvalidRequestError(description=why)
    return dict(_PLAIN), error.json, error.status_code


def is_safe_redirect(address: str) -> bool:
    """Whether a code may be sent there: https, or http on the player's own device."""
    if _ADDRESS.fullmatch(address) is None:
        return False
    parts = _parts(address)
    if parts is None or "@" in parts.netloc or parts.netloc.endswith(":") or parts.port == 0:
        return False
    if not _is_host(parts) or not _ANSWERED.isdisjoint(dict(parse_qsl(parts.query, True))):
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)


def get_origin(address: str) -> str:
    """Scheme, host and port of a safe address, as a content policy names it: such have no word for
    an address of version 6, so there it is all of http or https."""
    parts = urlsplit(address)
    return f"{parts.scheme}:" if "[" in parts.netloc else f"{parts.scheme}://{parts.netloc.lower()}"


def get_place(address: str) -> str:
    """Where an application is, as people are told, and by which it is known. On one's own device
    the port changes with each start."""
    parts = urlsplit(address)
    host = parts.netloc.lower()
    if parts.scheme == "http" and parts.port is not None:
        host = host.rsplit(":", 1)[0]
    return f"{parts.scheme}://{host}"


def is_on_own_device(where: str) -> bool:
    """Whether an application at this place runs on the player's own device."""
    return where.startswith("http://")


def build_metadata(issuer: str, consent: str, token: str) -> dict[str, Any]:
    """What RFC 8414 asks for."""
    return {
        "issuer": issuer,
        "authorization_endpoint": consent,
        "token_endpoint": token,
        "scopes_supported": list(SCOPES),
        "response_types_supported": [RESPONSE],
        "response_modes_supported": ["query"],
        "grant_types_supported": [GRANT],
        "token_endpoint_auth_methods_supported": ["none"],
        "code_challenge_methods_supported": [METHOD],
        "authorization_response_iss_parameter_supported": True,
    }


_PLAIN = {"Content-Type": "application/json", "Cache-Control": "no-store", "Pragma": "no-cache"}


def _parts(address: str) -> SplitResult | None:
    try:
        parts = urlsplit(address)
        _ = parts.port  # raises for one that is none
    except ValueError:
        return None
    return parts


def _is_host(parts: SplitResult) -> bool:
    host = parts.hostname or ""
    if "[" not in parts.netloc:
        return _HOST.fullmatch(host) is not None
    try:
        return IPv6Address(host).scope_id is None
    except ValueError:
        return False


def _is_ours(address: str, own_host: str) -> bool:
    """Whether it is this site, by the name in use or by another of its names."""
    there, usual = urlsplit(address), {"https": 443, "http": 80}
    port = there.port or usual[there.scheme]
    for here in map(urlsplit, (f"//{own_host.lower()}", *settings.ALLOWED_ORIGINS)):
        ports = usual.values() if here.port is None else [here.port]
        if there.hostname == here.hostname and port in ports:
            return True
    return False


def _pairs(fields: QueryDict) -> str:
    """The fields, encoded anew: an empty one counts as missing, one given twice stays twice."""
    return urlencode([(key, one) for key, many in fields.lists() for one in many if one])


def _address(query: QueryDict) -> str:
    return f"/oauth?{_pairs(query)}"


class _Client(Struct, frozen=True):
    client_id: str


class _Validator(RequestValidator):
    """What oauthlib asks of us. The grant below is the only one that it is asked for."""

    # -- before the consent

    def validate_client_id(self, client_id: str, request: Any, *args: Any, **more: Any) -> bool:
        return _CLIENT.fullmatch(client_id) is not None

    def validate_redirect_uri(
        self, client_id: str, redirect_uri: str, request: Any, *args: Any, **more: Any
    ) -> bool:
        return is_safe_redirect(redirect_uri)

    def get_default_redirect_uri(self, client_id: str, request: Any, *a: Any, **more: Any) -> None:
        return None

    def validate_response_type(
        self, client_id: str, response_type: str, client: Any, request: Any, *a: Any, **more: Any
    ) -> bool:
        return response_type == RESPONSE

    def is_pkce_required(self, client_id: str, request: Any) -> bool:
        return True

    def get_default_scopes(self, client_id: str, request: Any, *a: Any, **more: Any) -> list[str]:
        return []

    def validate_scopes(
        self, client_id: str, scopes: list[str], client: Any, request: Any, *a: Any, **more: Any
    ) -> bool:
        return bool(scopes) and set(scopes).issubset(SCOPES)

    def save_authorization_code(
        self, client_id: str, code: dict[str, str], request: Any, *args: Any, **more: Any
    ) -> None:
        AuthorizationCode.objects.create(
            player=request.user,
            hash=tokens.hash_token(code["code"]),
            client=client_id,
            redirect=request.redirect_uri,
            challenge=request.code_challenge,
            scopes=" ".join(parse_scopes(request.scopes)),
            expires_at=timezone.now() + timedelta(seconds=CODE_SECONDS),
        )

    # -- the exchange

    def client_authentication_required(self, request: Any, *args: Any, **more: Any) -> bool:
        return False

    def authenticate_client_id(
        self, client_id: str | None, request: Any, *a: Any, **m: Any
    ) -> bool:
        request.client = _Client(client_id or "")
        return client_id is not None and _CLIENT.fullmatch(client_id) is not None

    def validate_grant_type(
        self, client_id: str, grant_type: str, client: Any, request: Any, *a: Any, **more: Any
    ) -> bool:
        return grant_type == GRANT

    def validate_code(
        self, client_id: str, code: str, client: Any, request: Any, *args: Any, **more: Any
    ) -> bool:
        """Takes the code: whatever follows, it is used."""
        row = AuthorizationCode.objects.filter(hash=tokens.hash_token(code))
        # The player first, as whoever closes the account does, and makes a token.
        of = Player.objects.filter(pk__in=row.values("player"))
        list(of.select_for_update(no_key=True).values_list("pk"))
        found = row.select_for_update().first()
        if found is None:
            return False
        if found.is_used:
            tokens.revoke_tokens(Token.objects.filter(codes=found))
            return False
        AuthorizationCode.objects.filter(pk=found.pk).update(is_used=True)
        request.row, request.user, request.scopes = found, found.player, found.scopes.split()
        is_good = found.client == client_id and found.expires_at > timezone.now()
        return is_good and get_suspension(found.player_id) is None

    def get_code_challenge(self, code: str, request: Any) -> str:
        return str(request.row.challenge)

    def get_code_challenge_method(self, code: str, request: Any) -> str:
        return METHOD

    def confirm_redirect_uri(
        self, client_id: str, code: str, redirect_uri: str, client: Any, request: Any, *a: Any,
        **more: Any,
    ) -> bool:  # fmt: skip
        return bool(redirect_uri == request.row.redirect)

    def save_bearer_token(self, token: Any, request: Any, *args: Any, **more: Any) -> None:
        AuthorizationCode.objects.filter(pk=request.row.pk).update(token=request.made)

    def invalidate_authorization_code(
        self, client_id: str, code: str, request: Any, *args: Any, **more: Any
    ) -> None:
        """It is used already."""


def _proves(verifier: str, challenge: str) -> bool:
    """Whether it is the verifier of that challenge: oauthlib would take a short one, too."""
    is_hash_of = AuthorizationCodeGrant._code_challenge_methods[METHOD]
    return _VERIFIER.fullmatch(verifier) is not None and bool(is_hash_of(verifier, challenge))


class _Grant(AuthorizationCodeGrant):
    _code_challenge_methods = {METHOD: _proves}


def _must_be_said_once(request: Any) -> dict[str, Any]:
    """oauthlib takes the last of several challenges, or of several codes."""
    if request.duplicate_params:
        raise InvalidRequestError(description="A parameter is there twice.", request=request)
    return {}


def _must_be_sound(request: Any) -> dict[str, Any]:
    """What oauthlib lets pass."""
    state = request.state or ""
    if _CHALLENGE.fullmatch(request.code_challenge or "") is None:
        raise InvalidRequestError(description="code_challenge is no SHA-256.", request=request)
    if request.response_mode not in (None, "query") or len(state) > _LONGEST_STATE:
        raise InvalidRequestError(request=request)
    if "\N{REPLACEMENT CHARACTER}" in state:  # it was no UTF-8, and cannot be given back as it was
        raise InvalidRequestError(request=request)
    return {}


def _token_of(request: Any) -> str:
    """Make the token; gives its text."""
    row, until = request.row, timezone.now() + timedelta(days=TOKEN_DAYS)
    try:
        made = tokens.create_token(
            row.player_id, row.client, row.scopes.split(), until, get_place(row.redirect)
        )
    except Refused as refusal:
        raise InvalidGrantError(description=refusal.code, request=request) from refusal
    request.made = made.id
    return made.text


_validator = _Validator()
_grant = _Grant(
    _validator,
    refresh_token=False,
    post_auth=[_must_be_said_once, _must_be_sound],
    pre_token=[_must_be_said_once],
)
_bearer = BearerToken(_validator, token_generator=_token_of, expires_in=TOKEN_DAYS * 24 * 3600)
_authorization = AuthorizationEndpoint(RESPONSE, _bearer, {RESPONSE: _grant})
_tokens = TokenEndpoint(GRANT, _bearer, {GRANT: _grant})
